// Pseudo-random numbers between 0 and 1 for tests, the same in every run and every environment.

/** A 32-bit xorshift generator. @source G. Marsaglia, J. Stat. Softw. 8 (2003) 14 */
export function numbers(length: number, seed: number): Float32Array {
  let state = Math.imul(seed + 1, 0x9e3779b1) >>> 0 || 1
  return Float32Array.from({ length }, () => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    state >>>= 0
    return state / 2 ** 32
  })
}
