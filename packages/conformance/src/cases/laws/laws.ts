/**
 * Every built-in law, in each workload that it fits, with attributes and parameters drawn from the law's ranges.
 *
 * @module
 */
import {
  accelerations,
  attributeSum,
  biotSavart,
  buckingham,
  coulomb,
  forces,
  gaussian,
  gravity,
  type Interaction,
  inversePowerLaw,
  type Law,
  lennardJonesLaws,
  morse,
  type PairWorkload,
  type ParticleSet,
  potentials,
  sum,
  virial,
  yukawa,
} from '@manybody/core'
import type { Case } from '../../case.ts'
import { cloud, liquid } from '../../points.ts'
import { randomOf } from '../../random.ts'

/** All laws of core. A test compares this list with core's exports, so that none can be forgotten. */
export const builtInLaws: readonly Law[] = [
  gravity,
  coulomb,
  ...lennardJonesLaws,
  yukawa,
  morse,
  buckingham,
  gaussian,
  ...[1, 2, 3, 12].map(inversePowerLaw),
  biotSavart,
  attributeSum,
] as readonly Law[]

/** Laws that are steep: their terms fall with a high power of the distance, or are exponentials of a large argument. */
const steepLaws = /lennard-jones|buckingham|morse|inverse-power-12/

/** One more than a tile of 64, and thus one more than a multiple of every smaller tile. */
const count = 65

/** Each law over a cloud. The spacing of the cloud is in the middle of the distances in the law's `sampling`. */
export function lawCases(): readonly Case[] {
  return builtInLaws.flatMap((law, seed) => {
    const interaction = sampled(law, seed)
    const particles = sampledParticles(law, seed)
    return Object.entries(workloadsOf(interaction)).map(([name, workload]) => ({
      name: `laws: ${name} of ${law.law}`,
      workload,
      particles,
      ...(steepLaws.test(law.law) ? { steep: true as const } : {}),
    }))
  })
}

function workloadsOf(law: Interaction): Readonly<Record<string, PairWorkload>> {
  if (law.kind === 'term') return { sum: sum(law) }
  return {
    accelerations: accelerations(law),
    forces: forces(law),
    potentials: potentials(law),
    virial: virial(law),
  }
}

/** A law with its parameters drawn from its sampling ranges. */
function sampled(law: Law, seed: number): Interaction {
  const random = randomOf(1000 + seed)
  const names = Object.keys(law.defaults)
  return law(Object.fromEntries(names.map((name) => [name, random.uniform(...rangeOf(law, name))])))
}

/** Points and attributes drawn from a law's sampling ranges. */
function sampledParticles(law: Law, seed: number): ParticleSet {
  const random = randomOf(2000 + seed)
  const [least, most] = rangeOf(law, 'r')
  const spacing = Math.sqrt(least * most)
  const attributes = Object.keys(law.sampling).filter((name) => name !== 'r' && !(name in law.defaults))
  const position = /lennard-jones/.test(law.law)
    ? liquid([4, 4, 5], 1.05, { count, seed })
    : cloud({ count, seed, side: spacing * Math.cbrt(count), apart: least })
  return {
    position,
    ...Object.fromEntries(attributes.map((name) => [name, random.array(count, ...rangeOf(law, name))])),
  }
}

function rangeOf(law: Law, name: string): readonly [number, number] {
  const range = law.sampling[name]
  if (range === undefined) throw new Error(`Cannot sample ${law.law}: it has no range for "${name}"; give it one`)
  return range
}
