/**
 * Starts a repeated call before it is checked: the device computes while the host copies and checks what the caller gave. The
 * copies are of the same numbers, because both are made before the caller can write into its arrays again.
 *
 * Only sums over one set of float32 arrays start early. A call that differs from the one before, or fails its checks, drops what
 * was started: nobody sees its results.
 *
 * @module
 */
import type { Bindings, Program } from '../../backend.ts'
import type { Bound } from '../../workloads/bind.ts'
import type { ArrayResults, Workload } from '../../workloads/workload.ts'

/** A run that a device has begun. */
export class EarlyRun {
  readonly #program: Program
  #results: Promise<ArrayResults> | undefined

  constructor(program: Program, results: Promise<ArrayResults>) {
    this.#program = program
    this.#results = results
    results.catch(() => {})
  }

  /** Its results, once, if this program has begun it. */
  take(program: Program): Promise<ArrayResults> | undefined {
    if (program !== this.#program) return undefined
    const results = this.#results
    this.#results = undefined
    return results
  }
}

interface Known {
  readonly program: Program
  readonly dimension: number
  readonly lengths: ReadonlyMap<string, number>
  readonly bindings: Bindings
}

export class EarlyRuns {
  readonly #known = new WeakMap<Workload, Known>()

  /**
   * Remembers which program ran, unless it cannot begin early.
   *
   * @param given what the caller gave for a workload
   */
  remember(given: Workload, { workload, shape, bindings }: Bound, program: Program): void {
    const sums = workload.loop === 'pair' && workload.reduction === 'sum' && !workload.method
    if (!(sums && program.again && shape.sameSet) || shape.scaled || shape.split || shape.ranged) {
      this.#known.delete(given)
      return
    }
    const set = { count: shape.targets, arrays: {} }
    const lengths = new Map(Object.entries(bindings.targets.arrays).map(([name, { length }]) => [name, length]))
    const { dimension } = shape
    this.#known.set(given, { program, dimension, lengths, bindings: { ...bindings, targets: set, sources: set } })
  }

  /** Starts a call like the one before; undefined if it differs, or the device cannot start at once. Never throws. */
  start(given: Workload, particles: object, options: object): EarlyRun | undefined {
    const known = Object(given) === given ? this.#known.get(given) : undefined
    if (!known || Object.keys(Object(options)).length > 0) return undefined
    const { program, dimension, lengths, bindings } = known
    const { dimension: wanted = 3, ...arrays } = Object(particles) as Record<string, unknown>
    const entries = Object.entries(arrays)
    const alike = entries.every(([name, array]) => array instanceof Float32Array && array.length === lengths.get(name))
    if (!alike || entries.length !== lengths.size || wanted !== dimension) return undefined
    const set = { count: bindings.targets.count, arrays: arrays as Record<string, Float32Array> }
    const results = program.again?.({ ...bindings, targets: set, sources: set })
    return results && new EarlyRun(program, results)
  }
}
