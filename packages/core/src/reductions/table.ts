/**
 * The closed list of reductions. Code that must know all of them reads this table, or is an exhaustive record that does not
 * compile until it has an entry for the new one: see the list in CONTRIBUTING.md.
 *
 * @module
 */
import { oneOf } from '../checks.ts'
import type { JoinedRule, ReductionRule } from './rule.ts'

/**
 * How the terms of one target are folded over its sources. `smallest` keeps the k least, with their sources; `list` keeps the
 * sources of all pairs that count.
 */
export type Reduction = 'sum' | 'count' | 'list' | 'smallest' | 'none' | ReduceOperation

/** The reductions of a scalar term that `reduce` offers. */
export type ReduceOperation = ValueOperation | IndexOperation
/** Those that give one number. */
export type ValueOperation = JoinedReduction | 'logsumexp'
/** Those that keep nothing but that number. Their rule says how a term joins it, and backends make the fold from that. */
export type JoinedReduction = 'min' | 'max'
/** Those that also give the source of that number. */
export type IndexOperation = 'argmin' | 'argmax'

/** The part of a pair workload that says how it is reduced. */
export interface Reduced {
  readonly results: readonly string[]
  readonly reduction: Reduction
  /** How many are kept by `smallest`. */
  readonly k?: number
}

type Rules = Record<Exclude<Reduction, JoinedReduction>, ReductionRule> & Record<JoinedReduction, JoinedRule>

export const reductions: Readonly<Rules> = {
  sum: { results: { value: 0 }, width: 'components', ordered: true, linear: true },
  min: { results: { value: Number.POSITIVE_INFINITY }, width: 1, join: 'select(term < value, term, value)' },
  max: { results: { value: Number.NEGATIVE_INFINITY }, width: 1, join: 'select(value < term, term, value)' },
  argmin: { results: { index: -1, value: Number.POSITIVE_INFINITY }, width: 1 },
  argmax: { results: { index: -1, value: Number.NEGATIVE_INFINITY }, width: 1 },
  logsumexp: { results: { value: Number.NEGATIVE_INFINITY }, width: 1, ordered: true },
  count: { results: { count: 0 }, width: 1, termless: true },
  list: { results: { offsets: 0, index: -1 }, width: 'list', termless: true },
  smallest: { results: { index: -1, distance: Number.POSITIVE_INFINITY }, width: 'k' },
  none: { results: { value: 0 }, width: 'sources' },
}

/** The reductions of a scalar term, in the order of the table. */
export const reduceOperations: readonly ReduceOperation[] = (Object.keys(reductions) as ReduceOperation[]).filter(
  (name) => reductions[name].width === 1 && !reductions[name].termless,
)

/** The rule of a workload's reduction. @throws TypeError for an unknown reduction */
export function ruleOf({ reduction }: Pick<Reduced, 'reduction'>): ReductionRule {
  return reductions[oneOf(reduction, 'workload.reduction', Object.keys(reductions) as Reduction[])]
}
