/**
 * Seeded random numbers on the host: the same seed gives the same points everywhere.
 *
 * @module
 */
import { whole } from '@manybody/core/backend'

export interface HostRandom {
  /** Evenly distributed in (0, 1). */
  uniform(): number
  /** Normal, mean 0 and variance 1. */
  normal(): number
  /** A point on the unit sphere. */
  direction(): readonly [number, number, number]
}

/**
 * The generator `splitmix32` with 32 bits of state.
 *
 * @param seed a whole number from 0; values beyond 2^32 wrap
 * @source G. L. Steele, D. Lea and C. H. Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014; the finalizer for 32
 *   bits is that of MurmurHash3
 */
export function randomFrom(seed: number): HostRandom {
  let state = whole(seed, 'seed', 0) >>> 0
  const uniform = () => {
    state = (state + 0x9e3779b9) >>> 0
    let z = Math.imul(state ^ (state >>> 16), 0x85ebca6b)
    z = Math.imul(z ^ (z >>> 13), 0xc2b2ae35)
    return (((z ^ (z >>> 16)) >>> 0) + 0.5) / 2 ** 32
  }
  return {
    uniform,
    // Box and Muller, of whose two numbers one is enough.
    normal: () => Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform()),
    direction() {
      const [z, angle] = [2 * uniform() - 1, 2 * Math.PI * uniform()]
      const across = Math.sqrt(1 - z * z)
      return [across * Math.cos(angle), across * Math.sin(angle), z]
    },
  }
}
