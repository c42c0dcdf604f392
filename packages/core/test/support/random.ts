/**
 * Seeded random numbers for tests: the same numbers on every machine, so that a failure is found again.
 *
 * @module
 */

/** Uniform numbers in [0, 1), from mulberry32. */
export function random(seed: number): () => number {
  let state = seed | 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
}

/** A number between two others. */
export const between = (next: () => number, from: number, to: number): number => from + (to - from) * next()

/** `count` numbers between two others, as float64. */
export const numbersBetween = (next: () => number, count: number, from: number, to: number): Float64Array =>
  Float64Array.from({ length: count }, () => between(next, from, to))

/** One element of a list. */
export const oneFrom = <T>(next: () => number, list: readonly T[]): T => list[Math.floor(next() * list.length)] as T
