/**
 * Calls of an engine, from the user's arguments to results with a report. A call like the one before starts at once. Its numbers are
 * checked, a device runs its program, and its times are added up. The engine has the public methods.
 *
 * @module
 */

import type { Plan, Program } from '../../contract/backend.ts'
import { giveBack } from '../../ground/arrays/kept-copies.ts'
import { hasNames } from '../../ground/checks.ts'
import type { Precision } from '../../ground/precision.ts'
import type { Meshed } from '../../methods/mesh/mesh-program.ts'
import type { Approximable, Approximation } from '../../methods/tolerance/approximate.ts'
import type { Bound } from '../../problem/workloads/bind.ts'
import { compiledTree } from '../../problem/workloads/compiled.ts'
import { copiesIn } from '../../problem/workloads/domain.ts'
import type { PairBound } from '../../problem/workloads/numbers/bind-again.ts'
import { deviceNumbers } from '../../problem/workloads/numbers/device-numbers.ts'
import type { PairWorkload, Shape, Workload } from '../../problem/workloads/workload.ts'
import type { CurrentDevice } from '../devices/current-device.ts'
import type { Programs } from '../programs.ts'
import { runInto } from '../results/into.ts'
import type { EngineRunOptions, RunResult } from '../run-types.ts'
import { callTimings } from './call-timings.ts'
import { type EarlyRun, EarlyRuns } from './early.ts'
import { type Executed, execute, type RunInput } from './execute.ts'

/** A call as it began. */
interface Call {
  readonly start: number
  readonly given: Workload
  /** Whether it has no options, which may change the numbers of a run. Only such calls start early when they are repeated. */
  readonly plain: boolean
  readonly early: EarlyRun | undefined
}

/** Whether sources act through several images, because the box is smaller than two cutoffs. */
export const needsImages = (workload: Workload): workload is PairWorkload =>
  workload.loop === 'pair' && copiesIn(workload.domain) !== undefined

/** The workload as devices get it, and the maker of a program that meets its tolerance. @throws TypeError if its law allows none */
export const approximationOf = (workload: Workload, shape: Shape): Approximation | Promise<Approximation> =>
  (workload as PairWorkload).method
    ? approximated(workload as Approximable | Meshed, shape)
    : { workload, of: (program) => program }

async function approximated(workload: Approximable | Meshed, shape: Shape): Promise<Approximation> {
  if (isMeshed(workload)) return (await import('../../methods/mesh/mesh-program.ts')).meshOf(workload, shape)
  const [{ approximationOf }, facts] = await Promise.all([
    import('../../methods/tolerance/approximate.ts'),
    compiledTree(workload) ??
      import('../../methods/tolerance/derive-tree-facts.ts').then((it) => it.deriveTreeFacts(workload, shape)),
  ])
  return approximationOf(workload, facts)
}

const isMeshed = (workload: Approximable | Meshed): workload is Meshed => workload.method.kind === 'mesh'

/** The calls of one engine. `P` is the precision of their results. */
export class EngineCalls<P extends Precision> {
  readonly #current: CurrentDevice
  #early: EarlyRuns | undefined

  constructor(current: CurrentDevice) {
    this.#current = current
  }

  /** Starts a call like the one before, which then computes while the host copies and checks its numbers. */
  begin(given: Workload, particles: object, options: object, plan?: Plan): Call {
    const start = performance.now()
    // Options that are no object with names are refused later. Do not list their names: an array has a name for each of its numbers.
    const plain = !plan && hasNames(options) && Object.keys(options).length === 0
    return { start, given, plain, early: plain ? this.#early?.start(given, particles) : undefined }
  }

  /** @param call given if nobody uses its copies afterwards. After a failure, a device may still read them. */
  run<Name extends string>(wanted: Bound, options: EngineRunOptions<Name>, call?: Call): Promise<RunResult<Name, P>> {
    const { workload } = wanted
    return needsImages(workload) ? this.#withImages({ ...wanted, workload }, options) : this.#run(wanted, options, call)
  }

  async #withImages<Name extends string>(
    wanted: PairBound,
    options: EngineRunOptions<Name>,
  ): Promise<RunResult<Name, P>> {
    const { copiedRun } = await import('../../problem/workloads/copied-cells.ts')
    const { bound, finish } = copiedRun(wanted)
    const results = await this.#run(bound, options)
    finish(results)
    return results
  }

  async #run<Name extends string>(
    wanted: Bound,
    { into, signal, onProgress, plan }: EngineRunOptions<Name>,
    call?: Call,
  ): Promise<RunResult<Name, P>> {
    const { start, early } = call ?? { start: performance.now() }
    const approximation = approximationOf(wanted.workload, wanted.shape)
    // Each wait makes garbage, so calls wait only for promises.
    const { of, ...exact } = approximation instanceof Promise ? await approximation : approximation
    // A call like the one before is bound as the device gets it.
    const { workload, shape, bindings } =
      early?.known.bound.shape === wanted.shape
        ? wanted
        : deviceNumbers({ ...wanted, ...exact }, this.#current.device.info.precision)
    const input: RunInput = { workload, shape, bindings, early, options: { signal, onProgress } }
    const checked = performance.now()
    let preparing = 0
    let ran: Program | undefined
    const on = (programs: Programs): Promise<Executed> => {
      const work = (input: RunInput) => {
        const using = (programs: Programs) =>
          programs.using(workload, shape, plan, (program, milliseconds) => {
            preparing = milliseconds
            ran = program
            return execute(of(program, shape, programs), input, programs.device.info)
          })
        const crossover = plan || programs !== this.#current.programs ? undefined : this.#current.chosen.crossover
        return crossover ? crossover.run(workload, shape, programs, using) : using(programs)
      }
      return into ? runInto(into, input, programs.device.info.precision, work) : work(input)
    }
    const { results, report, recoveries, notes } = await this.#current.running({ workload, shape, plan }, on)
    const { targets, sources } = wanted.bindings
    if (call) giveBack(targets.arrays)
    if (call && sources !== targets) giveBack(sources.arrays)
    if (call?.plain && ran && (ran.again || this.#early)) {
      this.#early ??= new EarlyRuns()
      this.#early.remember(call.given, input, ran)
    }
    const timings = callTimings(report.timings, { start, checked, preparing, early: early !== undefined })
    const differed = notes.length > 0 && { notes: [...(report.notes ?? []), ...notes] }
    return { report: { recoveries, ...report, ...differed, timings }, ...results } as RunResult<Name, P>
  }
}
