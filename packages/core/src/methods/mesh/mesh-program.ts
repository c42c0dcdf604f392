/**
 * Runs a sum through a mesh: the device sums the short parts of near pairs, and a grid the smooth parts of all images. It finds the
 * setting, and measures the error of each run.
 *
 * @module
 */
import type { Bindings, Program, Report, RunOptions } from '../../contract/backend.ts'
import { reportAfter } from '../../contract/fill-report.ts'
import { type FloatArray, finite, oneOf, onlyNamed } from '../../ground/checks.ts'
import { Remembered } from '../../ground/remember.ts'
import { toText } from '../../language/infix.ts'
import type { Expr } from '../../language/nodes.ts'
import type { Mesh } from '../../problem/reductions/mesh.ts'
import { needsGuard } from '../../problem/workloads/bodies/coincident.ts'
import { resultArrays } from '../../problem/workloads/bodies/result-arrays.ts'
import { withoutMethod } from '../../problem/workloads/compiled.ts'
import { requireFloat32 } from '../../problem/workloads/numbers/number-range.ts'
import type { ArrayResults, PairWorkload, Shape } from '../../problem/workloads/workload.ts'
import type { Approximation, DevicePrograms } from '../tolerance/approximate.ts'
import { errorOf, judged, type TargetErrors, unmeasured } from '../tolerance/target-errors.ts'
import { kernelsOf, type MeshKernels } from './kernels.ts'
import { judgesOf } from './measure.ts'
import { meanOf, smoothData, totalOf } from './mesh-data.ts'
import { type MeshPlan, MeshPlans } from './mesh-plan.ts'
import { takeOut } from './near-smooth.ts'
import { firstRung, judgeOf, judgingReach, type MeshSetting, reachFor, settings, type Triple } from './settings.ts'
import { measuredWorkload, type ShortShape, shortNumbers, shortWorkload, takenOutWorkload } from './short-law.ts'
import { type SmoothParts, smoothParts } from './smooth-parts.ts'
import { addSmooth, precisionFor, type SmoothData } from './smooth-sum.ts'

/** A workload whose images are summed through a mesh. */
export type Meshed = PairWorkload & { readonly method: Mesh }

const without = new Remembered<PairWorkload, PairWorkload>()
/** The settings that were found on each device, and the plans of the latest runs. */
const states = new Remembered<DevicePrograms, State>()

/** The latest finding for a workload. */
interface FoundRung {
  readonly rung: number
  /** The largest error when the setting was chosen, or judged again. */
  readonly error: number
}

interface State {
  readonly found: Map<string, FoundRung>
  readonly plans: MeshPlans
}

/** The least tolerances: sums are not more exact. */
const least = { f32: 1e-6, f64: 1e-11 }

/**
 * How many targets measure the error when a setting is chosen, and in each later run. A setting is chosen if its error is at most this
 * share of the tolerance, and kept as long as it is within the tolerance.
 */
const [chosenBy, judgedBy, chosen] = [512, 64, 0.9]

/** @throws TypeError, RangeError for a wrong method, and for laws that a mesh cannot sum */
export function meshOf(workload: Meshed, shape: Pick<Shape, 'dimension'>): Approximation<MeshProgram> {
  const method = checked(workload.method)
  const kernels = kernelsOf(workload, shape)
  const exact = without.of(workload, () => withoutMethod(workload))
  return {
    workload: exact,
    of: (program, wanted, programs) => new MeshProgram(program, programs, method, workload, kernels, wanted),
  }
}

/** @throws TypeError, RangeError */
function checked(method: Mesh): Mesh {
  const { kind, tolerance, of = 'terms' } = onlyNamed(method, 'option of a mesh', ['kind', 'tolerance', 'of'])
  oneOf(kind, 'method.kind', ['mesh'])
  oneOf(of, 'method.of', ['terms', 'result'])
  if (!(finite(tolerance, 'tolerance', Number.MIN_VALUE) < 1))
    throw new RangeError(`"tolerance" expected less than 1, got ${tolerance}`)
  return method
}

/** The sums of a setting. */
interface Sums {
  readonly results: ArrayResults
  readonly report: Report
  readonly plan: MeshPlan
}

/** A setting that meets a tolerance. */
export interface FoundMesh extends MeshSetting {
  /** The error when it was last accepted. */
  readonly error: number
}

