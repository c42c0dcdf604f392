/**
 * A call that has ended, and the calls that repeat it. They have its program and its shape, so only their numbers and parameters are
 * copied and checked. All other calls are made from the start, and so is one with wrong numbers.
 *
 * Without arrays for results, a device begins before the check, from the caller's arrays, and computes meanwhile. Both see the same
 * numbers, because both have copies before the caller can write into its arrays again. If a check fails, nobody sees the results.
 *
 * @module
 */
import type { Bindings, Program } from '../../contract/backend.ts'
import { type FloatArray, hasNames } from '../../ground/checks.ts'
import type { Precision } from '../../ground/precision.ts'
import { isTilted } from '../../problem/workloads/domain.ts'
import {
  bindAgain,
  type NumberRules,
  numberRules,
  type OwnBound,
  type PairBound,
  spared,
} from '../../problem/workloads/numbers/bind-again.ts'
import { requireFloat32 } from '../../problem/workloads/numbers/number-range.ts'
import { parametersOf, sameParameters } from '../../problem/workloads/parameters.ts'
import { asNumbers } from '../../problem/workloads/vector-parameters.ts'
import type { ArrayResults, Shape, Workload } from '../../problem/workloads/workload.ts'
import type { Crossover, Times } from '../devices/crossover.ts'
import type { Kept, Programs } from '../programs.ts'
import type { Executed } from '../results/executed.ts'
import { arraysFor, fittingInto, giveInto, holdInto, placed } from '../results/into.ts'
import type { EngineRunOptions, RunResult } from '../run-types.ts'
import { CallReports, callTimings } from './call-reports.ts'
import { completed } from './execute.ts'

/** A call as it ended. */
export interface Ended {
  /** As the device got it. */
  readonly bound: PairBound
  /** As the caller gave them. */
  readonly parameters: EngineRunOptions['parameters']
  readonly programs: Programs
  readonly kept: Kept
  /** Why candidates before this one could not run it. */
  readonly notes: readonly string[]
  /** Chooses the device, if there is a choice. */
  readonly crossover: Crossover | undefined
}

/** Runs a call from the start, without the programs that failed. */
export type Rerun = (
  bound: PairBound,
  options: EngineRunOptions,
  failure: { readonly start: number; readonly programs: Programs; readonly error: unknown },
) => Promise<Result>

type Arrays = Readonly<Record<string, FloatArray>>
type Results = ArrayResults | Promise<ArrayResults>
type Into = ArrayResults | undefined
type Result = RunResult<string, Precision>

/** Whether calls can be repeated so: loops over pairs of one set, with results of known lengths. */
export function isRepeatable(given: Workload, workload: Workload, shape: Shape): workload is PairBound['workload'] {
  // Data may change between two calls. A workload that a constructor here made cannot change, and binding returns the same object.
  if (given !== workload || workload.loop !== 'pair' || workload.method) return false
  // Other numbers may reach farther.
  if (typeof workload.domain.cutoff?.distance === 'string') return false
  if (workload.reduction === 'none' || workload.reduction === 'list' || isTilted(workload.domain.boundary)) return false
  return shape.sameSet && shape.targets > 0 && !(shape.scaled || shape.split || shape.ranged || shape.lengths)
}

/** The rest of a call that waits. */
interface Waiting {
  readonly options: EngineRunOptions
  readonly start: number
  /** Milliseconds of checks while no device computed. */
  readonly checks: number
}

export class CallBefore {
  readonly #ended: Ended
  readonly #rerun: Rerun
  readonly #reports: CallReports
  readonly #precision: Precision
  readonly #rules: NumberRules
  /** The constructors and the lengths of the caller's arrays. */
  readonly #types: Readonly<Record<string, unknown>>
  readonly #lengths: Readonly<Record<string, number>>
  readonly #count: number
  readonly #times: Times | undefined
  /** The latest parameters, as the caller gave them, and all that the device gets. They seldom change. */
  #parameters: { readonly given: EngineRunOptions['parameters']; readonly all: Bindings['parameters'] }
  /** An earlier call that has ended. The next one takes its objects. */
  #spare: OwnBound | undefined
  /** The arrays for results, once a caller has given some. */
  #results: ReturnType<typeof arraysFor> | undefined

