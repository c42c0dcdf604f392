/** The laws that can be named on the command line, each with the workload that measures it and suitable points. */

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
import { overPoints, type Task } from './task.ts'

const quantities = { accelerations, forces, potentials, sum }
type Law = readonly [task: keyof typeof quantities, law: Interaction, points: PointPattern]

const softening = 0.05

/** Gravity in two dimensions, inversely proportional to the distance. Graph layouts call it many-body. */
const planarGravity = pairPotential('mass_i*mass_j*log(r)', { name: 'planar gravity', inertia: 'mass' })()

/** Laws with high powers of the distance have points that are not very close. */
const laws: Readonly<Record<string, Law>> = {
  gravity: ['accelerations', gravity({ softening }), 'cube'],
  'point-gravity': ['accelerations', gravity(), 'cube'],
  'planar-gravity': ['accelerations', planarGravity, 'square'],
  coulomb: ['forces', coulomb(), 'cube'],
  yukawa: ['forces', yukawa(), 'cube'],
  gaussian: ['potentials', gaussian(), 'cube'],
  'lennard-jones': ['forces', lennardJones(), 'liquid'],
  'lennard-jones-box': ['forces', lennardJones(), 'liquid'],
  buckingham: ['forces', buckingham(), 'liquid'],
  morse: ['forces', morse(), 'liquid'],
  'inverse-power': ['forces', inversePower({ exponent: 6 }), 'liquid'],
  'biot-savart': ['sum', biotSavart({ softening }), 'cube'],
  'attribute-sum': ['sum', attributeSum(), 'cube'],
}

export const lawNames: readonly string[] = Object.keys(laws)

/** A law with the words for its computation: `accelerations`. */
export interface LawTask extends Task<PairWorkload> {
  readonly task: string
}

/** @throws RangeError with the names of all laws */
export function lawTask(name: string, count: number): LawTask {
  const law = laws[name]
  if (!law) throw new RangeError(`"laws" expected some of ${lawNames.join(', ')}, got "${name}"`)
  return made(name, law, count)
}

/**
 * The forces of a pair's energy that the user typed: `exp(-r2)*mass_j`.
 *
 * @throws ExpressionError if it does not parse, or uses a name that is neither a symbol of the pair nor an attribute
 */
export const typedTask = (expression: string, count: number): LawTask =>
  made('typed', ['forces', pairPotential(expression, { name: 'typed' })(), 'liquid'], count)

function made(name: string, [task, law, points]: Law, count: number): LawTask {
  const steep = points === 'liquid'
  const workload = name === 'lennard-jones-box' ? boxed(law, count) : quantities[task](law)
  return { ...overPoints(name, workload, points, count), task, steep }
}

/** Lennard-Jones as it is used in practice: with a cutoff, in a periodic box that the liquid fills. */
function boxed(law: Interaction, count: number): PairWorkload {
  const edge = liquidEdge(count)
  return forces(law, { cutoff: Math.min(2.5, edge / 2), boundary: periodic([edge, edge, edge]) })
}