/** The short part of a sum by a setting: a workload with a cutoff, and the numbers of its run beside those of the law. */
export interface ShortPart {
  readonly workload: PairWorkload
  readonly numbers: Readonly<Record<string, number>>
}

export class MeshProgram implements Program {
  #report: Report
  /** The rung of the latest run. */
  #rung: number | undefined

  constructor(
    readonly program: Program,
    readonly programs: DevicePrograms,
    readonly method: Mesh,
    readonly workload: PairWorkload,
    readonly kernels: MeshKernels,
    readonly shape: Shape,
  ) {
    this.#report = program.report
    const { precision } = program.report
    const { tolerance } = method
    if (tolerance < least[precision])
      throw new RangeError(
        `"tolerance" expected at least ${least[precision]} in ${precision === 'f32' ? 'float32' : 'float64'}, got ${tolerance}${precision === 'f32' ? '; use precision "f64"' : ''}`,
      )
  }

  get report(): Report {
    return this.#report
  }

  /** The setting of the latest run; undefined if every sum was 0. */
  get setting(): FoundMesh | undefined {
    if (this.#rung === undefined) return undefined
    const { error = Number.POSITIVE_INFINITY } = this.#state.found.get(this.#key) ?? {}
    return { ...(settings[this.#rung] as MeshSetting), error }
  }

  /** Starts from a setting that was found before. */
  startFrom(given: FoundMesh | undefined): void {
    const rung = settings.findIndex(({ band, width }) => band === given?.band && width === given.width)
    if (!given || rung < 0) return
    this.#rung = rung
    if (Number.isFinite(given.error)) this.#state.found.set(this.#key, { rung, error: given.error })
  }

  /** The short part by the latest setting; undefined if there is none. */
  short(bindings: Bindings): ShortPart | undefined {
    const { setting } = this
    return setting && this.#short(setting, this.#planOf(setting, bindings), bindings)
  }

  /** The smooth sums by the latest setting, component by component. @throws RangeError if a sum has no value */
  async smooth(bindings: Bindings, options: Pick<RunOptions, 'signal'>): Promise<Float64Array> {
    const { setting, kernels, shape } = this
    if (!setting) return new Float64Array(shape.targets * kernels.components)
    const data = smoothData(kernels, shape.sameSet, bindings)
    const plan = this.#planOf(setting, bindings)
    this.#requireNeutral(plan, data)
    return this.#smooth(plan, bindings, data, options)
  }

  /** The smooth part by the latest setting, for the stages of a device; undefined if every sum is 0. */
  smoothParts(bindings: Bindings): SmoothParts | undefined {
    const { setting, kernels, workload } = this
    if (!setting) return undefined
    const plan = this.#planOf(setting, bindings)
    const parts = smoothParts(plan, kernels, bindings.parameters, this.#skipsSelf)
    if (!bindings.exclusions) return parts
    const { terms } = setting
    const law = smooths.of(workload, () => takenOutWorkload(workload, kernels, terms), String(terms))
    return {
      ...parts,
      takenOut: { workload: law, numbers: { ...bindings.parameters, ...shortNumbers(workload, plan.splits) } },
    }
  }

  async run(bindings: Bindings, options: RunOptions = {}): Promise<ArrayResults> {
    const { sources, targets } = this.shape
    const start = performance.now()
    const { tolerance, of } = this.method
    if (sources === 0 || targets === 0 || this.kernels.list.length === 0) return this.#empty(bindings, options)
    const data = smoothData(this.kernels, this.shape.sameSet, bindings)
    const { found } = this.#state
    const before = found.get(this.#key)
    const notes: string[] = []
    const isVector = this.kernels.radials.some(({ along }) => along)
    let rung = before?.rung ?? firstRung(chosen * tolerance, isVector)
    for (; ; rung++) {
      const setting = settings[rung] as MeshSetting
      const sums = await this.#sums(setting, bindings, data, options)
      const known = before?.rung === rung ? before : undefined
      const measure = (judges: number) => this.#errors(setting, sums, judges, bindings, data, options)
      let errors = await measure(known && of !== 'result' ? judgedBy : chosenBy)
      // A few targets say that nothing is worse than when the setting was chosen, or more targets judge.
      if (errors.targets < chosenBy && known && errorOf(errors, of) > known.error) errors = await measure(chosenBy)
      const error = errorOf(errors, of)
      const ok = error <= (known ? tolerance : chosen * tolerance)
      if (ok && !(known && error <= known.error)) found.set(this.#key, { rung, error })
      if (ok || rung === settings.length - 1) {
        this.#rung = rung
        const elapsed = performance.now() - start
        return this.#reported({ ...sums, errors }, setting, data, elapsed, notes, error <= tolerance)
      }
      notes.push(`repeated, because window ${setting.width} had an error of ${error.toPrecision(2)}`)
    }
  }

  dispose(): void {}

  async #sums(setting: MeshSetting, bindings: Bindings, data: SmoothData, options: RunOptions): Promise<Sums> {
    const plan = this.#planOf(setting, bindings)
    this.#requireNeutral(plan, data)
    const short = this.#short(setting, plan, bindings)
    // Devices with threads of their own compute the short parts meanwhile.
    const running = this.programs.using(short.workload, this.shape, undefined, async (program) => ({
      results: await program.run(this.#shortBindings(short, bindings), options),
      report: program.report,
    }))
    running.catch(() => {})
    const smooth = await this.#smooth(plan, bindings, data, options)
    const { results, report } = await running
    const sums = this.#numbers(results, report)
    for (let n = 0; n < sums.length; n++) sums[n] = (sums[n] as number) + (smooth[n] as number)
    return { results, report, plan }
  }

  /** The smooth sums of all targets, or of some. */
  async #smooth(
    { splits, grid }: MeshPlan,
    { exclusions }: Bindings,
    data: SmoothData,
    options: Pick<RunOptions, 'signal'>,
    rows?: readonly number[],
  ): Promise<Float64Array> {
    const { kernels, shape } = this
    const sums = new Float64Array((rows?.length ?? shape.targets) * kernels.components)
    await addSmooth(grid, kernels, data, sums, this.programs.device ?? {}, options, rows)
    takeOut({ self: this.#skipsSelf, exclusions }, splits, grid.sum.lengths, kernels, data, sums, rows)
    return sums
  }

  /** The errors of the sums of some targets. */
  async #errors(
    setting: MeshSetting,
    { results, report }: Sums,
    judges: number,
    bindings: Bindings,
    data: SmoothData,
    { signal }: RunOptions,
  ): Promise<TargetErrors> {
    const { workload, kernels, shape } = this
    const lengths = lengthsIn(bindings)
    const finer = judgeOf(setting.typical)
    const plan = this.#plan(finer, judgingReach(this.#reach(setting, lengths), lengths), bindings, lengths)
    const sample = judgesOf(kernels, shape, bindings, judges, this.#skipsSelf)
    const shortShape = { ...this.#shortShape(finer, bindings), lists: sample.bindings.exclusions !== undefined }
    const make = () => measuredWorkload(workload, kernels, shortShape)
    const measured = measures.of(workload, make, JSON.stringify(shortShape))
    const { components } = kernels
    const value = await this.programs.using(measured, sample.shape, undefined, async (program) => {
      const numbers = { ...sample.bindings.parameters, ...shortNumbers(workload, plan.splits) }
      const found = await program.run({ ...sample.bindings, parameters: numbers }, { signal })
      return Float64Array.from(found.value as FloatArray)
    })
    const smooth = await this.#smooth(plan, bindings, data, { signal }, sample.targets)
    for (const [n, x] of smooth.entries()) {
      // Each target has one more number there: the size of its terms.
      const at = n + Math.floor(n / components)
      value[at] = (value[at] as number) + x
    }
    return judged(this.#numbers(results, report), { value }, sample)
  }

  /** The only array of the results. */
  #numbers(results: ArrayResults, { precision }: Report): FloatArray {
    const [name] = resultArrays(this.workload, this.shape, precision).keys()
    return results[name as string] as FloatArray
  }

  /** Whether each target is the source of the same number, and does not count. */
  get #skipsSelf(): boolean {
    return this.shape.sameSet && this.workload.domain.self === 'exclude'
  }

  #reported(
    { results, report, errors, plan }: Sums & { readonly errors: TargetErrors },
    setting: MeshSetting,
    data: SmoothData,
    elapsed: number,
    notes: readonly string[],
    ok: boolean,
  ): ArrayResults {
    const { timings, evaluated, variant } = report
    const { targets, sources } = this.shape
    const { tolerance, of = 'terms' } = this.method
    const mean = meanOf(plan, this.kernels, data)
    const reach = plan.splits[0]?.reach as number
    const where = this.programs.device?.gridSum ? '' : ' on the host'
    const note = [...notes, ...(ok ? [] : ['no setting is more exact'])].join('; ')
    this.#report = {
      ...reportAfter(
        report,
        targets * sources,
        { ...timings, compute: elapsed - timings.upload - timings.readback },
        evaluated,
      ),
      variant: `mesh (reach ${reach.toPrecision(3)}, window ${setting.width}, grid ${plan.grid.sum.sizes.join(' x ')}${where}), ${variant}`,
      error: { ...errors, tolerance, of, ok, ...(note && { note }) },
      ...(mean && { mean }),
    }
    return results
  }

  /** Sums without sources, targets or terms. */
  async #empty(bindings: Bindings, options: RunOptions): Promise<ArrayResults> {
    const results = await this.program.run(bindings, options)
    const { tolerance, of = 'terms' } = this.method
    const error = { ...unmeasured(0), tolerance, of, ok: true, note: 'every sum is 0' }
    this.#report = { ...this.program.report, error }
    return results
  }

  #planOf(setting: MeshSetting, bindings: Bindings): MeshPlan {
    const lengths = lengthsIn(bindings)
    return this.#plan(setting, this.#reach(setting, lengths), bindings, lengths)
  }

  #reach(setting: MeshSetting, lengths: Triple): number {
    return reachFor(setting, this.shape.sources, lengths, !this.programs.device?.gridSum)
  }

  #plan(setting: MeshSetting, reach: number, { parameters }: Bindings, lengths: Triple): MeshPlan {
    const precision = precisionFor(this.programs.device ?? {}, setting)
    return this.#state.plans.of(this.kernels, this.workload.law, setting, precision, reach, parameters, lengths)
  }

  #shortShape({ terms }: MeshSetting, { parameters }: Bindings): ShortShape {
    return { terms, singular: needsGuard(this.workload, 3, parameters) === true }
  }

  #short(setting: MeshSetting, { splits }: MeshPlan, bindings: Bindings): ShortPart {
    const { workload, kernels } = this
    const shape = this.#shortShape(setting, bindings)
    const short = shorts.of(workload, () => shortWorkload(workload, kernels, shape), JSON.stringify(shape))
    return { workload: short, numbers: { cutoff: splits[0]?.reach as number, ...shortNumbers(workload, splits) } }
  }

