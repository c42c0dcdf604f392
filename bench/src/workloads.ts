/** What is measured, as data: a workload, and seeded points for it. */

import { accelerations, gravity, type ParticleSet, type Workload } from 'manybody'

export interface Case {
  readonly name: string
  /** Points; all of them are targets and sources. */
  readonly count: number
  readonly workload: Workload
  readonly particles: ParticleSet
}

const counts = [1024, 2048]

export const cases: readonly Case[] = counts.map((count) => ({
  name: 'gravity accelerations',
  count,
  workload: accelerations(gravity({ softening: 0.05 })),
  particles: { position: sequence(3 * count), mass: new Float32Array(count).fill(1 / count) },
}))

/** Numbers spread evenly over [0, 1) that are the same everywhere: multiples of the golden ratio. */
function sequence(length: number): Float32Array {
  return Float32Array.from({ length }, (_, n) => (n * 0.6180339887498949) % 1)
}
