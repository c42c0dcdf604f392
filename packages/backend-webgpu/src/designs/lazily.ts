/**
 * Data that is made when it is first read, because writing shaders takes milliseconds and most runs need few of them. Copies by
 * `structuredClone` and JSON are complete.
 *
 * @module
 */
import { type Guard, type GuardRule, guardsOf } from '@manybody/core/backend'
import type { Versions } from '../design/versions.ts'

/** An object with properties that are made when they are first read. */
function lazily<T extends object>(makers: { readonly [K in keyof T]: () => T[K] }): T {
  const made = {}
  for (const [name, make] of Object.entries(makers) as [string, () => unknown][])
    Object.defineProperty(made, name, {
      enumerable: true,
      configurable: true,
      get() {
        const value = make()
        Object.defineProperty(made, name, { value, enumerable: true })
        return value
      },
    })
  return made as T
}

/** A version for each guard that runs may need. */
export function versionsFor<T>(rule: GuardRule, make: (guard: Guard) => T): Versions<T> {
  const makers = guardsOf(rule).map((guard) => [`${guard}`, () => make(guard)] as const)
  return lazily(Object.fromEntries(makers)) as Versions<T>
}

/** Data derived from each version, when it is first read. */
export function derived<T, Derived>(versions: Versions<T>, derive: (version: T) => Derived): Versions<Derived> {
  const names = Object.keys(versions) as (keyof Versions<T>)[]
  return lazily(Object.fromEntries(names.map((name) => [name, () => derive(versions[name] as T)]))) as Versions<Derived>
}
