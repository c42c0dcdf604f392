/**
 * Runs a sum with a tolerance on a device that has a tree: finds the setting for the points, measures the error of each run, and
 * repeats a run that exceeds the tolerance. Without a tree, or where none is faster, it runs all pairs.
 *
 * @module
 */
import type { Bindings, MeasuredError, Program, Report, RunOptions, TreeRuns, TreeSetting } from '../backend.ts'
import { type FloatArray, finite, oneOf, onlyNamed } from '../checks.ts'
import type { Tree } from '../reductions/tree.ts'
import { Remembered } from '../remember.ts'
import { reportAfter } from '../report.ts'
import { resultArrays } from '../workloads/bodies/result-arrays.ts'
import type { ArrayResults, PairWorkload, Shape, Workload } from '../workloads/workload.ts'
import { climb, ladder, nameOf, rungsOf, type Tried } from './ladder.ts'
import { errorsOf, sampled } from './sampled.ts'
import { sourceWeights } from './source-weights.ts'

/** The programs of a device. */
interface DevicePrograms {
  using<T>(workload: PairWorkload, shape: Shape, plan: undefined, work: (program: Program) => Promise<T>): Promise<T>
}

/** A workload that may be approximated. */
export type Approximable = PairWorkload & { readonly method: Tree }

/** How a workload is approximated. */
export interface Approximation {
  /** The same workload without its method, as devices get it. */
  readonly workload: Workload
  /** Makes the program of that workload one that meets the tolerance. */
  of(program: Program, shape: Shape, programs: DevicePrograms): Program
}

/** How many targets a setting is chosen by, and how many judge each run. */
const [chosenBy, judgedBy] = [256, 64]

/** The least tolerance in float32, whose sums over all pairs are not more exact. */
const leastSingle = 1e-6

const exact = new Remembered<PairWorkload, PairWorkload>()
/** The settings that were found on each device. They depend on the device, because its trees may be faster than others. */
const found = new Remembered<DevicePrograms, Map<string, number | undefined>>()

/** @throws TypeError with the part of the law that a tree cannot approximate */
export function approximationOf(workload: Approximable, { dimension }: Shape): Approximation {
  const { law } = workload
  const method = checked(workload.method)
  const separated = sourceWeights(workload, dimension)
  if (!separated.ok) throw new TypeError(`"method" does not suit ${law.name}: ${separated.reason}`)
  const without = exact.of(workload, () => {
    const { method: _, ...rest } = workload
    return Object.freeze(rest)
  })
  return {
    workload: without,
    of: (program, shape, programs) =>
      new Approximating(
        program,
        programs,
        method,
        without,
        shape,
        found.of(programs, () => new Map()),
      ),
  }
}

/** @throws TypeError, RangeError */
function checked(method: Tree): Tree {
  const { kind, tolerance } = onlyNamed(method, 'option of a tree', ['kind', 'tolerance'])
  oneOf(kind, 'method.kind', ['tree'])
  if (!(finite(tolerance, 'tolerance', Number.MIN_VALUE) < 1))
    throw new RangeError(`"tolerance" expected less than 1, got ${tolerance}`)
  return method
}

/** What a run of a tree gave. */
interface Outcome extends Tried, Pick<MeasuredError, 'largest' | 'rms' | 'targets'> {
  readonly rung: number
  readonly setting: TreeSetting
  readonly results: ArrayResults
  readonly report: Report
}

interface Met {
  readonly outcome?: Outcome | undefined
  /** What a user should know about how it was met, or why it was not. */
  readonly notes: string
}

/** The program of the exact workload, as one that meets a tolerance. */
class Approximating implements Program {
  #report: Report

  /** @param known the rung for each key, of one device; none if all pairs are faster */
  constructor(
    readonly program: Program,
    readonly programs: DevicePrograms,
    readonly method: Tree,
    readonly workload: PairWorkload,
    readonly shape: Shape,
    readonly known: Map<string, number | undefined>,
  ) {
    this.#report = program.report
    const { tolerance } = method
    if (program.report.precision === 'f32' && tolerance < leastSingle)
      throw new RangeError(
        `"tolerance" expected at least ${leastSingle} in float32, got ${tolerance}; use precision "f64"`,
      )
  }

  get report(): Report {
    return this.#report
  }

