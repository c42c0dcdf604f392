/**
 * The forces of energies that read computed sums, such as the energy of embedding an atom in a density.
 *
 * With a sum s_i = sum over j of w_ij, the energy of all points changes with w_ij by the slope dE/ds at i, and with w_ji by that at j. So
 * the force is that of a pair with the energy slope_i w_ij + slope_j w_ji, where the slopes are numbers of the points.
 *
 * @module
 */
import { productOf } from '../../language/canonical.ts'
import { toText } from '../../language/infix.ts'
import { type Expr, symbol } from '../../language/nodes.ts'
import { substitute } from '../../language/simplify.ts'
import { longestLawName, pairPotential } from '../../problem/interactions/define.ts'
import { numbersOfLaw } from '../../problem/interactions/from-data.ts'
import type { Interaction } from '../../problem/interactions/interaction.ts'
import type { DomainOptions } from '../../problem/workloads/domain.ts'
import { bothEnds } from './both-ends.ts'
import type { ComputedPart } from './computed.ts'
import type { Slope } from './energy-slopes.ts'
import { energyByName } from './external-expressions.ts'
import type { ExternalForce } from './external-force.ts'
import type { PairPart } from './pair-part.ts'

/** External potentials without computed expressions, which are written out, so that their derivatives are complete. */
export function writtenOut(force: ExternalForce, computed: readonly ComputedPart[]): ExternalForce {
  const texts = computed.filter((one) => 'expression' in one)
  if (force.kind !== 'external potential' || texts.length === 0) return force
  let energy = energyByName(force)
  for (const { name, expression } of texts.reverse()) energy = substitute(energy, { [name]: expression })
  return { ...force, expression: toText(energy) }
}

/** A sum over pairs that an energy depends on, and the law of pairs that pushes along the slope by it. */
export interface Embedding {
  readonly of: PairPart
  readonly law: Interaction
  readonly domain: DomainOptions
}

export function embeddings(computed: readonly ComputedPart[], slopes: readonly Slope[]): readonly Embedding[] {
  return computed.flatMap((one) => {
    const slope = slopes.find(({ by }) => by === one.name)
    return slope && 'pair' in one ? [{ of: one.pair, ...pushing(one.pair, slope.array) }] : []
  })
}

/** The law of pairs whose force is that of the energy of a sum. @param slope the attribute with the slope of each point */
function pushing(part: PairPart, slope: string): Omit<Embedding, 'of'> {
  const { e, domain } = bothEnds(part, (own: Expr, side) => productOf([symbol(`${slope}_${side}`), own]))
  const name = `the energy of ${part.law.name}`.slice(0, longestLawName)
  return { law: pairPotential(toText(e), { ...numbersOfLaw(part.law), name })(), domain }
}
