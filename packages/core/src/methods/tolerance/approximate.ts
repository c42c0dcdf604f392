/**
 * Runs a sum with a tolerance on a device that has a tree. It finds the setting for the points, measures the error of each run, and repeats
 * a run that exceeds the tolerance. Without a tree, or where none is faster, it runs all pairs.
 *
 * @module
 */

import type {
  Bindings,
  Device,
  Program,
  Range,
  Report,
  RunOptions,
  TreeRuns,
  TreeSetting,
} from '../../contract/backend.ts'
import type { FloatArray } from '../../ground/checks.ts'
import { Remembered, resultArrays, withoutMethod } from '../../problem/loaded-at-once.ts'
import type { Tree } from '../../problem/reductions/tree.ts'
import type { TreeFacts } from '../../problem/workloads/tree-facts.ts'
import type { ArrayResults, PairWorkload, Shape, Workload } from '../../problem/workloads/workload.ts'
import { lengthOf, reportAfter, runRanges } from '../loaded-at-once.ts'
import { checkedMethod } from './checked-method.ts'
import { type Attempt, findSetting, type KnownSettings, noSetting, type Tried } from './find-setting.ts'
import { ladder, nameOf, rungsOf } from './ladder.ts'
import { type Sampled, sampled } from './sampled.ts'
import { errorOf, judged, reported, type TargetErrors, unmeasured } from './target-errors.ts'

/** The programs of a device. */
export interface DevicePrograms {
  readonly device?: Pick<Device, 'gridSum' | 'gridPrecision'> &
    Partial<Pick<Device, 'buffer' | 'prepare' | 'gridSequence' | 'takesGridStage'>>
  using<T>(workload: PairWorkload, shape: Shape, plan: undefined, work: (program: Program) => Promise<T>): Promise<T>
  /** Whether runs must depend on their points and the setting alone, because they continue others bit for bit. */
  readonly rare?: boolean
}

/** A workload that may be approximated. */
export type Approximable = PairWorkload & { readonly method: Tree }

/** How a workload is approximated. */
export interface Approximation<Meeting extends Program = Program> {
  /** The same workload without its method, as devices get it. */
  readonly workload: Workload
  /** Makes the program of that workload one that meets the tolerance. */
  of(program: Program, shape: Shape, programs: DevicePrograms): Meeting
}

/** A setting that meets a tolerance. */
export interface FoundSetting extends TreeSetting {
  /** The error when it was last accepted. */
  readonly error: number
}

/** A program that meets a tolerance. */
export interface ApproximatedProgram extends Program {
  /** The setting of the latest run; undefined if no tree ran. */
  readonly setting: FoundSetting | undefined
  /** The sources that a loop without a tree must meet: none if every term is 0, otherwise all. */
  readonly sources: Range | undefined
  /** Starts from a setting that was found before, or from all pairs. */
  startFrom(setting: FoundSetting | undefined): void
}

/** The least tolerance in float32, because sums over all pairs are not more exact. */
const leastSingle = 1e-6

const noSources: Range = [0, 0]

const exact = new Remembered<PairWorkload, PairWorkload>()
/** The settings that were found on each device. They depend on the device, because its trees may be faster than others. */
const found = new Remembered<DevicePrograms, KnownSettings>()

/** @throws TypeError, RangeError for a wrong method */
export function approximationOf(workload: Approximable, facts: TreeFacts): Approximation<ApproximatedProgram> {
  const method = checkedMethod(workload.method, 'a tree')
  const without = exact.of(workload, () => withoutMethod(workload))
  return {
    workload: without,
    of: (program, shape, programs) => {
      const known = found.of(programs, () => new Map())
      return new Approximating(program, programs, method, without, facts, shape, known)
    },
  }
}

/** The results of a run of a tree. */
interface Outcome extends Tried, TargetErrors {
  readonly results: ArrayResults
  readonly report: Report
}

/** The sums of some targets over all pairs. */
interface Truth {
  readonly sample: Sampled
  readonly sums: ArrayResults
}

/** The program of the exact workload, as one that meets a tolerance. */
class Approximating implements ApproximatedProgram {
  readonly sources: Range | undefined
  #report: Report

  /** @param known the settings found on one device */
  constructor(
    readonly program: Program,
    readonly programs: DevicePrograms,
    readonly method: Tree,
    readonly workload: PairWorkload,
    readonly facts: TreeFacts,
    readonly shape: Shape,
    readonly known: KnownSettings,
  ) {
    this.#report = program.report
    this.sources = facts.weights.length === 0 ? noSources : undefined
    const { tolerance } = method
    if (program.report.precision === 'f32' && tolerance < leastSingle)
      throw new RangeError(
        `"tolerance" expected at least ${leastSingle} in float32, got ${tolerance}; use precision "f64"`,
      )
  }

  get report(): Report {
    return this.#report
  }