  /** @param rerun runs a call that fails */
  constructor(ended: Ended, rerun: Rerun) {
    const { workload, shape, bindings } = ended.bound
    const arrays = Object.entries(bindings.targets.arrays as Arrays)
    this.#types = Object.fromEntries(arrays.map(([name, array]) => [name, array.constructor]))
    this.#lengths = Object.fromEntries(arrays.map(([name, { length }]) => [name, length]))
    this.#count = arrays.length
    const set = { count: shape.targets, arrays: {} }
    this.#ended = { ...ended, bound: { workload, shape, bindings: { ...bindings, targets: set, sources: set } } }
    this.#rerun = rerun
    this.#reports = new CallReports(ended.notes)
    this.#parameters = { given: ended.parameters, all: bindings.parameters }
    this.#precision = ended.programs.device.info.precision
    this.#rules = numberRules(workload, shape, this.#precision)
    this.#times = ended.crossover?.timesOf(workload, shape)
  }

  /** Repeats the call; undefined if it differs in more than its numbers, or they are wrong. It never throws. */
  again(particles: unknown, options: EngineRunOptions, start: number): Promise<Result> | undefined {
    const { kept, programs, crossover } = this.#ended
    const program = kept.left ? undefined : kept.ready
    if (!program || (this.#times && !crossover?.answers(this.#times, programs))) return undefined
    let into: Into
    let early: Results | undefined
    kept.begin()
    try {
      const given = isPlain(options) ? this.#arraysIn(particles) : undefined
      if (given && options.into) into = heldInto(options.into, this.#expected)
      const parameters = this.#parametersOf(options.parameters)
      if (given && !into) early = program.again?.(this.#given(given, parameters))
      const from = into ? start : performance.now()
      const bound = given && this.#bound(given, parameters)
      if (bound) {
        const checks = early instanceof Promise ? 0 : performance.now() - from
        const results = early ?? begunWith(program, bound.bindings, into)
        const done =
          results instanceof Promise
            ? this.#completed(results, bound, program)
            : completed(results, bound, program.report)
        if (done instanceof Promise) return this.#later(done, bound, into, { options, start, checks })
        return Promise.resolve(this.#end(done.results, done.report, bound, into, start, checks))
      }
    } catch {
      // The call from the start says what is wrong.
    }
    if (early instanceof Promise) early.catch(() => {})
    this.#release(into)
    return undefined
  }

  /** The call with copies of its numbers. */
  #bound(given: Arrays, parameters: Bindings['parameters']): OwnBound | undefined {
    const spare = this.#spare
    this.#spare = undefined
    return bindAgain(this.#ended.bound, given, parameters, this.#rules, spare)
  }

  async #completed(results: Promise<ArrayResults>, bound: OwnBound, program: Program): Promise<Executed> {
    return completed(await results, bound, program.report)
  }

  async #later(
    done: Promise<Executed>,
    bound: OwnBound,
    into: Into,
    { options, start, checks }: Waiting,
  ): Promise<Result> {
    try {
      const { results, report } = await done
      return this.#end(results, report, bound, into, start, checks)
    } catch (error) {
      this.#ended.kept.end()
      return this.#rerunHeld(bound, into, options, { start, programs: this.#ended.programs, error })
    }
  }

  /** Runs a call that failed again, while its arrays stay held. Its program is let go of already. */
  async #rerunHeld(
    bound: OwnBound,
    into: Into,
    options: EngineRunOptions,
    failed: Parameters<Rerun>[2],
  ): Promise<Result> {
    try {
      return await this.#rerun(bound, into ? ({ ...options, into } as EngineRunOptions) : options, failed)
    } finally {
      if (into) giveInto(into)
    }
  }

  /**
   * Ends a call that has its results. Nobody uses its copies any more. If it throws, all is still to be released.
   *
   * @param start when it began, and milliseconds of checks while no device computed
   */
  #end(
    all: Executed['results'],
    report: Executed['report'],
    bound: OwnBound,
    into: Into,
    start: number,
    checks: number,
  ): Result {
    const results = into ? placed(all, into) : all
    const timings = callTimings(report.timings, { start, checks, preparing: 0 })
    const whole = this.#reports.of(this.#told(report, start), timings)
    this.#spare = spared(bound)
    this.#release(into)
    return { report: whole, ...results } as Result
  }

  #release(into: Into): void {
    if (into) giveInto(into)
    this.#ended.kept.end()
  }

