/**
 * The sums of a mesh by a setting: the device sums the short parts of near pairs, and a grid the smooth parts. It also gives both parts
 * one by one, for simulations. Choosing the setting is the program's work.
 *
 * @module
 */
import type { Bindings, Report, RunOptions } from '../../contract/backend.ts'
import type { FloatArray } from '../../ground/checks.ts'
import type { Precision } from '../../ground/precision.ts'
import { Remembered } from '../../ground/remember.ts'
import { toText } from '../../language/infix.ts'
import type { Expr } from '../../language/nodes.ts'
import { resultArrays } from '../../problem/loaded-at-once.ts'
import { needsGuard } from '../../problem/workloads/bodies/coincident.ts'
import { hasOpenAxes } from '../../problem/workloads/domain.ts'
import { requireFloat32 } from '../../problem/workloads/numbers/number-range.ts'
import { boxesIn } from '../../problem/workloads/parameters.ts'
import type { ArrayResults, PairWorkload, Shape } from '../../problem/workloads/workload.ts'
import type { DevicePrograms } from '../tolerance/approximate.ts'
import type { Sampled } from '../tolerance/sampled.ts'
import type { DeviceMesh } from './device-mesh.ts'
import { type MeshKernels, radialOf } from './kernels.ts'
import { boxIn } from './mesh-box.ts'
import { factorsOf, PointData, totalOf } from './mesh-data.ts'
import { type MeshPlan, MeshPlans } from './mesh-plan.ts'
import { takeOut } from './near-smooth.ts'
import { openSpace, spaceAt } from './open-space.ts'
import { fallOf } from './periodic-split.ts'
import type { SumTraits } from './rungs.ts'
import { boxSpace, type MeshSetting, type MeshSpace } from './settings.ts'
import { type ShortPart, type ShortShape, shortNumbers, shortWorkload, takenOutWorkload } from './short-law.ts'
import { slabIn, slabSpace } from './slab-space.ts'
import { type SmoothParts, smoothParts } from './smooth-parts.ts'
import { addFields, gridFields, precisionFor, type SmoothData } from './smooth-sum.ts'
import type { Split } from './split/split.ts'
import { transformerOf } from './transformer.ts'

const shorts = new Remembered<PairWorkload, PairWorkload>()
const smooths = new Remembered<PairWorkload, PairWorkload>()
/** The plans of the latest runs on each device. */
const plans = new Remembered<DevicePrograms, MeshPlans>()

/** The key of a workload that is made of another one: that may be over points in a plane, and then in space. */
export const keyOf = ({ dimension }: Pick<MeshKernels, 'dimension'>, shape: unknown): string =>
  JSON.stringify([dimension, shape])

/** The smooth sums of targets, component by component. */
interface SmoothSums {
  readonly values: Float64Array
  /** Whether the host computed the grid. */
  readonly onHost: boolean
}

/** The sums of a setting. */
export interface BothSums {
  readonly results: ArrayResults
  /** Of the short part. */
  readonly report: Report
  /** Whether the host computed the grid. */
  readonly onHost: boolean
}

export class MeshSums {
  constructor(
    readonly programs: DevicePrograms,
    readonly workload: PairWorkload,
    readonly kernels: MeshKernels,
    readonly shape: Shape,
    readonly precision: Precision,
  ) {}

  /** Whether no image acts. */
  get isOpen(): boolean {
    return this.workload.domain.boundary.kind === 'open'
  }

  /** Whether the grid depends on where the points are: it does along open axes. */
  get followsPoints(): boolean {
    return hasOpenAxes(this.workload.domain.boundary)
  }

  /** Whether each target is the source of the same number, and does not count. */
  get skipsSelf(): boolean {
    return this.shape.sameSet && this.workload.domain.self === 'exclude'
  }

  /** Whether every sum is 0: there is no term, or one point alone, which its own images pull from both sides alike. */
  get isEmpty(): boolean {
    const { targets, sources } = this.shape
    const { list } = this.kernels
    if (sources === 0 || targets === 0 || list.length === 0) return true
    return sources === 1 && this.skipsSelf && (this.isOpen || list.every(({ axis }) => axis !== undefined))
  }

