/**
 * The slopes of the energy of all points by computed attributes, as data. The chain rule finds them from the last attribute to the first.
 *
 * The energy changes with an attribute c of a point i by the slopes of the energies of points and of pairs that read c_i, and through the
 * later attributes that read it. A later expression d(c) adds its own slope times dd/dc. A later sum s_i = sum over j of w_ij adds
 * slope_i dw_ij/dc_i + slope_j dw_ji/dc_i for each pair. So some parts of a slope are sums over pairs themselves.
 *
 * @module
 */
import { productOf, sumOf } from '../../language/canonical.ts'
import { differentiate } from '../../language/differentiate.ts'
import { toText } from '../../language/infix.ts'
import { attributesIn } from '../../language/lookups.ts'
import { constant, dependsOn, type Expr, isConstant, nodesOf, symbol, symbolsOf } from '../../language/nodes.ts'
import { longestLawName, pairTerm } from '../../problem/interactions/define.ts'
import { numbersOfLaw } from '../../problem/interactions/from-data.ts'
import type { Interaction } from '../../problem/interactions/interaction.ts'
import { exchanged, expressionsToWrite } from '../../problem/interactions/parse-interaction.ts'
import { isVectorTerm } from '../../problem/interactions/vectors.ts'
import { sharesCutoff } from '../../problem/workloads/cutoff.ts'
import type { DomainOptions } from '../../problem/workloads/domain.ts'
import { sum } from '../../problem/workloads/pair.ts'
import { bothEnds } from './both-ends.ts'
import { type ComputedPart, namesOf, nestedIn, placed, readsAttribute } from './computed.ts'
import { energyByName } from './external-expressions.ts'
import type { ExternalForce } from './external-force.ts'
import type { PairPart } from './pair-part.ts'

/** The slope of the energy of all points by a computed attribute, and the array that has it. */
export interface Slope {
  readonly array: string
  /** The name of the attribute. */
  readonly by: string
  /** Its parts that are sums over pairs, each with its array. */
  readonly sums: readonly { readonly array: string; readonly pair: PairPart }[]
  /** Later expressions that read the attribute, each with the array of its own slope. */
  readonly later: readonly { readonly array: string; readonly expression: Expr }[]
}

/**
 * The slopes that forces need, the last attribute first.
 *
 * @param external forces with their computed expressions written out @param pairs the forces between pairs
 * @throws TypeError for energies with derivatives that are not found
 */
export function slopesOf(
  computed: readonly ComputedPart[],
  external: readonly ExternalForce[],
  pairs: readonly PairPart[],
): readonly Slope[] {
  const moving = placed(computed)
  const energies = external.filter(({ kind }) => kind === 'external potential').map(energyByName)
  const potentials = pairs.filter(({ law }) => law.kind === 'potential' && nestedIn({ law }, computed) !== undefined)
  for (const part of potentials) requireDerivative(part, computed)
  const slopes: Slope[] = []
  const known: { readonly array: string; readonly one: ComputedPart }[] = []
  for (const one of computed.filter(({ name }) => moving.has(name)).reverse()) {
    const { name } = one
    const later = known.flatMap(({ array, one: other }) =>
      'expression' in other && readsIn(other.expression, one) ? [{ array, expression: other.expression }] : [],
    )
    const ofEnergies = potentials.filter(({ law }) => readsAttribute(law, one))
    const ofSums = known.flatMap(({ array, one: other }) =>
      'pair' in other && readsAttribute(other.pair.law, one) ? [{ array, pair: other.pair }] : [],
    )
    const through = later.length + ofEnergies.length + ofSums.length > 0
    if (!through && !energies.some((energy) => readsIn(energy, one))) continue
    requireFound(one)
    const array = `simulationSlope${slopes.length}`
    const terms = [
      ...ofEnergies.flatMap((part) => partOfEnergy(part, name, moving)),
      ...ofSums.flatMap((of) => partOfSum(of.pair, name, of.array)),
    ]
    slopes.push({ array, by: name, sums: terms.map((pair, n) => ({ array: `${array}Sum${n}`, pair })), later })
    known.push({ array, one })
  }
  return slopes
}

