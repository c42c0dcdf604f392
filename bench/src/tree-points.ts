/** The point sets for judging trees, from even to strongly clustered. */

import { randomFrom } from './random.ts'

/** A set of points, with the dimension of its space. */
export interface TreeSet {
  readonly dimension: 2 | 3
  /** @param point its number, from 0 */
  readonly place: (random: () => number, point: number) => readonly number[]
  /** The weight of each point; 1 by default. */
  readonly weight?: (random: () => number, point: number, count: number) => number
}

const direction = (random: () => number): readonly [number, number, number] => {
  const z = 2 * random() - 1
  const angle = 2 * Math.PI * random()
  const across = Math.sqrt(1 - z * z)
  return [across * Math.cos(angle), across * Math.sin(angle), z]
}

/** Distances from the centre of a Plummer sphere of scale 1, cut off at 20. */
function plummerRadius(random: () => number): number {
  for (;;) {
    const radius = 1 / Math.sqrt(random() ** (-2 / 3) - 1)
    if (radius < 20) return radius
  }
}

const plummer = (random: () => number): readonly number[] => {
  const radius = plummerRadius(random)
  return direction(random).map((x) => radius * x)
}

export const treeSets: Readonly<Record<string, TreeSet>> = {
  cube: { dimension: 3, place: (random) => [random(), random(), random()] },
  plummer: { dimension: 3, place: plummer },
  shell: { dimension: 3, place: direction },
  line: { dimension: 3, place: (random) => [random(), 1e-3 * random(), 1e-3 * random()] },
  // Half of the points are a thousand times closer together.
  'two-scales': {
    dimension: 3,
    place: (random) => {
      const scale = random() < 0.5 ? 1e-3 : 1
      return [0.3, 0.6, 0.2].map((x) => (scale === 1 ? random() : x + scale * random()))
    },
  },
  // A hundred or so places with many points each.
  coincident: {
    dimension: 3,
    place: (random) => [random(), random(), random()].map((x) => Math.floor(6 * x * x) / 6),
  },
  square: { dimension: 2, place: (random) => [random(), random()] },
  // A centre, and stars around it with a tenth of its weight in total.
  disk: {
    dimension: 3,
    place: (random, point) => {
      const [r, angle] = [0.1 + 0.9 * random(), 2 * Math.PI * random()]
      return point === 0 ? [0, 0, 0] : [r * Math.cos(angle), r * Math.sin(angle), 0]
    },
    weight: (_, point, count) => (point === 0 ? 10 * count : 1),
  },
  // Weights over six decades, with about as many in each.
  weights: {
    dimension: 3,
    place: (random) => [random(), random(), random()],
    weight: (random) => 10 ** (6 * random()),
  },
}

/** The coordinates of a set's points, one point after the other. */
export function treePoints({ place }: TreeSet, count: number, seed: number): Float64Array {
  const random = randomFrom(seed)
  return Float64Array.from(Array.from({ length: count }, (_, point) => place(random, point)).flat())
}

/** The weights of a set's points. */
export function treeWeights({ weight = () => 1 }: TreeSet, count: number, seed: number): Float64Array {
  const random = randomFrom(seed)
  return Float64Array.from({ length: count }, (_, point) => weight(random, point, count))
}
