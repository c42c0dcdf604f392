/**
 * The arrays of a sort of points by their keys, and how its passes are divided among workgroups. A key has two words; a pass
 * sorts by one digit of them.
 *
 * @module
 */
import type { BoxSpace } from './space.ts'

/** Number of values of a digit, and of invocations in a workgroup: one per value. */
export const digits = 256
const lanes = digits
/** Number of bits of a digit. */
const digitBits = Math.log2(digits)
/** The most workgroups, as long as each has few enough rows of keys. A row has one key per invocation. */
const usualTiles = 512
const mostRows = 8

/** Words of a key. */
export const keyWords = 2
/** Bits of a key in each of its words. */
const wordBits = 30

/** A digit of a key: its word, 0 for the lower one, and the number of bits below it. */
export interface Digit {
  readonly word: number
  readonly shift: number
}

/** The digits of a key, the least significant first. The first two of a word share bits. */
export const allDigits: readonly Digit[] = [0, 1].flatMap((word) => [
  { word, shift: 0 },
  ...[3, 2, 1].map((n) => ({ word, shift: wordBits - digitBits * n })),
])

/**
 * The digits of keys that tell cells of this width apart, the least significant first.
 *
 * @param width as a share of the longest side; 0 for the smallest cells
 */
export function digitsFor({ dimension }: Pick<BoxSpace, 'dimension'>, width: number): readonly Digit[] {
  const bits = dimension * Math.ceil(Math.log2(1 / width))
  const first = allDigits.findLastIndex(({ word, shift }) => wordBits * (2 - word) - shift >= bits)
  return allDigits.slice(Math.max(0, first))
}

/**
 * Words of the keys: the lower words of all points, their higher words, and two halves for the passes. Each pass reads one half
 * and writes the other.
 */
export const keysWords = (count: number): number => (keyWords + 2) * count
/** Words of the points in order. They have two halves as well. */
export const orderWords = (count: number): number => 2 * count
/** Words of the counts: of each digit in each tile, then of each digit in total. */
export const countWords = (count: number): number => digits * (tilesOf(count) + 1)

/** Number of rows of keys of a workgroup: few if there are few keys, because a workgroup visits its rows one after the other. */
export const rowsOf = (count: number): number => Math.min(mostRows, Math.max(1, Math.ceil(count / lanes / usualTiles)))
export const tilesOf = (count: number, rows: number = rowsOf(count)): number => Math.ceil(count / lanes / rows)

/** How many invocations share the counts of a digit, and how many digits a workgroup adds up. */
export const sharers = 32
export const digitsAtOnce: number = lanes / sharers
