// Sets of points that are hard for loops by blocks: equal places, equal distances, a line, and points outside the periodic box.

import { randomOf } from '../../src/random.ts'

/** Points in a cube or square of side 1, in an order without pattern. */
export const cube = (count: number, dimension: number, seed = 1): Float32Array =>
  Float32Array.from(randomOf(seed).array(count * dimension, 0, 1))

export const pointSets = (count: number): Readonly<Record<string, (dimension: number) => Float32Array>> => ({
  'a cube': (dimension) => cube(count, dimension),
  'one place': (dimension) => new Float32Array(count * dimension).fill(0.7),
  'a line': (dimension) => Float32Array.from({ length: count * dimension }, (_, n) => (n % dimension ? 0.5 : n / 2000)),
  'a lattice whose distances repeat': (dimension) =>
    Float32Array.from(
      { length: count * dimension },
      (_, n) => 0.115 * ((Math.floor(n / dimension) >> (3 * (n % dimension))) & 7),
    ),
  'points of several boxes': (dimension) => cube(count, dimension).map((x) => 20 * (x - 0.5)),
})
