/** Seeded random numbers, the same on every machine: the conformance suite's numbers, as a function. */

import { randomOf } from '../../packages/conformance/src/random.ts'

/** A source of numbers in [0, 1), the same for the same seed. */
export function randomFrom(seed: number): () => number {
  const random = randomOf(seed)
  return () => random.uniform(0, 1)
}
