/**
 * How many pairs share their roundings. Equal numbers are rounded alike: the distances in a lattice, or `1 + 1e-9*r` at any
 * distance. So independent roundings are counted by different numbers, not by pairs.
 *
 * Each step of the tape groups pairs by the float32 of its value and adds up the weights of a group. The second moment of these
 * sums, divided by the second moment of the weights, is the size of a typical group. Groups share a fixed number of places, and each
 * gets a random sign, so that groups in one place do not add up on average.
 *
 * @source N. Alon, Y. Matias and M. Szegedy, The space complexity of approximating the frequency moments, J. Comput. Syst. Sci. 58 (1999) 137
 * @module
 */
import type { Arithmetic } from './arithmetic.ts'

const placesLog2 = 10
const places = 2 ** placesLog2

export interface Repeats {
  /** Forgets all pairs. */
  clear(): void
  /** Adds a pair by the values in the slots. Its weight is the size of its random error. */
  add(values: Float64Array, weight: number): void
  /** The size of a typical group, at the step where groups are largest; at least 1. */
  largest(): number
}

/** @param slots of the values that are rounded */
export function repeatsIn(slots: readonly number[], { single }: Arithmetic): Repeats {
  const sums = new Float64Array(slots.length * places)
  let squares = 0
  return {
    clear() {
      sums.fill(0)
      squares = 0
    },
    add(values, weight) {
      squares += weight * weight
      for (let k = 0; k < slots.length; k++) {
        const value = Math.abs(values[slots[k] as number] as number)
        const near = single ? Math.fround(value) : value
        // A number of the format is not rounded.
        if (value === 0 || (single && near === value)) continue
        const hash = hashOf(near)
        const at = k * places + (hash >>> (32 - placesLog2))
        sums[at] = (sums[at] as number) + (hash & 1 ? weight : -weight)
      }
    },
    largest() {
      let most = squares
      for (let k = 0; k < slots.length; k++) {
        let second = 0
        for (let at = k * places; at < (k + 1) * places; at++) second += (sums[at] as number) ** 2
        most = Math.max(most, second)
      }
      return squares > 0 ? most / squares : 1
    },
  }
}

const number = new Float64Array(1)
const words = new Int32Array(number.buffer)

function hashOf(value: number): number {
  number[0] = value
  let hash = Math.imul((words[0] as number) ^ Math.imul(words[1] as number, 0x9e3779b1), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 15), 0xc2b2ae35)
  return hash ^ (hash >>> 13)
}
