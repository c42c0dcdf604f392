/**
 * Where the random streams of points are after some draws, computed on the host. `random.ts` has the generator.
 *
 * @module
 */
import type { Range } from '../../contract/backend.ts'
import { generators, randomNames } from './random.ts'

/** The states of the streams of points after some numbers, by array. Points that are left out have no noise. */
export function randomStates(
  seed: number,
  [first, last]: Range,
  drawn: number,
  without: readonly number[],
): Readonly<Record<string, Float64Array>> {
  const still = new Set(without)
  return Object.fromEntries(
    generators.map(({ multiplier, modulus }, n) => {
      const jump = powerOf(multiplier, drawn % (modulus - 1), modulus)
      const state = (point: number) => ((1 + (hash(n, seed, point) % (modulus - 1))) * jump) % modulus
      return [
        randomNames[n] as string,
        Float64Array.from({ length: Math.max(0, last - first) }, (_, n) =>
          still.has(first + n) ? 0 : state(first + n),
        ),
      ]
    }),
  )
}

function powerOf(base: number, exponent: number, modulus: number): number {
  let [result, square] = [1, base]
  for (let left = exponent; left > 0; left = Math.floor(left / 2)) {
    if (left % 2 === 1) result = (result * square) % modulus
    square = (square * square) % modulus
  }
  return result
}

/**
 * 32 bits of three whole numbers: rounds of the finaliser of MurmurHash3 (A. Appleby, public domain). The point comes last, so that
 * the points of one seed have different hashes. The generator comes first. If it came last, two points of different seeds with one equal
 * hash would have equal hashes for all generators, and draw the same noise.
 */
export function hash(...numbers: readonly number[]): number {
  let h = 0x9747b28c
  for (const number of numbers)
    for (const word of [number, Math.floor(number / 2 ** 32)]) {
      h = Math.imul(h ^ word, 0x85ebca6b)
      h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35)
      h ^= h >>> 16
    }
  return h >>> 0
}
