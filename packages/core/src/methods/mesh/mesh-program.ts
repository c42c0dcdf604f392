/**
 * Runs a sum through a mesh: the device sums the short parts of near pairs, and a grid the smooth parts of all images. It finds the
 * setting, and measures the error of each run.
 *
 * @module
 */

import type { Bindings, Program, Report, RunOptions } from '../../contract/backend.ts'
import type { Precision } from '../../ground/precision.ts'
import { Remembered, repeatsOf, withoutMethod } from '../../problem/loaded-at-once.ts'
import type { Mesh } from '../../problem/reductions/mesh.ts'
import type { ArrayResults, PairWorkload, Shape } from '../../problem/workloads/workload.ts'
import { reportAfter } from '../loaded-at-once.ts'
import type { Approximation, DevicePrograms } from '../tolerance/approximate.ts'
import { checkedMethod } from '../tolerance/checked-method.ts'
import { errorOf, judged, type TargetErrors, unmeasured } from '../tolerance/target-errors.ts'
import type { DeviceMesh } from './device-mesh.ts'
import { type Turn, turnOf } from './device-meshes.ts'
import { kernelsOf, type MeshKernels } from './kernels.ts'
import { truthFor } from './measure.ts'
import { meanOf } from './mesh-data.ts'
import type { MeshPlan } from './mesh-plan.ts'
import { type BothSums, MeshSums } from './mesh-sums.ts'
import { firstRung, nextRung, rungsOf } from './rungs.ts'
import { inWords, type MeshSetting, numbersOf } from './settings.ts'
import type { ShortPart } from './short-law.ts'
import type { SmoothParts } from './smooth-parts.ts'
import type { SmoothData } from './smooth-sum.ts'

/** A workload whose images are summed through a mesh. */
export type Meshed = PairWorkload & { readonly method: Mesh }

const without = new Remembered<PairWorkload, PairWorkload>()
/** The settings that were found on each device. */
const founds = new Remembered<DevicePrograms, Map<string, FoundRung>>()

/** The latest finding for a workload. */
interface FoundRung {
  readonly rung: number
  /** The largest error when the setting was chosen, or judged again. */
  readonly error: number
}

/** The least tolerances: sums are not more exact. */
export const leastTolerance: Readonly<Record<Precision, number>> = { f32: 1e-6, f64: 1e-11 }

/**
 * How many targets measure the error when a setting is chosen, and in each later run. A setting is chosen if its error is at most this
 * share of the tolerance, and kept as long as it is within the tolerance.
 */
const [chosenBy, judgedBy, chosen] = [512, 32, 0.9]

/** @throws TypeError, RangeError for a wrong method, and for laws that a mesh cannot sum */
export function meshOf(workload: Meshed, shape: Pick<Shape, 'dimension'>): Approximation<MeshProgram> {
  const method = checkedMethod(workload.method, 'a mesh')
  const kernels = kernelsOf(workload, shape)
  const exact = without.of(workload, () => withoutMethod(workload))
  return {
    workload: exact,
    of: (program, wanted, programs) => new MeshProgram(program, programs, method, workload, kernels, wanted),
  }
}

/** A setting that meets a tolerance. */
export interface FoundMesh extends MeshSetting {
  /** The error when it was last accepted. */
  readonly error: number
  /** With open axes, where the points of each moment would tell others: the reach, and the numbers of the grid when it was chosen. */
  readonly open?: { readonly reach: number; readonly numbers: number }
}

/** The numbers that make a setting. */
const parts = ['band', 'terms', 'width', 'finer'] as const

/** Another reach is worth a measurement once a grid has so many times the numbers that it had. */
const outgrowing = 4

/** A run, and the errors of its sums. */
interface Ran extends BothSums {
  readonly plan: MeshPlan
  readonly errors: TargetErrors
}

