/** The tasks of `near`: steps of a liquid, nearest neighbours, and neighbours within a radius. */

import {
  countWithin,
  forces,
  lennardJones,
  nearest,
  neighborsWithin,
  type PairWorkload,
  periodic,
} from '@manybody/core'
import { randomFrom } from './random.ts'
import { overPoints, type Task } from './task.ts'

/** A liquid of Lennard-Jones atoms, as LAMMPS' benchmark has it: its density, temperature and time step. */
export const liquid = { density: 0.8442, temperature: 1.44, cutoff: 2.5, dt: 0.005 } as const

/** Sources within the radius of a target, if the points fill a cube or a square evenly. */
const within = 50

const sphere = (count: number): number => Math.cbrt(within / count / ((4 / 3) * Math.PI))
const disc = (count: number): number => Math.sqrt(within / count / Math.PI)

const tasks: Readonly<Record<string, (count: number) => Task<PairWorkload>>> = {
  'steps of a liquid': liquidTask,
  'nearest(8) in a cube': (count) => overPoints('cube', nearest(8), 'cube', count),
  'nearest(8) in a Plummer sphere': (count) => overPoints('Plummer sphere', nearest(8), 'sphere', count),
  'count within a radius': (count) => overPoints('cube', countWithin(sphere(count)), 'cube', count),
  'neighbours within a radius': (count) => overPoints('cube', neighborsWithin(sphere(count)), 'cube', count),
  'neighbours in the plane': (count) => overPoints('square', neighborsWithin(disc(count)), 'square', count),
}

export const nearTaskNames: readonly string[] = Object.keys(tasks)

/** The task of that name; undefined if there is none. */
export const nearTaskOf = (name: string, count: number): Task<PairWorkload> | undefined => tasks[name]?.(count)

/** Atoms near a face-centred lattice of about `count` sites, with velocities. */
function liquidTask(count: number): Task<PairWorkload> {
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
