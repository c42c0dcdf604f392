/**
 * Programs that users prepare before there is data. Their runs are calls like any other, for points of the shape that was prepared. The
 * engine loads this file with the first such program.
 *
 * @module
 */
import type { Plan } from '../../contract/backend.ts'
import type { Precision } from '../../ground/precision.ts'
import type { Bound } from '../../problem/workloads/bind.ts'
import type { Attributes, TermParticles } from '../../problem/workloads/particles.ts'
import type { Shape, Workload } from '../../problem/workloads/workload.ts'
import type { CurrentDevice } from '../devices/current-device.ts'
import type { EngineRunOptions, PreparedMap, PreparedProgram, PreparedTerm, RunResult } from '../run-types.ts'
import { type PreparedShape, shapeOf } from '../shape.ts'
import type { EngineCalls } from './engine-calls.ts'

/** A workload, also as the caller gave it, and copies of the other arguments. */
interface ToPrepare<Name extends string> {
  readonly given: Workload<Name>
  readonly workload: Workload<Name>
  readonly shape: PreparedShape | undefined
  readonly plan: Plan | undefined
}

/** Checks the arguments of a run and runs it (`check-options.ts`). */
export type Requested<Name extends string> = <Result>(
  particles: Attributes | TermParticles,
  options: EngineRunOptions<Name>,
  run: (bound: Bound, options: EngineRunOptions<Name>) => Promise<Result>,
  wanted: Shape,
) => Promise<Result>

/** A program with all interfaces that users see. */
type Prepared<Name extends string, P extends Precision> = PreparedProgram<Name, P> &
  PreparedMap<Name, P> &
  PreparedTerm<Name, P>

/** @throws TypeError, RangeError for a shape that does not fit the workload */
export async function preparedCall<Name extends string, P extends Precision>(
  { given, workload, shape, plan }: ToPrepare<Name>,
  current: CurrentDevice,
  calls: EngineCalls<P>,
  request: Requested<Name>,
): Promise<Prepared<Name, P>> {
  const wanted = shapeOf(workload, shape)
  const prepared = await calls.prepare(workload, wanted, plan)
  let disposed = false
  return {
    run: async (particles: Attributes | TermParticles, options: EngineRunOptions<Name> = {}) => {
      if (disposed) throw new Error('Cannot run: the program was disposed; prepare it again')
      const again = plan ? undefined : calls.repeat(given, particles, options, wanted.targets)
      if (again !== undefined) return again
      const call = { start: performance.now(), given }
      const run = async (bound: Bound, checked: typeof options): Promise<RunResult<Name, P>> => {
        const [got, expected] = [bound.shape, wanted].map(counts)
        if (got !== expected) throw new RangeError(`"particles" expected ${expected}, as prepared, got ${got}`)
        return calls.run(bound, plan ? { ...checked, plan } : checked, call)
      }
      return request(particles, options, run, wanted)
    },
    dispose: () => {
      disposed = true
      current.forget(prepared)
    },
  }
}

/** The numbers of a shape that a prepared program keeps. */
function counts({ targets, sources, dimension, lengths }: Shape): string {
  const vectors = Object.entries(lengths ?? {}).map(([name, length]) => `, ${length} components of ${name}`)
  return `${targets} targets and ${sources} sources in ${dimension}-D${vectors.sort().join('')}`
}
