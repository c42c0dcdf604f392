/**
 * A version for each guard of whatever a backend makes of a workload.
 *
 * Gravity is singular where two points coincide; gravity with softening is not. Softening is a parameter of the run, so
 * one workload may need several programs.
 *
 * @module
 */

import { sameParameters } from '../parameters.ts'
import { type Guard, type GuardRule, guardBy, type Parameters } from './guard.ts'

interface Decided {
  readonly parameters: Parameters
  readonly guard: Guard
}

/** The guards of runs by a rule, which are decided again only when a parameter has changed: small runs take microseconds. */
class Decisions {
  readonly rule: GuardRule
  /** The latest parameters and those before them, because numbers of a running simulation are compared with the former ones. */
  #latest: readonly Decided[] = []

  constructor(rule: GuardRule) {
    this.rule = rule
  }

  for(parameters: Parameters): Guard {
    const [last, before] = this.#latest
    if (last && sameParameters(last.parameters, parameters)) return last.guard
    if (before && sameParameters(before.parameters, parameters)) return before.guard
    const guard = guardBy(this.rule, parameters)
    const decided = { parameters: { ...parameters }, guard }
    this.#latest = last ? [decided, last] : [decided]
    return guard
  }
}

/** Versions of one thing, one for each guard. Each is made once, when a run first needs it. */
export class Guarded<T> {
  #decisions: Decisions
  readonly #make: (guard: Guard, parameters: Parameters) => T
  readonly #made = new Map<Guard, T>()

  constructor(rule: GuardRule, make: (guard: Guard, parameters: Parameters) => T) {
    this.#decisions = new Decisions(rule)
    this.#make = make
  }

  /** The version for the parameters of a run, by default for the parameters of the workload. */
  of(parameters: Parameters = this.#decisions.rule.parameters): T {
    const guard = this.#decisions.for(parameters)
    const known = this.#made.get(guard)
    if (known !== undefined) return known
    const made = this.#make(guard, parameters)
    this.#made.set(guard, made)
    return made
  }

  /** Something derived from each version, made when it is first needed. */
  map<Derived>(derive: (value: T) => Derived): Guarded<Derived> {
    const derived = new Guarded(this.#decisions.rule, (_, parameters) => derive(this.of(parameters)))
    // One decision serves both.
    derived.#decisions = this.#decisions
    return derived
  }

  /** Forgets a version, which is made again when it is needed. */
  forget(version: T): void {
    for (const [guard, made] of this.#made) if (made === version) this.#made.delete(guard)
  }

  /** Forgets all versions, and returns the versions made so far so that they can be disposed of. */
  release(): readonly T[] {
    const made = [...this.#made.values()]
    this.#made.clear()
    return made
  }
}
