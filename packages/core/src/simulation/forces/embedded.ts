/**
 * The forces of energies that read computed sums, such as the energy of embedding an atom in a density.
 *
 * With a sum s_i = sum over j of w_ij, the energy of all points changes with w_ij by the slope dE/ds at i, and with w_ji by that at j. So
 * the force is that of a pair with the energy slope_i w_ij + slope_j w_ji, where the slopes are numbers of the points.
 *
 * @module
 */
import { productOf, sumOf } from '../../language/canonical.ts'
import { differentiate } from '../../language/differentiate.ts'
import { toText } from '../../language/infix.ts'
import { dependsOn, type Expr, symbol } from '../../language/nodes.ts'
import { simplify, substitute } from '../../language/simplify.ts'
import { longestLawName, pairPotential } from '../../problem/interactions/define.ts'
import { numbersOfLaw } from '../../problem/interactions/from-data.ts'
import type { Interaction } from '../../problem/interactions/interaction.ts'
import {
  attributesOf,
  exchanged,
  expressionsOf,
  expressionsToWrite,
} from '../../problem/interactions/parse-interaction.ts'
import { type ComputedPart, placed } from './computed.ts'
import { energyOfPoint } from './external-expressions.ts'
import type { ExternalForce } from './external-force.ts'
import type { PairPart } from './pair-part.ts'

/** The slope of the energy of a point by one of its sums, and the array that has it. */
export interface Slope {
  readonly array: string
  readonly sum: string
}

const slopeName = (n: number): string => `simulationSlope${n}`

/** The energy with the names of parameters in it. */
const energyIn = (force: ExternalForce): Expr => energyOfPoint(force, () => ({}))

/** External potentials without computed expressions, which are written out, so that their derivatives are complete. */
export function writtenOut(force: ExternalForce, computed: readonly ComputedPart[]): ExternalForce {
  const texts = computed.filter((one) => 'expression' in one)
  if (force.kind !== 'external potential' || texts.length === 0) return force
  let energy = energyIn(force)
  for (const { name, expression } of texts.reverse()) energy = substitute(energy, { [name]: expression })
  return { ...force, expression: toText(energy) }
}

/** The slopes that forces need, each with the pair law that pushes along it. @throws TypeError for sums of computed attributes */
export function embeddings(
  computed: readonly ComputedPart[],
  external: readonly ExternalForce[],
): readonly { readonly slope: Slope; readonly of: PairPart; readonly law: Interaction }[] {
  const energies = external.filter(({ kind }) => kind === 'external potential')
  const read = computed.flatMap((one) =>
    'pair' in one && energies.some((force) => dependsOn(energyIn(force), one.name)) ? [one] : [],
  )
  return read.map(({ name, pair }, n) => {
    const inner = nestedIn(pair, computed)
    if (inner !== undefined)
      throw new TypeError(
        `"computed.${name}" expected a sum of given attributes, because a potential reads it, but it reads ${inner}, which changes with the places of points, and the derivative through two sums is not found; write the force with pairForce and externalForce`,
      )
    return { slope: { array: slopeName(n), sum: name }, of: pair, law: pushing(pair.law, slopeName(n)) }
  })
}

/** A computed attribute that a law reads and that changes with the places of points. */
export function nestedIn({ law }: Pick<PairPart, 'law'>, computed: readonly ComputedPart[]): string | undefined {
  const { targets, sources } = attributesOf(Object.values(expressionsOf(law)))
  return [...placed(computed)].find((name) => targets.includes(name) || sources.includes(name))
}

/** The law of pairs whose force is that of the energy of a sum. @param slope the attribute with the slope of each point */
function pushing(term: Interaction, slope: string): Interaction {
  const [own] = Object.values(expressionsToWrite(term)) as [Expr]
  const other = exchanged(own, term.tables)
  const energy = sumOf([productOf([symbol(`${slope}_i`), own]), productOf([symbol(`${slope}_j`), other])])
  const name = `the energy of ${term.name}`.slice(0, longestLawName)
  return pairPotential(toText(energy), { ...numbersOfLaw(term), name })()
}

/** The slope of the energies by a sum. */
export function slopeOf(sum: string, energies: readonly Expr[]): Expr {
  return simplify(sumOf(energies.map((energy) => differentiate(energy, sum))))
}
