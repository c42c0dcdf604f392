/**
 * Targets that are not the sources: unequal counts, points that coincide across sets, and equal counts.
 *
 * @module
 */
import {
  accelerations,
  biotSavart,
  gaussian,
  gravity,
  type ParticleSet,
  pairTerm,
  potentials,
  sum,
} from '@manybody/core'
import type { Case } from '../../case.ts'
import { cloud } from '../../points.ts'
import { randomOf } from '../../random.ts'

const pull = accelerations(gravity({ softening: 0.05 }))

/** Reads each side's own attribute of the same name. */
const sides = pairTerm('mass_i - 10*mass_j', { name: 'sides' })()

function set(count: number, seed: number): ParticleSet & { readonly position: Float64Array } {
  const random = randomOf(seed)
  return {
    position: cloud({ count, seed, side: 3 }),
    mass: random.array(count, 0.5, 2),
    weight: random.array(count, -1, 1),
  }
}

export function twoSetCases(): readonly Case[] {
  const sizes: readonly (readonly [number, number])[] = [
    [1, 1],
    [1, 1000],
    [1000, 1],
    [2, 65],
    [65, 2],
    [100, 100],
    [63, 257],
    [257, 63],
  ]
  const ofSizes = sizes.map(([targets, sources]) => ({
    name: `two sets: gravity of ${sources} on ${targets}`,
    workload: pull,
    particles: { targets: set(targets, 701), sources: set(sources, 702) },
    // With a single term, errors do not average out.
    ...(sources === 1 ? { steep: true as const } : {}),
  }))
  const alike = set(100, 703)
  const moved = { ...set(100, 704), position: alike.position }
  const vortices = {
    targets: set(33, 705),
    sources: {
      position: cloud({ count: 129, seed: 706, side: 3 }),
      ...Object.fromEntries(['wx', 'wy', 'wz'].map((name, n) => [name, randomOf(707 + n).array(129, -1, 1)])),
    },
  }
  return [
    ...ofSizes,
    {
      name: 'two sets: attributes of each side',
      workload: sum(sides),
      particles: { targets: set(65, 708), sources: set(33, 709) },
    },
    // Every target lies on the source of the same index, which acts like any other.
    {
      name: 'two sets: coincident, finite',
      workload: potentials(gaussian()),
      particles: { targets: alike, sources: moved },
    },
    {
      name: 'two sets: coincident, singular',
      workload: potentials(gravity()),
      particles: { targets: alike, sources: moved },
    },
    {
      name: 'two sets: vortices act on plain points',
      workload: sum(biotSavart({ softening: 0.1 })),
      particles: vortices,
    },
  ]
}
