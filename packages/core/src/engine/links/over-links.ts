/**
 * Workloads over links: a law between listed points, reduced at each point, over all links, or given for each link.
 *
 * @module
 */
import { flag, oneOf } from '../../ground/checks.ts'
import { Known } from '../../ground/made-or-given.ts'
import { Remembered } from '../../ground/remember.ts'
import type { Interaction } from '../../problem/interactions/interaction.ts'
import { isVectorTerm } from '../../problem/interactions/vectors.ts'
import { accelerations, energy, forces, potentials, reduce, sum, virial } from '../../problem/workloads/pair.ts'
import type { PairWorkload, ReduceOperation } from '../../problem/workloads/workload.ts'
import {
  type AngleOptions,
  type Angular,
  anglesOf,
  type DihedralOptions,
  dihedralsOf,
  isAngles,
  isDihedrals,
} from '../../simulation/forces/angles.ts'
import { type BondOptions, type Bonds, bondsOf } from '../../simulation/forces/bonds.ts'
import type { Links } from '../../simulation/forces/ends.ts'

/** Bonds of a workload, as those of a simulation. */
export interface LinkedPairs extends BondOptions {
  /** Whether only the first point of each bond receives; by default both do. */
  readonly directed?: boolean
}

/** Listed points with a law, as in the forces of a simulation. */
export type LinkedLaw = LinkedPairs | AngleOptions | DihedralOptions

const ofPoints = [
  'force',
  'acceleration',
  'potential',
  'sum',
  'mean',
  'min',
  'max',
  'argmin',
  'argmax',
  'logsumexp',
] as const
const ofAll = ['energy', 'virial'] as const

/** How the terms of links become results. */
export type LinkReduction = (typeof ofPoints)[number] | (typeof ofAll)[number] | 'each'

const reductions: readonly LinkReduction[] = [...ofPoints, ...ofAll, 'each']

/** The names of the results. */
export type LinkResult<R extends LinkReduction> = R extends 'argmin' | 'argmax'
  ? 'index' | 'value'
  : R extends 'sum' | 'mean' | 'min' | 'max' | 'logsumexp' | 'each'
    ? 'value'
    : R

/** A computation over links as plain frozen data. {@link overLinks} makes it. */
export interface LinkWorkload<Name extends string = string> {
  readonly loop: 'link'
  readonly results: readonly Name[]
  readonly reduction: LinkReduction
  readonly links: Links
  readonly directed: boolean
}

const known = new Known<LinkWorkload>('workload', ['results'])

/**
 * A law between listed points. `links` is written as a force of a simulation: `{ law, bonds, attributes }`, or with `angles` or `dihedrals`.
 *
 * In the law, `_i` is the point that receives and `_j` the other. Both points of a bond receive, unless the bonds are `directed`: then only
 * the first one does. A bond that is listed twice counts twice.
 *
 * | reduction                                | result                                                                     |
 * | ---------------------------------------- | -------------------------------------------------------------------------- |
 * | `force`, `acceleration`                  | the sum at each point, `[points, dimension]`                               |
 * | `potential`                              | the energies of the links of each point, `[points]`                        |
 * | `sum`, `mean`                            | `value` of a term at each point, `[points, components]`; 0 without links   |
 * | `min`, `max`, `logsumexp`                | `value` of a scalar term at each point                                     |
 * | `argmin`, `argmax`                       | the same with `index`, the link that has it, or -1                         |
 * | `energy`, `virial`                       | one number; each link counts once                                          |
 * | `each`                                   | `value` of each link, with its first point as `i`: `[links, components]`   |
 *
 * @throws TypeError, RangeError for wrong lists, and for a law that does not give the result
 * @example
 * const difference = pairTerm('weight*(f_j - f_i)', { parameters: { weight: 1 } })
 * const laplacian = overLinks('sum', { law: difference(), bonds: edges, attributes: { weight: weights } })
 */
export function overLinks<R extends LinkReduction>(reduction: R, links: LinkedLaw): LinkWorkload<LinkResult<R>>
export function overLinks(reduction: LinkReduction, links: LinkedLaw): LinkWorkload {
  oneOf(reduction, 'reduction', reductions)
  const { directed = false, ...given } = Object(links) as LinkedPairs
  flag(directed, 'links.directed')
  const checked = isAngles(given)
    ? anglesOf(given, 'links')
    : isDihedrals(given)
      ? dihedralsOf(given, 'links')
      : bondsOf(given, 'links')
  const results =
    'bonds' in checked ? bondWorkload(reduction, checked).results : resultsOfAngles(reduction, checked.law)
  if (directed && !('bonds' in checked))
    throw new TypeError('"links.directed" expected bonds, because all points of an angle receive')
  if (directed && !(ofPoints as readonly string[]).includes(reduction))
    throw new TypeError(
      `"links.directed" expected a result of each point, got ${reduction}, where each bond counts once`,
    )
  return known.made(Object.freeze({ loop: 'link', results, reduction, links: checked, directed }))
}

/** The same workload, checked, if it comes from data. @throws TypeError, RangeError */
export const linkWorkloadOf = (given: LinkWorkload): LinkWorkload =>
  known.of(given, ({ reduction, links, directed }) =>
    overLinks(reduction, { ...links, ...(directed && { directed }) } as LinkedLaw),
  )

const pairs = new Remembered<Interaction, PairWorkload>()

/** The workload over pairs that has the same term and the same results. @throws TypeError if the law does not give them */
export const bondWorkload = (reduction: LinkReduction, { law }: Pick<Bonds, 'law'>): PairWorkload =>
  pairs.of(law, () => pairWorkload(reduction, law), reduction)

function pairWorkload(reduction: LinkReduction, law: Interaction): PairWorkload {
  if (isVectorTerm(law))
    throw new TypeError(
      `"links.law" expected a term that is a number, got ${law.name}, a vector; write a term for each component, with arrays of their own`,
    )
  switch (reduction) {
    case 'force':
      return forces(law)
    case 'acceleration':
      return accelerations(law)
    case 'potential':
      return potentials(law)
    case 'energy':
      return energy(law)
    case 'virial':
      return virial(law)
    case 'sum':
    case 'mean':
    case 'each':
      return sum(law)
    default:
      return reduce(reduction as 'min', law)
  }
}

function resultsOfAngles(reduction: LinkReduction, { name, inertia }: Angular['law']): readonly string[] {
  if (reduction === 'virial')
    throw new TypeError(`"virial" expected bonds, got ${name}: the virial of angles is 0, because they have no length`)
  if (reduction === 'acceleration' && inertia === undefined)
    throw new TypeError(`"acceleration" expected a law with inertia, got ${name}: define it with { inertia: 'mass' }`)
  if (reduction === 'argmin' || reduction === 'argmax') return ['index', 'value']
  const named: readonly LinkReduction[] = ['force', 'acceleration', 'potential', 'energy']
  return [named.includes(reduction) ? reduction : 'value']
}

/** How many ends of each link add its term to a total. Both ends of a bond do, because its law may differ between them. */
export const endsInTotal = (links: Links): 1 | 2 => ('bonds' in links ? 2 : 1)

/** The reduction of the terms of a point, in the table of reductions; undefined for results of links, or of all. */
export const foldedBy = (reduction: LinkReduction): 'sum' | ReduceOperation | undefined => {
  if (reduction === 'each' || reduction === 'energy' || reduction === 'virial') return undefined
  const sums: readonly LinkReduction[] = ['force', 'acceleration', 'potential', 'sum', 'mean']
  return sums.includes(reduction) ? 'sum' : (reduction as ReduceOperation)
}
