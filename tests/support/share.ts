// Divides tests that several environments, variants or plans would each run completely. In `npm test` each runs its share, so that together
// they run each test once, or some of the tests where the backend as it is by default runs all. `npm run deep` runs all tests everywhere.

import { inject } from 'vitest'
import { trials } from '../../packages/conformance/src/session.ts'

export const deep: boolean = inject('deep')

/** The checks of arrays, runs and the device itself, by their names: they are few and quick, and environments differ most in them. */
export const arraysAndRuns: RegExp = /^(buffers|runs|disposal|device): /

/** Whether a name belongs to one of `count` equal shares: the same one in every run and on every machine. */
export function inShare(name: string, share: number, count: number): boolean {
  return deep || hashOf(name) % count === share
}

/**
 * A test runner that skips the cases and device checks of other shares; for `describeConformance`.
 *
 * @param shares one share, or several
 * @param always names that every share has
 */
export function sharing<Test extends { readonly skip: (name: string, body: () => void) => unknown }>(
  test: Test & ((name: string, body: () => void | Promise<void>) => unknown),
  shares: number | readonly number[],
  count: number,
  always?: RegExp,
) {
  const register = (name: string, body: () => void | Promise<void>) => {
    const mine = [shares].flat().some((share) => inShare(name, share, count))
    if (!isTrial(name) || mine || always?.test(name)) test(name, body)
  }
  return Object.assign(register, { skip: (name: string, body: () => void) => test.skip(name, body) })
}

/**
 * The `only` option of `runConformance` for one share of the cases and of the device checks.
 *
 * @param always names that every share has
 */
export function onlyShare(share: number, count: number, always?: RegExp): RegExp {
  const mine = trials().flatMap(({ name }) =>
    inShare(name, share, count) || always?.test(name) ? [literal(name)] : [],
  )
  return new RegExp(`^(${mine.join('|')})$`)
}

/** A regular expression that matches only this text. */
const literal = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&')

/** The suite's other tests, of the backend itself, are few and always run. */
const isTrial = (name: string) => /^.+: .+, f(32|64)$/.test(name)

/** FNV-1a. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let n = 0; n < text.length; n++) hash = Math.imul(hash ^ text.charCodeAt(n), 0x01000193)
  return (hash ^ (hash >>> 16)) >>> 0
}
