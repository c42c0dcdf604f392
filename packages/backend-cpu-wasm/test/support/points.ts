// Points that are the same in every run.

import { randomOf } from '../../../conformance/src/random.ts'

/** Numbers from `least` to `most`, in an order without pattern. */
export function spread(length: number, seed: number, least = 0, most = 1): Float32Array {
  return Float32Array.from(randomOf(seed).array(length, least, most))
}

/** `count` points in a unit cube with masses and charges. */
export function points(count: number): Readonly<Record<'position' | 'velocity' | 'mass' | 'charge', Float32Array>> {
  return {
    position: spread(3 * count, 1),
    velocity: spread(3 * count, 2, -0.1, 0.1),
    mass: spread(count, 3, 0.5, 2),
    charge: spread(count, 4, -1, 1),
  }
}
