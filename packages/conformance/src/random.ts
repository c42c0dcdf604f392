/**
 * Pseudo-random numbers for the cases: small, seeded, the same on every machine. Not for statistics or secrets.
 *
 * @module
 */

/** Numbers of one seed, in order. */
export interface Random {
  /** The next number, `from <= x < to`. */
  uniform(from: number, to: number): number
  /** The next `count` numbers. */
  array(count: number, from: number, to: number): Float64Array
}

/**
 * Mulberry32: one 32-bit state, a Weyl sequence hashed by multiplications. It passes gjrand up to the length of its period.
 *
 * @source Tommy Ettinger, Mulberry32, 2017, public domain
 */
export function randomOf(seed: number): Random {
  let state = seed | 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0
    let z = Math.imul(state ^ (state >>> 15), state | 1)
    z ^= z + Math.imul(z ^ (z >>> 7), z | 61)
    return ((z ^ (z >>> 14)) >>> 0) / 2 ** 32
  }
  const uniform = (from: number, to: number): number => from + (to - from) * next()
  return {
    uniform,
    array(count, from, to) {
      const numbers = new Float64Array(count)
      for (let n = 0; n < count; n++) numbers[n] = uniform(from, to)
      return numbers
    },
  }
}