/** Whether an expression of a point reads a computed attribute. */
const readsIn = (e: Expr, one: ComputedPart): boolean => namesOf(one).some((name) => dependsOn(e, name))

/**
 * The slope of an energy of pairs by an attribute of the target. An energy such as max(a_i, a_j) has two slopes where both points are
 * equal, and both points would take the same one. So the slopes by either end share such an energy, each with half of it.
 *
 * @param moving the computed attributes that change with the places of points
 */
function partOfEnergy(part: PairPart, name: string, moving: ReadonlySet<string>): readonly PairPart[] {
  const [energy] = Object.values(expressionsToWrite(part.law)) as [Expr]
  const own = differentiate(energy, `${name}_i`)
  if (!choosesByBoth(energy, moving)) return sumOfSlopes(part, part.domain, name, own)
  const other = exchanged(differentiate(energy, `${name}_j`), part.law.tables)
  return sumOfSlopes(part, part.domain, name, productOf([constant(0.5), sumOf([own, other])]))
}

/** Whether an expression chooses by a comparison of numbers of both points, which are equal for some pairs, or for all. */
function choosesByBoth(e: Expr, moving: ReadonlySet<string>): boolean {
  return [...nodesOf(e)].some((choice) => {
    if (choice.kind !== 'call' || !choices.includes(choice.name)) return false
    const compared = choice.name === 'select' ? choice.args.slice(0, 1) : choice.args
    const read = [...symbolsOf(...compared)].flatMap(attributesIn).filter(({ attribute }) => moving.has(attribute))
    return new Set(read.map(({ side }) => side)).size === 2
  })
}

const choices: readonly string[] = ['max', 'min', 'select']

/** A later sum that reads an attribute of both of its points. @param slope the array with its own slope */
function partOfSum(part: PairPart, name: string, slope: string): readonly PairPart[] {
  const { e, domain } = bothEnds(part, (term, side) =>
    productOf([symbol(`${slope}_${side}`), differentiate(term, `${name}_i`)]),
  )
  return sumOfSlopes(part, domain, name, e)
}

function sumOfSlopes(
  { law, scale, summands }: PairPart,
  domain: DomainOptions,
  name: string,
  slope: Expr,
): readonly PairPart[] {
  if (isConstant(slope, 0)) return []
  const term = slopeTerm(law, name, slope)
  return [{ law: term, summands, domain, scale, workload: sum(term, domain) }]
}

function slopeTerm(law: Interaction, name: string, slope: Expr): Interaction {
  const title = `the slope of ${law.name} by ${name}`.slice(0, longestLawName)
  return pairTerm(toText(slope), { ...numbersOfLaw(law), name: title })()
}

/** @throws TypeError for an energy of pairs with a derivative through computed attributes that is not found */
function requireDerivative({ law, domain, workload }: PairPart, computed: readonly ComputedPart[]): void {
  const read = `${law.name} reads ${nestedIn({ law }, computed)}, which changes with the places of points`
  if (!law.symmetric)
    throw new TypeError(
      `"forces" expected an energy that both points of a pair share, because ${read}, and it is not seen to be the same with _i and _j exchanged; write both alike, as in max(a_i, a_j), or give the force with pairForce, or an energy of each point with externalPotential`,
    )
  if (domain.shift)
    throw new TypeError(
      `"shift" expected an energy of given attributes, but ${read}; leave it out, or give a switchDistance`,
    )
  if (!sharesCutoff(workload))
    throw new TypeError(
      `"cutoff" expected one number for both points of a pair, because ${read}, got ${domain.cutoff}; write an expression such as max(size_i, size_j)`,
    )
}

/** @throws TypeError for an attribute through which no derivative is found */
function requireFound(one: ComputedPart): void {
  const vector = 'pair' in one && isVectorTerm(one.pair.law)
  const place = 'expression' in one && ['x', 'y', 'z'].some((axis) => dependsOn(one.expression, `position_${axis}`))
  if (vector || place)
    throw new TypeError(
      `"computed.${one.name}" expected ${vector ? 'a sum that is one number' : 'an expression without positions'}, because ${vector ? 'energies' : 'energies of pairs'} or other sums depend on it, and a derivative through ${vector ? 'vectors' : 'places'} is not found; write the force with pairForce and externalForce`,
    )
}