  async run(bindings: Bindings, options: RunOptions = {}): Promise<ArrayResults> {
    const { program } = this
    const { sources, targets } = this.shape
    if (!program.tree)
      return this.#allPairs(bindings, options, `${program.report.backend} has no tree for this workload`)
    if (sources === 0 || targets === 0) return this.#allPairs(bindings, options, 'there are no pairs')
    const { tree } = program
    const start = performance.now()
    const { outcome, notes } = await this.#meet(rungsOf(tree), (rung, judges) =>
      this.#attempt(tree, rung, bindings, options, judges),
    )
    if (!outcome) return this.#allPairs(bindings, options, notes)
    const { tolerance } = this.method
    const elapsed = performance.now() - start
    const { largest, rms, targets: measured } = outcome
    const { timings, interactions, evaluated, variant } = outcome.report
    const compute = elapsed - timings.upload - timings.readback
    this.#report = {
      ...reportAfter(outcome.report, interactions, { ...timings, compute }, evaluated),
      variant: `tree (${nameOf(outcome.setting)}), ${variant}`,
      error: { largest, rms, targets: measured, tolerance, ok: true, ...(notes && { note: notes }) },
    }
    return outcome.results
  }

  dispose(): void {}

  /** The first setting that meets the tolerance, from the known one on; none if all pairs are faster. */
  async #meet(rungs: number, attempt: (rung: number, judges: number) => Promise<Outcome>): Promise<Met> {
    const { known, method } = this
    const key = this.#key
    const notes: string[] = []
    if (!known.has(key)) {
      const outcome = await climb(method.tolerance, rungs, (rung) => attempt(rung, chosenBy))
      known.set(key, outcome?.rung)
      if (outcome) return { outcome, notes: '' }
    }
    for (let rung = known.get(key); rung !== undefined && rung < rungs; rung++) {
      const outcome = await attempt(rung, judgedBy)
      if (outcome.dear) break
      known.set(key, rung)
      if (outcome.largest <= method.tolerance) return { outcome, notes: notes.join('; ') }
      notes.push(`repeated, because ${nameOf(outcome.setting)} had an error of ${outcome.largest.toPrecision(2)}`)
    }
    known.set(key, undefined)
    return { notes: [...notes, 'no setting that meets the tolerance is faster than all pairs'].join('; ') }
  }

  async #attempt(
    tree: TreeRuns,
    rung: number,
    bindings: Bindings,
    options: RunOptions,
    judges: number,
  ): Promise<Outcome> {
    const { workload, shape, program } = this
    const setting = ladder[rung] as TreeSetting
    const results = await tree.run(bindings, setting, options)
    const { report } = program
    const sample = sampled(workload, shape, bindings, judges)
    const { signal } = options
    const truth = await this.programs.using(sample.workload, sample.shape, undefined, (all) =>
      all.run(sample.bindings, { signal }),
    )
    const [name] = resultArrays(workload, shape, report.precision).keys()
    const sums = results[name as string] as FloatArray
    const dear = report.evaluated >= tree.share * shape.targets * shape.sources
    return { rung, setting, results, report, dear, ...normsOf(errorsOf(sums, truth, sample.targets)) }
  }

  async #allPairs(bindings: Bindings, options: RunOptions, note: string): Promise<ArrayResults> {
    const results = await this.program.run(bindings, options)
    const { tolerance } = this.method
    this.#report = {
      ...this.program.report,
      error: { largest: 0, rms: 0, targets: 0, tolerance, ok: true, note: `all pairs: ${note}` },
    }
    return results
  }

  /** What a setting depends on: the structure of the workload, the tolerance, and sizes, which count in powers of two. */
  get #key(): string {
    const { workload, shape, method } = this
    const { law, quantity } = workload
    const { targets, sources, dimension, sameSet } = shape
    const sizes = [targets, sources].map((n) => Math.round(Math.log2(n)))
    return JSON.stringify([law.expressions, quantity, dimension, sameSet, ...sizes, method.tolerance])
  }
}

/** The error of a run, from those of its sampled targets. */
function normsOf(errors: Float64Array): Pick<MeasuredError, 'largest' | 'rms' | 'targets'> {
  let [largest, squares] = [0, 0]
  for (const error of errors) {
    largest = Math.max(largest, error)
    squares += error * error
  }
  return { largest, rms: Math.sqrt(squares / errors.length), targets: errors.length }
}
