/**
 * The guard for coincident points: which one a run needs, and a version for each of whatever a backend makes of a workload.
 *
 * Gravity is singular where two points coincide; gravity with softening is not. Softening is a parameter of the run, so
 * one workload may need several programs.
 *
 * @module
 */

import { parametersOf, sameParameters } from '../parameters.ts'
import type { Dimension, Workload } from '../workload.ts'
import { type Guard, guardOf } from './coincident.ts'

type Parameters = Readonly<Record<string, number>>

/** The guard that a run needs, by default with the parameters of the workload. */
export function needsGuard(
  workload: Workload,
  dimension: Dimension,
  parameters: Parameters = parametersOf(workload),
): Guard {
  return workload.loop === 'pair' && guardOf(workload, dimension, parameters)
}

/** Versions of one thing, one for each guard. Each is made once, when a run first needs it. */
export class Guarded<T> {
  readonly #workload: Workload
  readonly #dimension: Dimension
  readonly #make: (guard: Guard, parameters: Parameters) => T
  readonly #made = new Map<Guard, T>()
  #latest: { readonly parameters: Parameters; readonly guard: Guard } | undefined

  constructor(workload: Workload, dimension: Dimension, make: (guard: Guard, parameters: Parameters) => T) {
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

  /** Forgets all versions and returns those that were made, to be disposed of. */
  release(): readonly T[] {
    const made = [...this.#made.values()]
    this.#made.clear()
    return made
  }

  /** Looks at the term only when a parameter has changed: small runs take microseconds. */
  #needs(parameters: Parameters): Guard {
    if (!(this.#latest && sameParameters(this.#latest.parameters, parameters)))
      this.#latest = {
        parameters: { ...parameters },
        guard: needsGuard(this.#workload, this.#dimension, parameters),
      }
    return this.#latest.guard
  }
}
