/**
 * The laws that can be named on the command line, each with the workload it is measured by and points that suit it.
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
  inversePower,
  lennardJones,
  morse,
  type PairWorkload,
  pairPotential,
  potentials,
  sum,
  yukawa,
} from '@manybody/core'

/** A workload in words, and as data. */
interface Task {
  readonly task: string
  readonly workload: PairWorkload
}

export interface NamedLaw {
  readonly name: string
  readonly expression?: string
  readonly task: Task
  /** Points of a unit cube, or of a liquid: near a lattice, whose spacing is the unit, so that none are very close. */
  readonly points: 'cube' | 'liquid'
  /** Whether the law amplifies rounding, as high powers of the distance do. */
  readonly steep: boolean
}

const make = {
  accelerations: (law: Interaction): Task => ({ task: 'accelerations', workload: accelerations(law) }),
  forces: (law: Interaction): Task => ({ task: 'forces', workload: forces(law) }),
  potentials: (law: Interaction): Task => ({ task: 'potentials', workload: potentials(law) }),
  sum: (law: Interaction): Task => ({ task: 'sum', workload: sum(law) }),
}

const softening = 0.05

const laws: Readonly<Record<string, () => Omit<NamedLaw, 'name'>>> = {
  gravity: () => ({ task: make.accelerations(gravity({ softening })), points: 'cube', steep: false }),
  coulomb: () => ({ task: make.forces(coulomb()), points: 'cube', steep: false }),
  yukawa: () => ({ task: make.forces(yukawa()), points: 'cube', steep: false }),
  gaussian: () => ({ task: make.potentials(gaussian()), points: 'cube', steep: false }),
  'lennard-jones': () => ({ task: make.forces(lennardJones()), points: 'liquid', steep: true }),
  buckingham: () => ({ task: make.forces(buckingham()), points: 'liquid', steep: true }),
  morse: () => ({ task: make.forces(morse()), points: 'liquid', steep: true }),
  'inverse-power': () => ({ task: make.forces(inversePower({ exponent: 6 })), points: 'liquid', steep: true }),
  'biot-savart': () => ({ task: make.sum(biotSavart({ softening })), points: 'cube', steep: false }),
  'attribute-sum': () => ({ task: make.sum(attributeSum()), points: 'cube', steep: false }),
}

export const lawNames: readonly string[] = Object.keys(laws)

/** @throws RangeError naming the laws that there are */
export function lawOf(name: string): NamedLaw {
  const law = laws[name]
  if (!law) throw new RangeError(`"laws" expected some of ${lawNames.join(', ')}, got "${name}"`)
  return { name, ...law() }
}

/**
 * The forces of a pair's energy, as typed: `exp(-r2)*mass_j`.
 *
 * @throws ExpressionError if it does not parse, or uses a name that is neither of the pair nor an attribute
 */
export function lawFrom(expression: string): NamedLaw {
  const law = pairPotential(expression, { name: 'typed' })()
  return { name: 'typed', expression, task: make.forces(law), points: 'liquid', steep: true }
}
