/**
 * The forces of charges, as d3-force defines them in any dimension: `strength_j * (x_j - x_i) / r^2` with a least and a largest distance.
 * They are computed within the call, in the precision of the device.
 *
 * The first call finds the setting of the tree and measures its error. Later calls measure it again from time to time.
 *
 * @module
 */
import type { DeviceAtOnce, ProgramAtOnce } from '@manybody/backend-cpu-wasm/at-once'
import type { Bindings, MeasuredError, PairWorkload, Precision, Shape, TreeSetting } from '@manybody/core'
import { deriveTreeFacts, forces, pairForce } from '@manybody/core/expression'
import {
  bind,
  findSetting,
  judged,
  type KnownSettings,
  nameOfSetting,
  reported,
  sampled,
  type TargetErrors,
  type Tried,
  unmeasured,
} from '@manybody/core/judge'
import type { DeviceArrays, Dimensions } from './nodes.ts'

export interface ChargeOptions {
  /** How many coordinates of each node count. */
  readonly dimensions: Dimensions
  readonly distanceMin: number
  readonly distanceMax: number
  /** 0 for exact sums. */
  readonly tolerance: number
}

/** How the latest call computed. */
export interface ChargeReport {
  /** `tree (simplex, opening 0.5)`, or `all pairs`. */
  readonly variant: string
  /** `f64` if the tolerance is 0 or `distanceMax` is finite. */
  readonly precision: Precision
  /** Number of threads that took part. */
  readonly threads: number
  /** Number of pairs of nodes, and how many were computed. */
  readonly interactions: number
  readonly evaluated: number
  /** The latest measured error, relative to the sum of the sizes of a node's terms. */
  readonly error: MeasuredError
}

/** d3 multiplies by the vector to the other node, so negative strengths push. */
const charge = pairForce('strength_j/max(r2, distanceMin*r)', { parameters: { distanceMin: 1 } })

/** Unlike a cutoff, d3 leaves out nodes at exactly the largest distance. */
const nearCharge = pairForce('select(r2 < distanceMax^2, strength_j/max(r2, distanceMin*r), 0)', {
  parameters: { distanceMin: 1, distanceMax: 1 },
})

/** Measure the error every few calls: measuring takes a tenth of a call's time, and nodes move slowly. */
const measuredEvery = 16

/** The key of the only setting in the cache. */
const only = ''

interface Outcome extends Tried, TargetErrors {}

export class Charges {
  /** Coordinates and strengths in the layout of the device. Write them before each call. */
  readonly arrays: DeviceArrays
  /** Numbers per node in `position` and `force`. */
  readonly stride: 2 | 3
  readonly force: Float32Array | Float64Array
  readonly #device: DeviceAtOnce
  readonly #workload: PairWorkload
  readonly #shape: Shape
  readonly #bindings: Bindings
  readonly #program: ProgramAtOnce
  readonly #tolerance: number
  readonly #known: KnownSettings = new Map()
  #judge: { readonly program: ProgramAtOnce; readonly targets: number } | undefined
  #calls = 0
  /** The setting of the latest measured call; undefined if all pairs are faster. */
  #setting: TreeSetting | undefined
  #error: MeasuredError
  #variant = 'all pairs'

  constructor(device: DeviceAtOnce, count: number, options: ChargeOptions) {
    const { dimensions, distanceMin, distanceMax, tolerance } = options
    this.#device = device
    this.stride = dimensions === 3 ? 3 : 2
    const workload =
      distanceMax ** 2 < Number.POSITIVE_INFINITY
        ? forces(nearCharge({ distanceMin, distanceMax }), { cutoff: distanceMax })
        : forces(charge({ distanceMin }))
    const Floats = device.info.precision === 'f64' ? Float64Array : Float32Array
    const set = { position: new Floats(this.stride * count), strength: new Floats(count), dimension: this.stride }
    const { shape, bindings } = bind(workload, set)
    this.#workload = workload
    this.#shape = shape
    this.#bindings = bindings
    this.arrays = bindings.targets.arrays as unknown as DeviceArrays
    this.force = new Floats(this.stride * count)
    this.#program = device.prepare(workload, shape)
    this.#tolerance = this.#program.share > 0 ? tolerance : 0
    this.#error = reported(unmeasured(0), { tolerance }, '')
  }

  get report(): ChargeReport {
    const { targets, sources } = this.#shape
    return {
      ...{ variant: this.#variant, precision: this.#device.info.precision, threads: this.#program.threadsUsed },
      ...{ interactions: targets * sources, evaluated: this.#program.evaluated, error: this.#error },
    }
  }

  /** Computes `force` from `arrays`. */
  compute(): void {
    if (this.#tolerance === 0) this.#allPairs()
    else if (this.#calls++ % measuredEvery === 0 || !this.#setting) this.#findSetting()
    else this.#approximate(this.#setting)
  }

  #allPairs(): void {
    this.#program.run(this.#bindings, { force: this.force })
    this.#variant = this.#workload.domain.cutoff === undefined ? 'all pairs' : 'all pairs within distanceMax'
  }

  #approximate(setting: TreeSetting): void {
    this.#program.approximate(this.#bindings, setting, { force: this.force })
    this.#variant = `tree (${nameOfSetting(setting)})`
  }

  /** Finds the setting, or judges the known one. */
  #findSetting(): void {
    const meeting = findSetting<Outcome>(this.#known, only, this.#tolerance)
    let step = meeting.next()
    let latest: TreeSetting | undefined
    while (!step.done) {
      const { setting, judges } = step.value
      if (setting !== latest) this.#approximate(setting)
      latest = setting
      step = meeting.next(this.#judged(setting, judges))
    }
    const { outcome, notes } = step.value
    this.#setting = outcome?.setting
    if (!outcome) {
      this.#error = reported(unmeasured(0), { tolerance: this.#tolerance }, `all pairs: ${notes}`)
      this.#allPairs()
      return
    }
    // The latest attempt may have used another setting.
    if (outcome.setting !== latest) this.#approximate(outcome.setting)
    this.#error = reported(outcome, { tolerance: this.#tolerance }, notes)
  }

  #judged(setting: TreeSetting, judges: number): Outcome {
    const { targets, sources } = this.#shape
    const dear = this.#program.evaluated >= this.#program.share * targets * sources
    const errors = dear ? unmeasured(Number.POSITIVE_INFINITY) : this.#errors(judges)
    return { setting, dear, error: errors.largest, ...errors }
  }

  /** The errors of some targets, compared with their sums over all pairs. */
  #errors(judges: number): TargetErrors {
    const facts = deriveTreeFacts(this.#workload, this.#shape)
    const sample = sampled(facts, this.#shape, this.#bindings, judges)
    if (this.#judge?.targets !== sample.targets.length) {
      this.#judge?.program.dispose()
      const program = this.#device.prepare(facts.measured as PairWorkload, sample.shape)
      this.#judge = { program, targets: sample.targets.length }
    }
    return judged(this.force, this.#judge.program.run(sample.bindings), sample)
  }

  dispose(): void {
    this.#program.dispose()
    this.#judge?.program.dispose()
  }
}
