/**
 * The guard for coincident points: whether a run needs it, and the two versions of whatever a backend makes of a workload.
 *
 * Gravity is singular where two points coincide; gravity with softening is not. Softening is a parameter of the run, so
 * one workload may need both programs.
 *
 * @module
 */

import { parametersOf, sameParameters } from '../parameters.ts'
import type { Dimension, Workload } from '../workload.ts'
import { skipsCoincident } from './coincident.ts'

type Parameters = Readonly<Record<string, number>>

/** Whether a run needs the guard, by default with the parameters of the workload. */
export function needsGuard(
  workload: Workload,
  dimension: Dimension,
  parameters: Parameters = parametersOf(workload),
): boolean {
  return workload.loop === 'pair' && skipsCoincident(workload, dimension, parameters)
}

/** Two versions of one thing, with and without the guard. Each is made once, when a run first needs it. */
export class Guarded<T> {
  readonly #workload: Workload
  readonly #dimension: Dimension
  readonly #make: (guard: boolean, parameters: Parameters) => T
  readonly #made = new Map<boolean, T>()
  #latest: { readonly parameters: Parameters; readonly guard: boolean } | undefined

  constructor(workload: Workload, dimension: Dimension, make: (guard: boolean, parameters: Parameters) => T) {
    this.#workload = workload
    this.#dimension = dimension
    this.#make = make
  }

  /** The version for the parameters of a run, by default those of the workload. */
  of(parameters: Parameters = parametersOf(this.#workload)): T {
    const guard = this.#needs(parameters)
    const known = this.#made.get(guard)
    if (known !== undefined) return known
    const made = this.#make(guard, parameters)
    this.#made.set(guard, made)
    return made
  }

  /** Something derived from each version, made when it is first needed. */
  map<Derived>(derive: (value: T) => Derived): Guarded<Derived> {
    return new Guarded(this.#workload, this.#dimension, (_, parameters) => derive(this.of(parameters)))
  }

  /** Forgets both versions and returns those that were made, to be disposed of. */
  release(): readonly T[] {
    const made = [...this.#made.values()]
    this.#made.clear()
    return made
  }

  /** Evaluates the term at distance 0 only when a parameter has changed: small runs take microseconds. */
  #needs(parameters: Parameters): boolean {
    if (!(this.#latest && sameParameters(this.#latest.parameters, parameters)))
      this.#latest = {
        parameters: { ...parameters },
        guard: needsGuard(this.#workload, this.#dimension, parameters),
      }
    return this.#latest.guard
  }
}
