/**
 * The forces of charges, as d3-force defines them in any dimension: `strength_j * (x_j - x_i) / r^2` with a least and a largest distance.
 * They are computed within the call, in the precision of the device.
 *
 * The first call finds the setting of the tree and measures its error. Later calls measure it again from time to time.
 *
 * @module
 */
import type { CompiledAtOnce, DeviceAtOnce, ProgramAtOnce } from '@manybody/backend-cpu-wasm/at-once'
import type { Bindings, MeasuredError, Precision, Shape, TreeSetting } from '@manybody/core'
import {
  findSetting,
  judged,
  type KnownSettings,
  nameOfSetting,
  reported,
  sampled,
  type TargetErrors,
  type Tried,
  unmeasured,
} from '@manybody/core/far'
import type { DeviceArrays, Dimensions } from './nodes.ts'
import { programs } from './programs.ts'

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
  readonly #shape: Shape
  readonly #bindings: Bindings
  readonly #program: ProgramAtOnce
  readonly #near: boolean
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
    const { precision } = device.info
    const Floats = precision === 'f64' ? Float64Array : Float32Array
    const arrays = { position: new Floats(this.stride * count), strength: new Floats(count) }
    this.arrays = arrays
    this.force = new Floats(this.stride * count)
    this.#near = distanceMax ** 2 < Number.POSITIVE_INFINITY
    const set = { count, arrays }
    const parameters = { distanceMin, ...(this.#near && { distanceMax, cutoff: distanceMax }) }
    this.#bindings = { targets: set, sources: set, parameters }
    this.#shape = { dimension: this.stride, targets: count, sources: count, sameSet: true, vectors: ['position'] }
    const { near, all, approximated } = programs
    const program = this.#near ? near : precision === 'f64' ? all : approximated
    this.#program = device.prepare(program[this.stride], this.#shape)
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
    this.#variant = this.#near ? 'all pairs within distanceMax' : 'all pairs'
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
    return { setting, pairs: this.#program.evaluated, dear, error: errors.largest, ...errors }
  }

  /** The errors of some targets, compared with their sums over all pairs. */
  #errors(judges: number): TargetErrors {
    const { approximated, measured } = programs
    const { weights } = approximated[this.stride].tree as NonNullable<CompiledAtOnce['tree']>
    const sample = sampled({ weights, skipsSelf: false }, this.#shape, this.#bindings, judges)
    if (this.#judge?.targets !== sample.targets.length) {
      this.#judge?.program.dispose()
      const program = this.#device.prepare(measured[this.stride], sample.shape)
      this.#judge = { program, targets: sample.targets.length }
    }
    return judged(this.force, this.#judge.program.run(sample.bindings), sample)
  }

  dispose(): void {
    this.#program.dispose()
    this.#judge?.program.dispose()
  }
}
