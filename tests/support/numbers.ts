import { randomOf } from '../../packages/conformance/src/random.ts'

/** Pseudo-random float32 numbers in [0, 1), the same in every run and every environment. */
export const numbers = (length: number, seed: number): Float32Array =>
  Float32Array.from(randomOf(seed).array(length, 0, 1))
