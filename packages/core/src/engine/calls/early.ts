/**
 * Starts a repeated call before it is checked: the device computes while the host copies and checks the caller's data. Device and
 * host see the same numbers, because both copies are made before the caller can write into its arrays again. Only the numbers need a
 * check, because the call before checked the rest.
 *
 * Only sums over one set of float32 arrays start early. If a call differs from the one before, or fails its checks, the early run is
 * dropped and nobody sees its results.
 *
 * @module
 */

import type { PointSet, Program } from '../../contract/backend.ts'
import { hasNames } from '../../ground/checks.ts'
import type { Bound } from '../../problem/workloads/bind.ts'
import { isTilted } from '../../problem/workloads/domain.ts'
import type { PairBound } from '../../problem/workloads/numbers/bind-again.ts'
import type { ArrayResults, Workload } from '../../problem/workloads/workload.ts'

/** A run that a device has begun. */
export class EarlyRun {
  #results: Promise<ArrayResults> | undefined

  /** @param arrays the caller's arrays */
  constructor(
    readonly known: CallBefore,
    readonly arrays: Readonly<Record<string, Float32Array>>,
    results: Promise<ArrayResults>,
  ) {
    this.#results = results
    results.catch(() => {})
  }

  /** Its results, once, if this program has begun it. */
  take(program: Program): Promise<ArrayResults> | undefined {
    if (program !== this.known.program) return undefined
    const results = this.#results
    this.#results = undefined
    return results
  }
}

/** A call that may start early when it is repeated. */
export interface CallBefore {
  readonly program: Program
  readonly lengths: ReadonlyMap<string, number>
  /** Without arrays. */
  readonly bound: PairBound
}

export class EarlyRuns {
  readonly #known = new WeakMap<Workload, CallBefore>()

  /**
   * Remembers which program ran, unless it cannot begin early.
   *
   * @param given the workload as the caller gave it
   */
  remember(given: Workload, { workload, shape, bindings }: Bound, program: Program): void {
    const before = this.#known.get(given)
    if (before?.program === program && before.bound.shape === shape) return
    const sums =
      workload.loop === 'pair' &&
      workload.reduction === 'sum' &&
      !workload.method &&
      !isTilted(workload.domain.boundary)
    // Data may change between two calls. A workload that a constructor here made cannot change, and binding returns the same object.
    const lasting = sums && given === workload
    if (!(lasting && program.again && shape.sameSet) || shape.scaled || shape.split || shape.ranged || shape.lengths) {
      this.#known.delete(given)
      return
    }
    const set: PointSet = { count: shape.targets, arrays: {} }
    const lengths = new Map(Object.entries(bindings.targets.arrays).map(([name, { length }]) => [name, length]))
    const bound = { workload, shape, bindings: { ...bindings, targets: set, sources: set } }
    this.#known.set(given, { program, lengths, bound })
  }

  /** Starts a call like the one before; undefined if it differs, or the device cannot start at once. Never throws. */
  start(given: Workload, particles: object): EarlyRun | undefined {
    const known = Object(given) === given ? this.#known.get(given) : undefined
    if (!known || !hasNames(particles)) return undefined
    const { program, lengths, bound } = known
    const { dimension = 3, ...arrays } = particles as Record<string, unknown>
    const entries = Object.entries(arrays)
    const alike = entries.every(([name, array]) => array instanceof Float32Array && array.length === lengths.get(name))
    if (!alike || entries.length !== lengths.size || dimension !== bound.shape.dimension) return undefined
    const set = { count: bound.shape.targets, arrays: arrays as Record<string, Float32Array> }
    const results = program.again?.({ ...bound.bindings, targets: set, sources: set })
    return results && new EarlyRun(known, set.arrays, results)
  }
}