  dataOf(bindings: Bindings): SmoothData {
    return new PointData(this.kernels, this.shape.sameSet, bindings)
  }

  /**
   * The space of a setting.
   *
   * @param data of the points, which open axes depend on
   * @param reach the best one by default
   */
  spaceOf(setting: MeshSetting, bindings: Bindings, data?: SmoothData, reach?: number): MeshSpace {
    const transformer = transformerOf(this.programs.device)
    const among = { sources: this.shape.sources, transformer }
    if (!this.followsPoints) return boxSpace(setting, boxIn(bindings.parameters, this.kernels.dimension), among, reach)
    const points = data ?? this.dataOf(bindings)
    const { extent } = points
    if (!this.isOpen) return slabSpace(setting, slabIn(bindings.parameters), extent, among, reach)
    if (reach !== undefined) return spaceAt(setting, extent, reach)
    const { weights, list } = this.kernels
    return openSpace(setting, extent, points, weights.length + list.length, transformer).space
  }

  /** The sum as its first setting depends on it. */
  traitsOf({ parameters }: Pick<Bindings, 'parameters'>): SumTraits {
    if (this.isOpen) return { isOpen: true }
    const { radials, dimension } = this.kernels
    const far = Math.min(...boxesIn(parameters).filter((length) => length > 0)) / 4
    const powers = radials.map((radial) => {
      const { along } = radial
      const falls = fallOf(radialOf(radial, parameters), { along, dimension }, far)
      // Potentials in a plane may grow. Terms of far points then add up to the most, as those of a constant.
      return dimension === 2 && !along ? Math.max(0, falls) : falls
    })
    return {
      isOpen: false,
      dimension,
      isVector: radials.some(({ along }) => along),
      sources: this.shape.sources,
      power: Math.max(...powers),
    }
  }

  planOf(setting: MeshSetting, space: MeshSpace, { parameters }: Bindings): MeshPlan {
    const precision = precisionFor(this.programs.device ?? {}, setting)
    return this.#plans.of({ ...this.#law, parameters }, setting, precision, space)
  }

  /** The splits of the short part alone. */
  splitsOf(setting: MeshSetting, reach: number, { parameters }: Bindings): readonly Split[] {
    return this.#plans.splits({ ...this.#law, parameters }, setting, reach)
  }