  /** @throws RangeError for polynomials that float32 does not hold */
  #shortBindings({ workload, numbers }: ShortPart, bindings: Bindings): Bindings {
    const parameters = { ...bindings.parameters, ...numbers }
    if (this.program.report.precision === 'f32') requireFloat32(workload, this.shape, parameters)
    return { ...bindings, parameters }
  }

  /** @throws RangeError if the sum has no value */
  #requireNeutral({ splits }: MeshPlan, { weights }: SmoothData): void {
    for (const { radial, weight } of this.kernels.list) {
      if (!splits[radial]?.endless) continue
      const { total, isZero } = totalOf(weights[weight] as Float64Array)
      if (!isZero)
        throw new RangeError(
          `"method" does not suit ${this.workload.law.name} with the total ${total.toPrecision(3)} of ${toText(this.kernels.weights[weight] as Expr)}: the mean that a periodic sum leaves out is infinite at contact; give numbers that add up to 0`,
        )
    }
  }

  get #state(): State {
    return states.of(this.programs, () => ({ found: new Map(), plans: new MeshPlans() }))
  }

  /** The structure of the workload, the tolerance, and sizes, which count in powers of two. */
  get #key(): string {
    const { workload, shape, method } = this
    const { law, quantity } = workload
    const sizes = [shape.targets, shape.sources].map((n) => Math.round(Math.log2(n)))
    return JSON.stringify([law.expressions, quantity, shape.sameSet, ...sizes, method.tolerance, method.of ?? 'terms'])
  }
}

const smooths = new Remembered<PairWorkload, PairWorkload>()
const shorts = new Remembered<PairWorkload, PairWorkload>()
const measures = new Remembered<PairWorkload, PairWorkload>()

const lengthsIn = ({ parameters: { boxX, boxY, boxZ } }: Bindings): Triple => [boxX, boxY, boxZ] as Triple
