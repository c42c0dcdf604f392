/**
 * The cutoffs of sums over pairs as numbers of a simulation. Programs read them, so another cutoff compiles nothing, unless it needs
 * other programs: see `passes.ts`. Cutoffs of pairs, which are texts, change with their parameters.
 *
 * @module
 */
import { domainOf } from '../../problem/workloads/define-domain.ts'
import { copiesIn, type DomainOptions } from '../../problem/workloads/domain.ts'
import type { ForceParts } from '../forces/force.ts'
import type { PairPart } from '../forces/pair-part.ts'
import { boundaryNow } from './box.ts'
import { type NumbersByName, ownerOf, type SimulationNumbers } from './numbers.ts'

type Numbers = Pick<SimulationNumbers, 'parameters'>

/** The owner of the cutoff of a sum over pairs. @param owner that of its parameters */
export const ofCutoff = (owner: string): string => `${owner}Cutoff`

const isOfCutoff = (owner: string): boolean => owner.endsWith(ofCutoff(''))

/** The cutoff of a sum and the distance where its switch begins, by name; undefined without a number for them. */
export function cutoffNumbers({ cutoff, switchDistance }: DomainOptions): NumbersByName | undefined {
  if (typeof cutoff !== 'number') return undefined
  return { cutoff, ...(switchDistance !== undefined && { switchDistance }) }
}

/** Where the sum of a force, or of several in one pass, ends now; empty without a number. */
export const cutoffNow = ({ summands: [first] }: Pick<PairPart, 'summands'>, { parameters }: Numbers): NumbersByName =>
  (first && parameters[ofCutoff(ownerOf('Pair', first.place))]) ?? {}

/** All cutoffs of some numbers as texts, in the order of their owners. */
export const cutoffsIn = ({ parameters }: Numbers): readonly string[] =>
  Object.entries(parameters).flatMap(([owner, numbers]) => (isOfCutoff(owner) ? [JSON.stringify(numbers)] : []))

/** @throws TypeError, RangeError for a cutoff that is not positive, or a switch that begins beyond it */
export function requireCutoffs({ parameters }: Numbers): void {
  for (const [owner, numbers] of Object.entries(parameters)) if (isOfCutoff(owner)) domainOf(numbers)
}

/** How many cells hold each cutoff, as text. */
export function cellsNow({ sums }: ForceParts, numbers: Numbers): string {
  const copies = sums.map((pair) => {
    const { boundary, cutoff } = pair.workload.domain
    const { cutoff: distance } = cutoffNow(pair, numbers)
    return copiesIn({
      boundary: boundaryNow(boundary, numbers),
      ...(distance !== undefined && { cutoff: { ...cutoff, distance, shift: false } }),
    })
  })
  return JSON.stringify(copies)
}
