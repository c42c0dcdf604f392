/**
 * The maps of the forces and energies of angles and dihedrals, which follow from the angle of each end and its derivative.
 *
 * @module
 */
import { axesOf } from '../../ground/axes.ts'
import { differentiate } from '../../language/differentiate.ts'
import { toText } from '../../language/infix.ts'
import { type Expr, symbol } from '../../language/nodes.ts'
import { simplify, substitute } from '../../language/simplify.ts'
import { gatherMap } from '../../problem/workloads/particle.ts'
import type { NumbersByName, SimulationNumbers } from '../numbers/numbers.ts'
import { parametersIn, symbolsFor } from '../numbers/symbols.ts'
import { angleIn, energyIn } from './angle-law.ts'
import type { Angular } from './angles.ts'
import type { LinkShape } from './bond-stages.ts'
import { type BondMap, endNames } from './end-names.ts'

const { angle, along } = endNames

/** The force on each end, divided by the inertia of its point if there is one, in `sum`. */
export function angularForces(
  links: Angular,
  inertia: string | undefined,
  { dimension, owner, numbers }: Omit<LinkShape, 'vectors'>,
): BondMap {
  const slopes = slopeIn(energyOf(links, symbolsOfLaw(links, owner, numbers)))
  const slope = toText(slopes)
  const divisor = inertia === undefined ? '' : '/own_inertia'
  const sum = axesOf(dimension).map((axis) => `-slope*${along}_${axis}${divisor}; slope = ${slope}`)
  const gather = inertia === undefined ? {} : { own_inertia: { of: inertia, at: endNames.own } }
  return { workload: gatherMap({ sum }, gather, parametersIn([slopes], numbers)), vectors: [along] }
}

/** The energy of the angle of each end, in `sum`: all its ends have it. */
export function angularEnergies(links: Angular, owner: string, numbers: SimulationNumbers['parameters']): BondMap {
  const energy = simplify(energyOf(links, symbolsOfLaw(links, owner, numbers)))
  return { workload: gatherMap({ sum: toText(energy) }, {}, parametersIn([energy], numbers)), vectors: [] }
}

/** The derivative of an energy by the angle. */
export const slopeIn = (energy: Expr): Expr => simplify(differentiate(energy, angle))

/** The energy, in the angle and the numbers of each end. @param values the expressions that replace the parameters */
export function energyOf({ law, attributes }: Angular, values: Readonly<Record<string, Expr>>): Expr {
  const own = Object.keys(attributes).map((name) => [name, symbol(endNames.attribute(name))] as const)
  return substitute(energyIn(law), { ...values, ...Object.fromEntries(own), [angleIn(law)]: symbol(angle) })
}

const symbolsOfLaw = ({ law }: Angular, owner: string, numbers: SimulationNumbers['parameters']) =>
  symbolsFor(owner, numbers[owner] as NumbersByName, simplify(energyIn(law)))
