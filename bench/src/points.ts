/** Seeded points with the attributes that a workload reads; the same on every machine and in every environment. */

import type { ParticleSet } from '@manybody/core'
import { randomFrom } from './random.ts'

export interface PointsOptions {
  readonly count: number
  readonly seed: number
  /** Points of a unit cube, or of a liquid: near a lattice of spacing 1.1, so that no two are very close. */
  readonly arrangement: 'cube' | 'liquid'
  readonly attributes: readonly string[]
}

/** `position`, `[count, 3]`, and `[count]` of each attribute, in float32. */
export function seededPoints({ count, seed, arrangement, attributes }: PointsOptions): ParticleSet {
  const random = randomFrom(seed)
  const position = arrangement === 'cube' ? cube(count, random) : liquid(count, random)
  const values = attributes.map((name) => {
    const [from, to] = ranges[name] ?? [0.5, 1.5]
    return [name, Float32Array.from({ length: count }, () => from + (to - from) * random())] as const
  })
  return { position, ...Object.fromEntries(values) }
}

/** From where to where attributes lie that are not near 1. */
const ranges: Readonly<Record<string, readonly [number, number]>> = { charge: [-1, 1], sigma: [0.9, 1.1] }

const cube = (count: number, random: () => number): Float32Array => Float32Array.from({ length: 3 * count }, random)

const spacing = 1.1
const jitter = 0.1

function liquid(count: number, random: () => number): Float32Array {
  const edge = Math.ceil(Math.cbrt(count))
  const position = new Float32Array(3 * count)
  for (let p = 0; p < count; p++)
    for (const [axis, cell] of [p % edge, Math.floor(p / edge) % edge, Math.floor(p / edge ** 2)].entries())
      position[3 * p + axis] = spacing * cell + jitter * (2 * random() - 1)
  return position
}
