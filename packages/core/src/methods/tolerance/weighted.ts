/**
 * A workload in terms of the numbers of a source that proxies add up: the loop of any device then takes proxies for sources.
 *
 * @module
 */

import { Remembered } from '../../ground/remember.ts'
import type { SourceWeight } from '../../problem/workloads/tree-facts.ts'
import type { Dimension, PairWorkload } from '../../problem/workloads/workload.ts'
import { inComponents, lawOf, tooLong } from './derived-law.ts'
import { sourceWeights } from './source-weights.ts'

export interface Weighted {
  /** The same workload if each weight is an attribute, otherwise one with the same terms, which reads weights as attributes. */
  readonly workload: PairWorkload
  readonly weights: readonly SourceWeight[]
}

const known = new Remembered<PairWorkload, Weighted | undefined>()

/** Undefined if a tree cannot approximate the workload, or has nothing to add up, or if the terms are too long. */
export function weightedWorkload(workload: PairWorkload, dimension: Dimension): Weighted | undefined {
  return known.of(workload, () => weighted(workload, dimension), String(dimension))
}

function weighted(workload: PairWorkload, dimension: Dimension): Weighted | undefined {
  const separated = sourceWeights(workload, dimension)
  if (!separated.ok || separated.weights.length === 0) return undefined
  const { weights, term } = separated
  if (weights.every(({ value }) => value.kind === 'symbol')) return { workload, weights }
  const { name, parameters } = workload.law
  const law = lawOf(name, inComponents(term, dimension), parameters)
  return tooLong(law) ? undefined : { workload: { ...workload, law, quantity: 'term' }, weights }
}
