/**
 * Seeded random numbers for tests: the same numbers on every machine, so that a failure is found again.
 *
 * @module
 */
import { randomOf } from '../../../conformance/src/random.ts'

/** Uniform numbers in [0, 1). */
export function random(seed: number): () => number {
  const numbers = randomOf(seed)
  return () => numbers.uniform(0, 1)
}

/** A number between two others. */
export const between = (next: () => number, from: number, to: number): number => from + (to - from) * next()

/** `count` numbers between two others, as float64. */
export const numbersBetween = (next: () => number, count: number, from: number, to: number): Float64Array =>
  Float64Array.from({ length: count }, () => between(next, from, to))

/** One element of a list. */
export const oneFrom = <T>(next: () => number, list: readonly T[]): T => list[Math.floor(next() * list.length)] as T
