/**
 * Tables filled by a mixing rule from one number for each kind, with exceptions for some pairs of kinds.
 *
 * @module
 */
import { describe, finite, oneOf, unexpected, whole } from '../../../ground/checks.ts'

/** How the numbers of two kinds give the number of the pair. A function also gets the two kinds, and must not depend on their order. */
export type Mixing = 'arithmetic' | 'geometric' | ((a: number, b: number, kindA: number, kindB: number) => number)

/** Two kinds, and the number of the pair in either order. */
export type MixedException = readonly [kindA: number, kindB: number, value: number]

const rules = {
  arithmetic: (a: number, b: number) => (a + b) / 2,
  geometric: (a: number, b: number) => Math.sqrt(a) * Math.sqrt(b),
} as const

/**
 * A symmetric table of the numbers of all pairs of kinds: mixed, except for listed pairs. Force fields call such exceptions NBFIX.
 *
 * Lorentz and Berthelot mix `sigma` by the arithmetic mean, and `epsilon` by the geometric one.
 *
 * @param numbers one for each kind, which is also the number of a pair of this kind
 * @throws TypeError, RangeError for numbers that are not finite, pairs of unknown kinds, or two numbers for one pair
 * @source LAMMPS, pair_modify mix; exceptions: CHARMM, NBFIX
 * @example
 * // The mixture of Kob and Andersen: its unlike pairs follow no rule.
 * const epsilon = mixedTable([1, 0.5], 'geometric', [[0, 1, 1.5]])
 * const sigma = mixedTable([1, 0.88], 'arithmetic', [[0, 1, 0.8]])
 */
export function mixedTable(
  numbers: ArrayLike<number>,
  mixing: Mixing,
  exceptions: readonly MixedException[] = [],
): readonly (readonly number[])[] {
  if (!(Array.isArray(numbers) || ArrayBuffer.isView(numbers)) || numbers.length === 0)
    throw unexpected('numbers', 'a number for each kind, such as [1, 0.5]', numbers)
  const own = Array.from(numbers, (value, kind) => finite(value, `numbers[${kind}]`))
  const mix = typeof mixing === 'function' ? mixing : rules[oneOf(mixing, 'mixing', ['arithmetic', 'geometric'])]
  const table = own.map((a, kindA) =>
    own.map((_, kindB) => (kindA === kindB ? a : mixed(mix, [Math.min(kindA, kindB), Math.max(kindA, kindB)], own))),
  )
  const known = new Map<string, number>()
  if (!Array.isArray(exceptions)) throw unexpected('exceptions', 'a list of [kind, kind, number]', exceptions)
  for (const [n, exception] of exceptions.entries()) {
    const name = `exceptions[${n}]`
    if (!Array.isArray(exception) || exception.length !== 3)
      throw unexpected(name, 'two kinds and a number, such as [0, 1, 1.5]', exception)
    const [kindA, kindB] = [0, 1].map((at) => kindOf(exception[at], `${name}[${at}]`, own.length)) as [number, number]
    const value = finite(exception[2], `${name}[2]`)
    const pair = `${Math.min(kindA, kindB)} and ${Math.max(kindA, kindB)}`
    if (known.has(pair) && known.get(pair) !== value)
      throw new RangeError(
        `"${name}" expected ${known.get(pair)}, which another exception gives kinds ${pair}, got ${value}`,
      )
    known.set(pair, value)
    for (const [row, column] of [
      [kindA, kindB],
      [kindB, kindA],
    ] as const)
      (table[row] as number[])[column] = value
  }
  return table
}

function mixed(
  mix: Exclude<Mixing, string>,
  [kindA, kindB]: readonly [number, number],
  own: readonly number[],
): number {
  const [a, b] = [own[kindA] as number, own[kindB] as number]
  const value = mix(a, b, kindA, kindB)
  if (typeof value === 'number' && Number.isFinite(value)) return value
  throw new RangeError(
    `"mixing" expected a rule that gives a finite number for all kinds, got ${describe(value)} for kinds ${kindA} and ${kindB}, which have ${a} and ${b}`,
  )
}

function kindOf(given: unknown, name: string, kinds: number): number {
  const kind = whole(given, name, 0)
  if (kind >= kinds) throw new RangeError(`"${name}" expected a kind from 0 to ${kinds - 1}, got ${kind}`)
  return kind
}
