/** A computation with its points: one form for laws, other workloads, near points and sums with a tolerance. */

import type { Particles, Workload } from '@manybody/core'
import { pairBody } from '@manybody/core/expression'
import { dimensionOf, type PointPattern, seededPoints } from './points.ts'

export interface Task<W extends Workload = Workload> {
  /** Its law, its points or its field in words. */
  readonly name: string
  readonly workload: W
  readonly dimension: 2 | 3
  /** The length of the vector `x` of each point, which then has no position. */
  readonly features?: number
  /** Whether it amplifies rounding, as high powers of the distance do. */
  readonly steep?: boolean
  /** The number of points of either side, if these are two sets; by default the requested number. */
  readonly targets?: number
  readonly sources?: number
  particles(seed: number): Particles
}

/** A workload over seeded points with the attributes that it reads. */
export function overPoints<W extends Workload>(
  name: string,
  workload: W,
  pattern: PointPattern,
  count: number,
): Task<W> {
  const dimension = dimensionOf(pattern)
  const attributes = attributesOf(workload, dimension)
  return { name, workload, dimension, particles: (seed) => seededPoints(pattern, count, seed, attributes) }
}

/** The attributes that a workload reads besides positions. */
export function attributesOf(workload: Workload, dimension: 2 | 3): readonly string[] {
  if (workload.loop !== 'pair') return []
  const { targets, sources } = pairBody(workload, { dimension, sameSet: true }, { guard: true }).attributes
  return [...new Set([...targets, ...sources])]
}