  get #plans(): MeshPlans {
    return plans.of(this.programs, () => new MeshPlans())
  }

  get #law() {
    return { kernels: this.kernels, law: this.workload.law }
  }

  shapeOf({ terms }: MeshSetting, { parameters }: Bindings): ShortShape {
    return { terms, singular: needsGuard(this.workload, this.kernels.dimension, parameters) === true }
  }

  short(setting: MeshSetting, splits: readonly Split[], bindings: Bindings): ShortPart {
    const { workload, kernels } = this
    const shape = this.shapeOf(setting, bindings)
    const short = shorts.of(workload, () => shortWorkload(workload, kernels, shape), keyOf(kernels, shape))
    return { workload: short, numbers: { cutoff: splits[0]?.reach as number, ...shortNumbers(workload, splits) } }
  }

  /** The smooth part for the stages of a device. */
  parts({ terms }: MeshSetting, plan: MeshPlan, bindings: Bindings): SmoothParts {
    const { kernels, workload } = this
    const parts = smoothParts(plan, kernels, bindings.parameters, this.skipsSelf)
    if (!bindings.exclusions) return parts
    const law = smooths.of(workload, () => takenOutWorkload(workload, kernels, terms), keyOf(kernels, terms))
    return {
      ...parts,
      takenOut: { workload: law, numbers: { ...bindings.parameters, ...shortNumbers(workload, plan.splits) } },
    }
  }

  /** The sums of both parts. */
  async of(
    setting: MeshSetting,
    plan: MeshPlan,
    bindings: Bindings,
    data: SmoothData,
    options: RunOptions,
  ): Promise<BothSums> {
    const short = this.short(setting, plan.splits, bindings)
    // Devices with threads of their own compute the short parts meanwhile.
    const running = this.programs.using(short.workload, this.shape, undefined, async (program) => ({
      results: await program.run(this.shortBindings(short, bindings), options),
      report: program.report,
    }))
    running.catch(() => {})
    const { values, onHost } = await this.smooth(plan, bindings, data, options)
    const { results, report } = await running
    addTo(this.numbersOf(results), values)
    return { results, report, onHost }
  }

  /** The only array of the results. */
  numbersOf(results: ArrayResults): FloatArray {
    const [name] = resultArrays(this.workload, this.shape, this.precision).keys()
    return results[name as string] as FloatArray
  }

  /** The smooth sums of all targets. @throws RangeError if a sum has no value */
  async smooth(
    plan: MeshPlan,
    bindings: Bindings,
    data: SmoothData,
    options: Pick<RunOptions, 'signal'>,
  ): Promise<SmoothSums> {
    const { kernels } = this
    const { found, onHost } = await gridFields(plan.grid, kernels, data, this.programs.device ?? {}, options)
    return { values: this.#smoothFrom(found, data.factors, plan, bindings, data), onHost }
  }

  /** The smooth sums of some targets. @param held the device that has the points, if one has @throws RangeError if a sum has no value */
  async smoothAt(
    plan: MeshPlan,
    sample: Pick<Sampled, 'targets' | 'bindings'>,
    bindings: Bindings,
    data: SmoothData,
    options: Pick<RunOptions, 'signal'>,
    held: DeviceMesh | undefined,
  ): Promise<Float64Array> {
    const { kernels } = this
    const { targets: rows } = sample
    const found =
      (await held?.fieldsAt(plan.grid.sum, rows, options)) ??
      (await gridFields(plan.grid, kernels, data, this.programs.device ?? {}, options, rows)).found
    const factors = factorsOf(kernels, sample.bindings.targets, bindings.parameters)
    return this.#smoothFrom(found, factors, plan, bindings, data, rows)
  }

  #smoothFrom(
    found: FloatArray,
    factors: readonly FloatArray[],
    plan: MeshPlan,
    bindings: Bindings,
    data: SmoothData,
    rows?: readonly number[],
  ): Float64Array {
    this.requireNeutral(plan, data)
    const { kernels, shape, skipsSelf: self } = this
    const values = new Float64Array((rows?.length ?? shape.targets) * kernels.components)
    addFields(plan.grid, kernels, found, factors, values)
    const { parameters, exclusions } = bindings
    takeOut({ self, exclusions }, plan.splits, parameters, kernels, data, values, rows)
    return values
  }

  /** @throws RangeError for polynomials that float32 does not hold */
  shortBindings({ workload, numbers }: ShortPart, bindings: Bindings): Bindings {
    const parameters = { ...bindings.parameters, ...numbers }
    if (this.precision === 'f32') requireFloat32(workload, this.shape, parameters)
    return { ...bindings, parameters }
  }

  requireNeutral({ splits, grid }: MeshPlan, { weights }: SmoothData): void {
    for (const { radial, weight } of this.kernels.list) {
      if (!splits[radial]?.endless) continue
      const { total, isZero } = totalOf(weights[weight] as FloatArray)
      const endless =
        grid.area === undefined
          ? 'the mean that a periodic sum leaves out is infinite at contact'
          : 'the potential of a plane is infinite at the plane'
      if (!isZero)
        throw new RangeError(
          `"method" does not suit ${this.workload.law.name} with the total ${total.toPrecision(3)} of ${toText(this.kernels.weights[weight] as Expr)}: ${endless}; give numbers that add up to 0`,
        )
    }
  }
}

function addTo(sums: FloatArray, values: FloatArray): void {
  for (let n = 0; n < sums.length; n++) sums[n] = (sums[n] as number) + (values[n] as number)
}