  /** The report, with the reason if another device than the engine's has computed. */
  #told(report: Executed['report'], start: number): Executed['report'] {
    const { programs, crossover, bound } = this.#ended
    if (!this.#times || !crossover) return report
    return { ...crossover.took(bound.workload, bound.shape, this.#times, programs, start), ...report }
  }

  /** The bindings of a call with the caller's own arrays. */
  #given(arrays: Arrays, parameters: Bindings['parameters']): Bindings {
    const { shape, bindings } = this.#ended.bound
    const set = { count: shape.targets, arrays }
    return { ...bindings, targets: set, sources: set, parameters }
  }

  get #expected(): ReturnType<typeof arraysFor> {
    this.#results ??= arraysFor(this.#ended.bound, this.#precision)
    return this.#results
  }

  /** All parameters of a call. @throws TypeError, RangeError for wrong ones */
  #parametersOf(given: EngineRunOptions['parameters']): Bindings['parameters'] {
    if (!isSame(this.#parameters.given, given)) {
      const { workload, shape } = this.#ended.bound
      const all = parametersOf(workload, asNumbers(given))
      if (this.#precision === 'f32') requireFloat32(workload, shape, all)
      this.#parameters = { given: given && { ...given }, all }
    }
    return this.#parameters.all
  }

  /** The caller's arrays, if they have the names, types and lengths of the call before. */
  #arraysIn(particles: unknown): Arrays | undefined {
    if (!hasNames(particles)) return undefined
    const given = particles as Readonly<Record<string, unknown>>
    const { dimension } = this.#ended.bound.shape
    let count = 0
    for (const name in given) {
      const array = given[name]
      if (name === 'dimension') {
        if (array !== dimension) return undefined
        continue
      }
      const typed = array instanceof Float32Array || array instanceof Float64Array
      if (!typed || array.constructor !== this.#types[name] || array.length !== this.#lengths[name]) return undefined
      count++
    }
    if (count !== this.#count) return undefined
    if (!Object.hasOwn(given, 'dimension')) return dimension === 3 ? (given as Arrays) : undefined
    const { dimension: _, ...arrays } = given
    return arrays as Arrays
  }
}

/** The caller's arrays for results, checked and held. @throws TypeError, RangeError */
function heldInto(given: object, expected: ReturnType<typeof arraysFor>): ArrayResults {
  const into = fittingInto(given, expected)
  holdInto(into)
  return into
}

/** Whether options leave all as it was but the parameters and the arrays for results. */
function isPlain(options: EngineRunOptions): boolean {
  if (!hasNames(options)) return false
  for (const name in options) if (name !== 'into' && name !== 'parameters') return false
  return true
}

const isSame = (before: EngineRunOptions['parameters'], now: EngineRunOptions['parameters']): boolean =>
  before === undefined || now === undefined ? before === now : hasNames(now) && sameParameters(before, now)

/** Runs over checked numbers, within the call if the device can. */
function begunWith(program: Program, bindings: Bindings, into: ArrayResults | undefined): Results {
  const options = into && { into }
  return program.again?.(bindings, options) ?? program.run(bindings, options)
}
