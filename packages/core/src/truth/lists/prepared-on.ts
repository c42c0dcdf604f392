/**
 * How devices prepare lists: with two programs (`list-program.ts`), which load with the first lists.
 *
 * @module
 */
import type { Device, Plan, Program } from '../../contract/backend.ts'
import { UnsupportedWorkloadError } from '../../ground/errors.ts'
import type { PairWorkload, Shape, Workload } from '../../problem/workloads/workload.ts'

/** Prepares one of the programs. */
export type PrepareOne = (workload: Workload, shape: Shape, plan?: Plan) => Promise<Program>

/** Programs of lists. */
const listing = new WeakSet<Program>()

/** Whether a workload makes lists. */
export const makesLists = (workload: Workload): workload is PairWorkload & { readonly reduction: 'list' } =>
  workload.loop === 'pair' && workload.reduction === 'list'

/**
 * A device's `prepare` for every workload. The program of lists gets `bindings.offsets`, and gives `index`.
 *
 * @param prepare prepares a workload of the device
 */
export async function preparedOn(
  { info }: Pick<Device, 'info'>,
  prepare: PrepareOne,
  workload: Workload,
  shape: Shape,
  plan?: Plan,
): Promise<Program> {
  if (!makesLists(workload)) return prepare(workload, shape, plan)
  const { ListProgram } = await import('./list-program.ts')
  const counting = { ...workload, results: ['count'], reduction: 'count' } as const
  const count = await prepare(counting, shape, plan)
  try {
    const program = new ListProgram(info, workload, shape, count, await prepare(workload, shape, plan))
    listing.add(program)
    return program
  } catch (error) {
    count.dispose()
    throw error
  }
}

/** @throws {@link UnsupportedWorkloadError} for a program of lists, because buffers have a fixed length */
export function requireFixedLength(program: Program, backend: string): void {
  if (listing.has(program))
    throw new UnsupportedWorkloadError(
      'offsets and index',
      backend,
      'the length of lists depends on the points, so a sequence has no buffer for them; run the program by itself',
    )
}
