/** The tasks of `near`: steps of a liquid, nearest neighbours, and neighbours within a radius. */

import type { PairWorkload } from '@manybody/core'
import { countWithin, forces, lennardJones, nearest, neighborsWithin, type Particles, periodic } from '@manybody/core'
import { type PointPattern, seededPoints } from './points.ts'
import { randomFrom } from './random.ts'

export interface NearTask {
  /** The name of the points. */
  readonly name: string
  readonly workload: PairWorkload
  readonly steep?: true
  readonly dimension: 2 | 3
  particles(seed: number): Particles
}

/** A liquid of Lennard-Jones atoms, as LAMMPS' benchmark has it: its density, temperature and time step. */
export const liquid = { density: 0.8442, temperature: 1.44, cutoff: 2.5, dt: 0.005 } as const

/** Sources within the radius of a target, if the points fill a cube or a square evenly. */
const within = 50

const cube = (count: number, workload: PairWorkload): NearTask => placed('cube', 'cube', count, workload)

const placed = (name: string, arrangement: PointPattern, count: number, workload: PairWorkload): NearTask => ({
  name,
  workload,
  dimension: arrangement === 'square' ? 2 : 3,
  particles: (seed) => seededPoints({ count, seed, arrangement, attributes: [] }),
})

const sphere = (count: number): number => Math.cbrt(within / count / ((4 / 3) * Math.PI))
const disc = (count: number): number => Math.sqrt(within / count / Math.PI)

const tasks: Readonly<Record<string, (count: number) => NearTask>> = {
  'steps of a liquid': liquidTask,
  'nearest(8) in a cube': (count) => cube(count, nearest(8)),
  'nearest(8) in a Plummer sphere': (count) => placed('Plummer sphere', 'sphere', count, nearest(8)),
  'count within a radius': (count) => cube(count, countWithin(sphere(count))),
  'neighbours within a radius': (count) => cube(count, neighborsWithin(sphere(count))),
  'neighbours in the plane': (count) => placed('square', 'square', count, neighborsWithin(disc(count))),
}

export const nearTaskNames: readonly string[] = Object.keys(tasks)

/** The task of that name; undefined if there is none. */
export const nearTaskOf = (name: string, count: number): NearTask | undefined => tasks[name]?.(count)

/** Atoms near a face-centred lattice of about `count` sites, with velocities. */
function liquidTask(count: number): NearTask {
  const cells = Math.max(2, Math.round(Math.cbrt(count / 4)))
  const edge = Math.cbrt(4 / liquid.density)
  const box = cells * edge
  return {
    name: 'Lennard-Jones liquid',
    workload: forces(lennardJones({ epsilon: 1, sigma: 1 }), {
      cutoff: liquid.cutoff,
      boundary: periodic([box, box, box]),
    }),
    steep: true,
    dimension: 3,
    particles(seed) {
      const random = randomFrom(seed)
      const sites = Array.from({ length: cells ** 3 }, (_, n) => [
        n % cells,
        Math.floor(n / cells) % cells,
        Math.floor(n / cells ** 2),
      ])
      const near = (site: number) => Math.fround(edge * (site + 0.25) + 0.05 * (random() - 0.5))
      const position = Float32Array.from(
        sites.flatMap((cell) => corners.flatMap((corner) => corner.map((c, axis) => near(c + (cell[axis] ?? 0))))),
      )
      const ones = new Float32Array(position.length / 3).fill(1)
      const spread = Math.sqrt(12 * liquid.temperature)
      const velocity = position.map(() => spread * (random() - 0.5))
      return { position, velocity, mass: ones }
    },
  }
}

const corners = [
  [0, 0, 0],
  [0, 0.5, 0.5],
  [0.5, 0, 0.5],
  [0.5, 0.5, 0],
]
