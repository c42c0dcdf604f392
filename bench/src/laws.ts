/**
 * The laws that can be named on the command line, each with the workload that measures it and suitable points.
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
  periodic,
  potentials,
  sum,
  yukawa,
} from '@manybody/core'
import { liquidEdge, type PointPattern } from './points.ts'

/** A workload, by name and as data. */
interface Task {
  readonly task: string
  readonly workload: PairWorkload
}

export interface NamedLaw {
  readonly name: string
  readonly expression?: string
  readonly task: Task
  readonly points: PointPattern
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

/** Gravity in two dimensions, inversely proportional to the distance. Graph layouts call it many-body. */
const planarGravity = pairPotential('mass_i*mass_j*log(r)', { name: 'planar gravity', inertia: 'mass' })()

/** Lennard-Jones as it is used in practice: with a cutoff, in a periodic box that the liquid fills. */
function boxed(count: number): Task {
  const edge = liquidEdge(count)
  const domain = { cutoff: Math.min(2.5, edge / 2), boundary: periodic([edge, edge, edge]) }
  return { task: 'forces', workload: forces(lennardJones(), domain) }
}

/** The laws. Each takes the number of points, because a box depends on it. */
const laws: Readonly<Record<string, (count: number) => Omit<NamedLaw, 'name'>>> = {
  gravity: () => ({ task: make.accelerations(gravity({ softening })), points: 'cube', steep: false }),
  'point-gravity': () => ({ task: make.accelerations(gravity()), points: 'cube', steep: false }),
  'planar-gravity': () => ({ task: make.accelerations(planarGravity), points: 'square', steep: false }),
  coulomb: () => ({ task: make.forces(coulomb()), points: 'cube', steep: false }),
  yukawa: () => ({ task: make.forces(yukawa()), points: 'cube', steep: false }),
  gaussian: () => ({ task: make.potentials(gaussian()), points: 'cube', steep: false }),
  'lennard-jones': () => ({ task: make.forces(lennardJones()), points: 'liquid', steep: true }),
  'lennard-jones-box': (count) => ({ task: boxed(count), points: 'liquid', steep: true }),
  buckingham: () => ({ task: make.forces(buckingham()), points: 'liquid', steep: true }),
  morse: () => ({ task: make.forces(morse()), points: 'liquid', steep: true }),
  'inverse-power': () => ({ task: make.forces(inversePower({ exponent: 6 })), points: 'liquid', steep: true }),
  'biot-savart': () => ({ task: make.sum(biotSavart({ softening })), points: 'cube', steep: false }),
  'attribute-sum': () => ({ task: make.sum(attributeSum()), points: 'cube', steep: false }),
}

export const lawNames: readonly string[] = Object.keys(laws)

/** @throws RangeError with the names of all laws */
export function lawOf(name: string, count: number): NamedLaw {
  const law = laws[name]
  if (!law) throw new RangeError(`"laws" expected some of ${lawNames.join(', ')}, got "${name}"`)
  return { name, ...law(count) }
}

/**
 * The forces of a pair's energy that the user typed: `exp(-r2)*mass_j`.
 *
 * @throws ExpressionError if it does not parse, or uses a name that is neither a symbol of the pair nor an attribute
 */
export function lawFrom(expression: string): NamedLaw {
  const law = pairPotential(expression, { name: 'typed' })()
  return { name: 'typed', expression, task: make.forces(law), points: 'liquid', steep: true }
}