  get setting(): FoundSetting | undefined {
    const known = this.known.get(this.#key)
    if (known?.rung === undefined) return undefined
    const { proxies, opening } = ladder[known.rung] as TreeSetting
    return { proxies, opening, error: known.error }
  }

  startFrom(setting: FoundSetting | undefined): void {
    const rung = ladder.findIndex((known) => setting && nameOf(known) === nameOf(setting))
    if (!setting) this.known.set(this.#key, noSetting(0))
    else if (rung >= 0) this.known.set(this.#key, { rung, error: setting.error })
  }

  async run(bindings: Bindings, options: RunOptions = {}): Promise<ArrayResults> {
    const { program } = this
    const { sources, targets } = this.shape
    if (this.sources) return this.#zeros(bindings, options, this.sources)
    if (!this.facts.measured)
      return this.#allPairs(bindings, options, 'the expressions of the law are too long for a tree')
    if (sources === 0 || targets === 0) return this.#allPairs(bindings, options, 'there are no pairs')
    const tree = await program.tree?.()
    if (!tree) return this.#allPairs(bindings, options, `${program.report.backend} has no tree for ${this.#without}`)
    const start = performance.now()
    const truths = new Map<number, Promise<Truth>>()
    const meeting = findSetting<Outcome>(this.known, this.#key, this.method.tolerance, {
      rungs: rungsOf(tree),
      rare: this.programs.rare,
      of: this.method.of,
    })
    let step = meeting.next()
    let latest: Outcome | undefined
    while (!step.done) {
      latest = await this.#attempt(tree, step.value, bindings, options, truths, latest)
      step = meeting.next(latest)
    }
    const { outcome, notes } = step.value
    if (!outcome) return this.#allPairs(bindings, options, notes)
    const elapsed = performance.now() - start
    const { timings, interactions, evaluated, variant } = outcome.report
    const compute = elapsed - timings.upload - timings.readback
    this.#report = {
      ...reportAfter(outcome.report, interactions, { ...timings, compute }, evaluated),
      variant: `tree (${nameOf(outcome.setting)}), ${variant}`,
      error: reported(outcome, this.method, notes),
    }
    return outcome.results
  }

  dispose(): void {}

  /**
   * @param truths of this run, by the number of targets
   * @param latest the attempt before. Its results are judged again if the setting is the same
   */
  async #attempt(
    tree: TreeRuns,
    { setting, judges }: Attempt,
    bindings: Bindings,
    options: RunOptions,
    truths: Map<number, Promise<Truth>>,
    latest: Outcome | undefined,
  ): Promise<Outcome> {
    const { workload, shape, program } = this
    const again = latest?.setting === setting
    // An attempt that failed leaves its arrays to the next one. The first attempt has the caller's arrays.
    const { tolerance, of } = this.method
    const failed = latest && !(latest.error <= tolerance)
    const into = failed ? latest.results : latest ? undefined : options.into
    const results = again ? latest.results : await tree.run(bindings, setting, { ...options, into })
    const report = again ? latest.report : program.report
    const dear = report.evaluated >= tree.share * shape.targets * shape.sources
    const attempt = { setting, results, report, dear, pairs: report.evaluated }
    if (dear) return { ...attempt, error: Number.POSITIVE_INFINITY, ...unmeasured(Number.POSITIVE_INFINITY) }
    const truth = truths.get(judges) ?? this.#truth(tree, bindings, judges, options)
    truths.set(judges, truth)
    const { sample, sums } = await truth
    const [name] = resultArrays(workload, shape, report.precision).keys()
    const errors = judged(results[name as string] as FloatArray, sums, sample)
    return { ...attempt, error: errorOf(errors, of), ...errors }
  }

  async #truth(
    { measuredSources: most = this.shape.sources }: TreeRuns,
    bindings: Bindings,
    judges: number,
    { signal }: RunOptions,
  ): Promise<Truth> {
    const sample = sampled(this.facts, this.shape, bindings, judges)
    const { shape } = sample
    const sums: FloatArray[] = []
    // Without this workload, no tree runs.
    await this.programs.using(this.facts.measured as PairWorkload, shape, undefined, async (all) => {
      for (let first = 0; first < shape.sources; first += most) {
        const part = { sources: [first, Math.min(first + most, shape.sources)] } as const
        const { value } = await all.run(sample.bindings, { signal, ...(most < shape.sources && part) })
        sums.push(value as FloatArray)
      }
    })
    const value = Float64Array.from(sums[0] as FloatArray, (_, n) =>
      sums.reduce((sum, part) => sum + (part[n] as number), 0),
    )
    return { sample, sums: { value } }
  }

  async #allPairs(bindings: Bindings, options: RunOptions, note: string): Promise<ArrayResults> {
    const results = await this.program.run(bindings, options)
    this.#exact(this.program.report, `all pairs: ${note}`)
    return results
  }

  /** The sums of terms that are all 0. */
  async #zeros(bindings: Bindings, options: RunOptions, sources: Range): Promise<ArrayResults> {
    const results = await this.program.run(bindings, { ...options, sources })
    const ranges = runRanges(this.workload, this.shape, options)
    const { report } = this.program
    const pairs = lengthOf(ranges.targets) * lengthOf(ranges.sources)
    this.#exact(reportAfter(report, pairs, report.timings, 0), 'no pairs: every term is 0')
    return results
  }

  #exact(report: Report, note: string): void {
    this.#report = { ...report, error: reported(unmeasured(0), this.method, note) }
  }

  /** Why a device that approximates other sums has no tree for this one. */
  get #without(): string {
    if (this.shape.split)
      return 'coordinates of two float32 each, which points far from each other need; use precision "f64"'
    return 'this workload'
  }

  /** The key of a setting: the structure of the workload, the tolerance, and sizes, which count in powers of two. */
  get #key(): string {
    const { workload, shape, method } = this
    const { law, quantity } = workload
    const { targets, sources, dimension, sameSet } = shape
    const sizes = [targets, sources].map((n) => Math.round(Math.log2(n)))
    return JSON.stringify([
      law.expressions,
      quantity,
      dimension,
      sameSet,
      ...sizes,
      method.tolerance,
      method.of ?? 'terms',
    ])
  }
}