export class MeshProgram implements Program {
  readonly #sums: MeshSums
  #report: Report
  /** The rung of the latest run. */
  #rung: number | undefined
  #open: FoundMesh['open']
  /** Whether the latest smooth sums took a grid that is much larger than when its reach was chosen, because points have spread. */
  outgrown = false

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
    this.#sums = new MeshSums(programs, workload, kernels, shape, precision)
    const { tolerance } = method
    if (tolerance < leastTolerance[precision])
      throw new RangeError(
        `"tolerance" expected at least ${leastTolerance[precision]} in ${precision === 'f32' ? 'float32' : 'float64'}, got ${tolerance}${precision === 'f32' ? '; use precision "f64"' : ''}`,
      )
  }

  get report(): Report {
    return this.#report
  }

  /** The setting of the latest run; undefined if every sum was 0. */
  get setting(): FoundMesh | undefined {
    if (this.#rung === undefined) return undefined
    const { error = Number.POSITIVE_INFINITY } = this.#found.get(this.#key) ?? {}
    return { ...(this.#rungs[this.#rung] as MeshSetting), error, ...(this.#open && { open: this.#open }) }
  }

  /** Starts from a setting that was found before, unless other settings have taken its place since. */
  startFrom(given: FoundMesh | undefined): void {
    const rung = this.#rungs.findIndex((one) => parts.every((part) => one[part] === given?.[part]))
    if (!given || rung < 0) return
    this.#rung = rung
    this.#open = given.open
    if (Number.isFinite(given.error)) this.#found.set(this.#key, { rung, error: given.error })
  }

  /** The short part by the latest setting; undefined if there is none. */
  short(bindings: Bindings): ShortPart | undefined {
    const { setting } = this
    if (!setting) return undefined
    const sums = this.#sums
    const { reach } = setting.open ?? sums.spaceOf(setting, bindings)
    return sums.short(setting, sums.splitsOf(setting, reach, bindings), bindings)
  }

  /** The smooth sums by the latest setting, component by component. @throws RangeError if a sum has no value */
  async smooth(bindings: Bindings, options: Pick<RunOptions, 'signal'>): Promise<Float64Array> {
    const { setting, kernels, shape } = this
    if (!setting) return new Float64Array(shape.targets * kernels.components)
    const data = this.#sums.dataOf(bindings)
    // No grid holds points at infinity. Their short parts have no value, and say so.
    if (this.#sums.followsPoints && !Number.isFinite(data.extent.far))
      return new Float64Array(shape.targets * kernels.components)
    const plan = this.#planOf(setting, bindings, data)
    this.outgrown = setting.open !== undefined && numbersOf(plan.grid.sum.sizes) > outgrowing * setting.open.numbers
    return (await this.#sums.smooth(plan, bindings, data, options)).values
  }

  /** The smooth part by the latest setting, for the stages of a device; undefined if every sum is 0. */
  smoothParts(bindings: Bindings): SmoothParts | undefined {
    const { setting } = this
    return setting && this.#sums.parts(setting, this.#planOf(setting, bindings), bindings)
  }

  async run(bindings: Bindings, options: RunOptions = {}): Promise<ArrayResults> {
    const start = performance.now()
    const { tolerance, of } = this.method
    if (this.#sums.isEmpty) return this.#empty(bindings, options)
    const data = this.#sums.dataOf(bindings)
    const found = this.#found
    const before = found.get(this.#key)
    const notes: string[] = []
    const rungs = this.#rungs
    let rung = before?.rung ?? firstRung(rungs, chosen * tolerance, this.#sums.traitsOf(bindings))
    for (;;) {
      const setting = rungs[rung] as MeshSetting
      const plan = this.#sums.planOf(setting, this.#sums.spaceOf(setting, bindings, data), bindings)
      const known = before?.rung === rung ? before : undefined
      const { errors, ...both } = await this.#measured(setting, plan, bindings, data, options, known)
      const error = errorOf(errors, of)
      const ok = error <= (known ? tolerance : chosen * tolerance)
      if (ok && !(known && error <= known.error)) found.set(this.#key, { rung, error })
      if (ok || rung === rungs.length - 1) {
        this.#rung = rung
        const { reach = 1 } = plan.splits[0] ?? {}
        this.#open = this.#sums.followsPoints ? { reach, numbers: numbersOf(plan.grid.sum.sizes) } : undefined
        this.outgrown = false
        const elapsed = performance.now() - start
        return this.#reported({ ...both, plan, errors }, setting, data, elapsed, notes, error <= tolerance)
      }
      notes.push(`repeated, because window ${setting.width} had an error of ${error.toPrecision(2)}`)
      rung = nextRung(rungs, rung, error, chosen * tolerance)
    }
  }

  dispose(): void {}

  /** The sums by a setting, and their errors. @param known what was found before, if it was this setting */
  async #measured(
    setting: MeshSetting,
    plan: MeshPlan,
    bindings: Bindings,
    data: SmoothData,
    options: RunOptions,
    known: FoundRung | undefined,
  ): Promise<BothSums & { readonly errors: TargetErrors }> {
    const { of } = this.method
    const turn = known && (await turnOf(this.#sums, setting, plan, bindings, data))
    const { device: held } = turn ?? {}
    try {
      const both = held
        ? await within(turn as Turn, bindings, options)
        : await this.#sums.of(setting, plan, bindings, data, options)
      if (!held) turn?.count(both.report)
      const sums = this.#sums.numbersOf(both.results)
      const measure = async (judges: number) => {
        const { sample, value } = await truthFor(this.#sums, setting, judges, bindings, data, options, held)
        return judged(sums, { value }, sample)
      }
      let errors = await measure(known && of !== 'result' ? judgedBy : chosenBy)
      // A few targets say that nothing is worse than when the setting was chosen, or more targets judge.
      if (errors.targets < chosenBy && known && errorOf(errors, of) > known.error) errors = await measure(chosenBy)
      return { ...both, errors }
    } finally {
      turn?.end()
    }
  }

  #reported(
    { results, report, onHost, errors, plan }: Ran,
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
    const where = onHost ? ' on the host' : ''
    const note = [...notes, ...(ok ? [] : ['no setting is more exact'])].join('; ')
    this.#report = {
      ...reportAfter(
        report,
        targets * sources,
        { ...timings, compute: elapsed - timings.upload - timings.readback },
        evaluated,
      ),
      variant: `mesh (reach ${reach.toPrecision(3)}, window ${setting.width}, grid ${inWords(plan.grid.sum.sizes, this.kernels)}${where}), ${variant}`,
      error: { ...errors, tolerance, of, ok, ...(note && { note }) },
      ...(mean && { mean }),
    }
    return results
  }

  /** Sums that are 0. */
  async #empty(bindings: Bindings, options: RunOptions): Promise<ArrayResults> {
    const results = await this.program.run(bindings, options)
    const { tolerance, of = 'terms' } = this.method
    const error = { ...unmeasured(0), tolerance, of, ok: true, note: 'every sum is 0' }
    this.#report = { ...this.program.report, error }
    return results
  }

  /** The plan of the latest setting. */
  #planOf(setting: FoundMesh, bindings: Bindings, data?: SmoothData): MeshPlan {
    return this.#sums.planOf(setting, this.#sums.spaceOf(setting, bindings, data, setting.open?.reach), bindings)
  }

  get #rungs(): readonly MeshSetting[] {
    return rungsOf(this.#sums.followsPoints)
  }

  get #found(): Map<string, FoundRung> {
    return founds.of(this.programs, () => new Map())
  }

  /** The structure of the workload, the tolerance, and sizes, which count in powers of two. */
  get #key(): string {
    const { workload, shape, method } = this
    const { law, quantity } = workload
    const sizes = [shape.targets, shape.sources].map((n) => Math.round(Math.log2(n)))
    return JSON.stringify([
      law.expressions,
      quantity,
      repeatsOf(workload.domain.boundary),
      shape.dimension,
      shape.sameSet,
      ...sizes,
      method.tolerance,
      method.of ?? 'terms',
    ])
  }
}

/** The sums of a device that computes both parts by itself. It does not count pairs, so the report has those of the latest run that did. */
async function within({ device, counted }: Turn, bindings: Bindings, options: RunOptions): Promise<BothSums> {
  const { results, timings } = await (device as DeviceMesh).run(bindings, options)
  const report = counted as Report
  return { results, report: { ...report, timings: { compile: report.timings.compile, ...timings } }, onHost: false }
}
