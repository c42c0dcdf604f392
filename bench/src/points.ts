/** Patterns of points, from even to strongly clustered, and seeded points in them: the same on every machine and in every environment. */

import type { ParticleSet } from '@manybody/core'
import { randomFrom } from './random.ts'

/** A set of points, with the dimension of its space. */
export interface TreeSet {
  readonly dimension: 2 | 3
  /** @param point its number, from 0 */
  readonly place: (random: () => number, point: number, count: number) => readonly number[]
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

const cube: TreeSet = { dimension: 3, place: (random) => [random(), random(), random()] }
const square: TreeSet = { dimension: 2, place: (random) => [random(), random()] }
const plummer: TreeSet = {
  dimension: 3,
  place: (random) => {
    const radius = plummerRadius(random)
    return direction(random).map((x) => radius * x)
  },
}

/** The sets for judging trees. */
export const treeSets: Readonly<Record<string, TreeSet>> = {
  cube,
  plummer,
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
  coincident: { dimension: 3, place: (...given) => cube.place(...given).map((x) => Math.floor(6 * x * x) / 6) },
  square,
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
  weights: { ...cube, weight: (random) => 10 ** (6 * random()) },
}

const spacing = 1.125
const jitter = 0.1
/** Coordinates are multiples of this, so that differences across a box are exact in float32: steep laws amplify them. */
const grain = 2 ** -12

const cellsOf = (count: number): number => Math.ceil(Math.cbrt(count))

/** The edge of the box for a liquid of this many points. */
export const liquidEdge = (count: number): number => spacing * cellsOf(count)

/** Near a lattice, so that no two points are very close. */
const liquid: TreeSet['place'] = (random, point, count) => {
  const edge = cellsOf(count)
  const cell = [point % edge, Math.floor(point / edge) % edge, Math.floor(point / edge ** 2)]
  return cell.map((cell) => grain * Math.round((spacing * cell + jitter * (2 * random() - 1)) / grain))
}

/** Points in a unit cube, a unit square, a liquid, or a Plummer sphere of scale 1. */
export type PointPattern = 'cube' | 'square' | 'liquid' | 'sphere'

const patterns: Readonly<Record<PointPattern, TreeSet>> = {
  ...{ cube, square, sphere: plummer },
  liquid: { dimension: 3, place: liquid },
}

export const dimensionOf = (pattern: PointPattern): 2 | 3 => patterns[pattern].dimension

/** `position` of shape `[count, 3]` (in a square, 2), and each attribute of shape `[count]`, in float32. */
export function seededPoints(
  pattern: PointPattern,
  count: number,
  seed: number,
  attributes: readonly string[] = [],
): ParticleSet {
  const random = randomFrom(seed)
  const position = filled(new Float32Array(dimensionOf(pattern) * count), patterns[pattern], count, random)
  const values = attributes.map((name) => {
    const [from, to] = ranges[name] ?? [0.5, 1.5]
    return [name, Float32Array.from({ length: count }, () => from + (to - from) * random())] as const
  })
  return { dimension: dimensionOf(pattern), position, ...Object.fromEntries(values) }
}

/** The ranges of attributes with values that are not near 1. */
const ranges: Readonly<Record<string, readonly [number, number]>> = { charge: [-1, 1], sigma: [0.9, 1.1] }

function filled<A extends Float32Array | Float64Array>(
  array: A,
  { dimension, place }: TreeSet,
  count: number,
  random: () => number,
): A {
  for (let point = 0; point < count; point++) array.set(place(random, point, count), dimension * point)
  return array
}

/** The coordinates of a set's points, one point after the other. */
export const treePoints = (set: TreeSet, count: number, seed: number): Float64Array =>
  filled(new Float64Array(set.dimension * count), set, count, randomFrom(seed))

/** The weights of a set's points. */
export function treeWeights({ weight = () => 1 }: TreeSet, count: number, seed: number): Float64Array {
  const random = randomFrom(seed)
  return Float64Array.from({ length: count }, (_, point) => weight(random, point, count))
}
