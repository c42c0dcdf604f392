/** Seeded points with the attributes that a workload reads; the same on every machine and in every environment. */

import type { ParticleSet } from '@manybody/core'
import { randomFrom } from './random.ts'
import { type TreeSet, treeSets } from './tree-points.ts'

/**
 * Points in a unit cube, a unit square, a liquid, or a Plummer sphere of scale 1. The liquid is near a lattice of spacing 1.125, so that no
 * two of its points are very close.
 */
export type PointPattern = 'cube' | 'square' | 'liquid' | 'sphere'

export interface PointsOptions {
  readonly count: number
  readonly seed: number
  readonly arrangement: PointPattern
  readonly attributes: readonly string[]
}

/** `position` of shape `[count, 3]` (in a square, 2), and each attribute of shape `[count]`, in float32. */
export function seededPoints({ count, seed, arrangement, attributes }: PointsOptions): ParticleSet {
  const random = randomFrom(seed)
  const dimension = arrangement === 'square' ? 2 : 3
  const position = places[arrangement](count, random)
  const values = attributes.map((name) => {
    const [from, to] = ranges[name] ?? [0.5, 1.5]
    return [name, Float32Array.from({ length: count }, () => from + (to - from) * random())] as const
  })
  return { dimension, position, ...Object.fromEntries(values) }
}

/** The ranges of attributes with values that are not near 1. */
const ranges: Readonly<Record<string, readonly [number, number]>> = { charge: [-1, 1], sigma: [0.9, 1.1] }

const { place } = treeSets.plummer as TreeSet

const places: Readonly<Record<PointPattern, (count: number, random: () => number) => Float32Array>> = {
  cube: (count, random) => Float32Array.from({ length: 3 * count }, random),
  square: (count, random) => Float32Array.from({ length: 2 * count }, random),
  liquid,
  sphere: (count, random) =>
    Float32Array.from(Array.from({ length: count }, (_, point) => place(random, point)).flat()),
}

const spacing = 1.125
const jitter = 0.1
/** Coordinates are multiples of this, so that differences across a box are exact in float32: steep laws amplify them. */
const grain = 2 ** -12

/** The edge of the box for a liquid of this many points. */
export const liquidEdge = (count: number): number => spacing * cellsOf(count)

const cellsOf = (count: number): number => Math.ceil(Math.cbrt(count))

function liquid(count: number, random: () => number): Float32Array {
  const edge = cellsOf(count)
  const position = new Float32Array(3 * count)
  for (let p = 0; p < count; p++)
    for (const [axis, cell] of [p % edge, Math.floor(p / edge) % edge, Math.floor(p / edge ** 2)].entries())
      position[3 * p + axis] = grain * Math.round((spacing * cell + jitter * (2 * random() - 1)) / grain)
  return position
}
