/**
 * Sums that trees are measured and judged by: laws over sets of points, named `gravity in plummer`. Sources have unit weight unless they
 * have signs.
 */

import {
  accelerations,
  biotSavart,
  coulomb,
  type DomainOptions,
  forces,
  gaussian,
  gravity,
  inversePower,
  type PairWorkload,
  type Particles,
  pairPotential,
  pairTerm,
  periodic,
  potentials,
  sum,
  yukawa,
} from '@manybody/core'
import { type TreeSet, treePoints, treeSets, treeWeights } from './points.ts'
import { randomFrom } from './random.ts'
import type { Task } from './task.ts'

/** The laws by name, for sets with a size of about 1. */
const treeLaws: Readonly<Record<string, () => PairWorkload>> = {
  gravity: () => accelerations(gravity()),
  coulomb: () => potentials(coulomb()),
  yukawa: () => potentials(yukawa({ kappa: 4 })),
  gaussian: () => potentials(gaussian({ width: 0.2 })),
  'biot-savart': () => sum(biotSavart({ softening: 1e-3 })),
  // The law of d3-force, with strengths that attract: inversely proportional to the distance.
  layout: () => forces(pairPotential('mass_i*mass_j*log(r)', { name: 'layout' })()),
  // This law has no known expansion.
  typed: () => sum(pairTerm('mass_j*tanh(r)*(r2 + 1e-4)^(-0.85)*(1 + dx/(2*r))', { name: 'typed' })()),
  'inverse-square': () => potentials(inversePower({ exponent: 2, softening: 1e-3 })),
  // A radial basis function of both signs, which grows with the distance.
  multiquadric: () => sum(pairTerm('charge_j*sqrt(r2 + 0.01)', { name: 'multiquadric' })()),
}

/** Laws in 3-D only, which have no meaning in a plane. */
const spatial: readonly string[] = ['biot-savart']

/** Forces of charges in a cube: one that repeats, where they are over all images, and one in open space. */
const chargesIn: Readonly<Record<string, DomainOptions>> = {
  'charges in box': { boundary: periodic([1, 1, 1]) },
  'charges in cube': {},
}
export const meshTasks: readonly string[] = Object.keys(chargesIn)

export const [treeLawNames, treeSetNames] = [Object.keys(treeLaws), Object.keys(treeSets)] as const

/** The tasks of some laws over some sets, without those that have no meaning. */
export const treeTasks = (laws: readonly string[], sets: readonly string[]): readonly string[] =>
  laws.flatMap((law) => sets.map((set) => `${law} in ${set}`)).filter((task) => treeTaskOf(task, 1) !== undefined)

/** The task of that name; undefined if there is none. */
export function treeTaskOf(task: string, count: number): Task<PairWorkload> | undefined {
  const [law = '', name = ''] = task.split(' in ')
  const domain = chargesIn[task]
  const workload = domain ? forces(coulomb(), domain) : treeLaws[law]?.()
  const set = treeSets[domain ? 'cube' : name]
  if (!workload || !set || (set.dimension === 2 && spatial.includes(law))) return undefined
  const { dimension } = set
  return { name, workload, dimension, particles: (seed: number) => particlesOf(workload, set, count, seed) }
}

/** In float32, with the attributes that the workload reads. */
function particlesOf({ law }: PairWorkload, set: TreeSet, count: number, seed: number): Particles {
  const random = randomFrom(seed + 1)
  const weights = treeWeights(set, count, seed + 2)
  const signed = () => weights.map((weight) => weight * (2 * random() - 1))
  const attributes = { mass: weights, weight: weights, charge: signed(), wx: signed(), wy: signed(), wz: signed() }
  const texts = Object.values(law.expressions).join()
  const read = Object.entries(attributes).filter(([name]) => texts.includes(`${name}_`) || law.inertia === name)
  const arrays = [['position', treePoints(set, count, seed)] as const, ...read]
  const single = arrays.map(([name, array]) => [name, Float32Array.from(array)] as const)
  return { ...Object.fromEntries(single), dimension: set.dimension } as unknown as Particles
}
