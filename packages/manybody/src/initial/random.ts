/**
 * Seeded random numbers on the host: the same seed gives the same points everywhere, and different seeds give unrelated points.
 *
 * @module
 */
import { whole } from '@manybody/core/backend'

export interface HostRandom {
  /** Evenly distributed in (0, 1), in steps of 2^-52. */
  uniform(): number
  /** Normal, mean 0 and variance 1. */
  normal(): number
  /** A point on the unit sphere. */
  direction(): readonly [number, number, number]
}

/**
 * The random numbers of a seed. A hash of the seed and the purpose chooses where a stream starts on the one cycle of the generator, so two
 * streams practically never meet.
 *
 * @param seed a whole number from 0 to 2^53 - 1
 * @param purpose a text that names the use of these numbers, so that points and velocities of one seed are independent
 */
export function randomFrom(seed: number, purpose: string): HostRandom {
  whole(seed, 'seed', 0)
  const words = [seed, Math.floor(seed / 2 ** 32), ...Array.from(purpose, (letter) => letter.charCodeAt(0))]
  const [a, b, c, d] = [0, 1, 2, 3].map((n) => hash([n, ...words]))
  const bits = xoshiro([a ?? 0, b ?? 0, c ?? 0, d ?? 0])
  const uniform = () => {
    const high = bits()
    return (high * 2 ** 20 + (bits() >>> 12) + 0.5) / 2 ** 52
  }
  return {
    uniform,
    // The method of Box and Muller gives two numbers; one is enough here.
    normal: () => Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform()),
    direction() {
      const [z, angle] = [2 * uniform() - 1, 2 * Math.PI * uniform()]
      const across = Math.sqrt(1 - z * z)
      return [across * Math.cos(angle), across * Math.sin(angle), z]
    },
  }
}

/**
 * The generator `xoshiro128**`: whole numbers of 32 bits, on one cycle of 2^128 - 1.
 *
 * @param state not all 0
 * @source D. Blackman and S. Vigna, "Scrambled linear pseudorandom number generators", ACM Trans. Math. Softw. 47 (2021) 36
 */
export function xoshiro(state: readonly [number, number, number, number]): () => number {
  let [a, b, c, d] = state
  return () => {
    const result = Math.imul(turned(Math.imul(b, 5), 7), 9)
    const shifted = b << 9
    c ^= a
    d ^= b
    b ^= c
    a ^= d
    c ^= shifted
    d = turned(d, 11)
    return result >>> 0
  }
}

const turned = (x: number, by: number) => (x << by) | (x >>> (32 - by))

/**
 * 32 bits of some numbers. Lists that differ in one whole number below 2^32 have different hashes, so four hashes of one seed are
 * never all 0.
 *
 * @source the finaliser of MurmurHash3 (A. Appleby, public domain)
 */
function hash(words: readonly number[]): number {
  let h = 0
  for (const word of words) {
    h = Math.imul(h ^ (h >>> 16) ^ word, 0x85ebca6b)
    h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35)
  }
  return h ^ (h >>> 16)
}
