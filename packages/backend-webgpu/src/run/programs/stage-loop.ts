/**
 * The loop that computes a stage of a sequence: over all pairs, over near points, by Verlet lists, or one that each round chooses.
 *
 * @module
 */
import type { Bindings, Stage } from '@manybody/core'
import { type ProgramDesign, shadersOf } from '../../design/design.ts'
import { carriedNumbers, listSizes } from '../../design/verlet-layout.ts'
import type { DesignedResult } from '../drivers/driver.ts'
import { HeldArray } from '../host/held-array.ts'
import type { GpuHost } from '../host/host.ts'
import { ListArrays } from '../host/list-arrays.ts'
import type { Memory } from '../host/memory.ts'
import { type BoundRun, type BoundStep, type CompiledProgram, nearFor } from './compiled-program.ts'
import { eitherLoop } from './either.ts'
import type { GpuProgram } from './program.ts'

export interface StageLoop {
  /** Where each round chooses, both: `blocks (...) or pairs-once (...)`. */
  readonly variant: string
  readonly steps: (run: BoundRun, results: readonly DesignedResult[]) => AsyncIterable<BoundStep>
}

/** @param compiled what computes the ranges of the stage */
export async function stageLoop(
  host: GpuHost,
  memory: Memory,
  program: GpuProgram,
  compiled: CompiledProgram,
  { bindings, targets, sources, carried }: Stage,
): Promise<StageLoop> {
  const whole = !targets && !sources
  const near = whole ? await nearLoop(program, bindings.parameters) : undefined
  if (near && !near.alone)
    return {
      variant: [near.program, compiled].map(({ design }) => design.variant).join(' or '),
      steps: (run, results) => eitherLoop(host, program, near.program, run, results),
    }
  const loop = near?.program ?? compiled
  const lists = whole && carried ? await byLists(host, memory, loop, bindings, carried) : undefined
  return lists ?? { variant: loop.design.variant, steps: loop.steps }
}

/** A loop over near points, and whether rounds always take it. */
interface NearLoop {
  readonly program: CompiledProgram
  readonly alone: boolean
}

/** The loop over near points of a program, if rounds of a sequence may choose it. */
async function nearLoop({ near }: GpuProgram, parameters: Bindings['parameters']): Promise<NearLoop | undefined> {
  const own = near && nearFor(near, parameters)
  const program = own?.choice.chooser ? await own.compiled() : undefined
  if (!own || !program) return undefined
  await program.ready(parameters)
  return { program, alone: own.choice.alone ?? false }
}

/** Whether the device binds all arrays of each shader. Lists of laws with exclusions need more than every device binds. */
const binds = ({ limits }: GpuHost, design: ProgramDesign): boolean =>
  shadersOf(design).every(({ resources }) => resources.length <= limits.maxStorageBuffersPerShaderStage)

/** The same sums by Verlet lists; undefined if the loop has none, if the parameters or the device allow none, or if there is no memory for them. */
async function byLists(
  host: GpuHost,
  memory: Memory,
  { lasting }: CompiledProgram,
  bindings: Bindings,
  carried: Stage['carried'],
): Promise<StageLoop | undefined> {
  if (!(carried instanceof HeldArray))
    throw new TypeError('"carried" expected a buffer of this device, got one of another device')
  const { parameters } = bindings
  const { count } = bindings.targets
  const program = await lasting?.()
  if (program?.design.driver !== 'verlet' || !binds(host, program.design)) return undefined
  const { reach, slices } = program.design
  const sizes = listSizes(reach.rule, parameters, count, slices)
  if (!sizes || sizes.bytes > host.limits.maxStorageBufferBindingSize) return undefined
  const numbers = carriedNumbers(count, reach.rule.dimension)
  if (carried.length !== numbers)
    throw new RangeError(`"carried" expected a buffer of length ${numbers}, got ${carried.length}`)
  await program.ready(parameters)
  const { scratch, steps } = program.work({ bindings, options: {}, budget: () => 0 }, [])
  const key = JSON.stringify(
    [...steps].map(({ dispatches }) => dispatches.map(({ shader, values }) => [shader.code, values])),
  )
  carried.lists ??= new ListArrays(host, memory, carried.buffer)
  const lists = await carried.lists.of(host, scratch, key)
  return (
    lists && {
      variant: program.design.variant,
      steps: (run, results) => {
        run.buffers.set('carried', carried.buffer)
        return program.steps({ ...run, scratch: lists.arrays, owner: lists.owner }, results)
      },
    }
  )
}
