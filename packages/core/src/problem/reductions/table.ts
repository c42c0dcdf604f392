/**
 * The closed list of reductions. Code that must know all of them reads this table, or is an exhaustive record. Such a record does not
 * compile until it has an entry for the new one: see the list in CONTRIBUTING.md.
 *
 * @module
 */
import { oneOf } from '../../ground/checks.ts'
import type { NumbersRule, PickRule, ReductionRule } from './rule.ts'

/**
 * How the terms of one target are folded over its sources. `smallest` keeps the k least squared distances, and `least` the k least terms,
 * with their sources; `list` keeps the
 * sources of all pairs that count.
 */
export type Reduction = OtherReduction | ReduceOperation
/** Reductions with a fold of their own in every backend. */
export type OtherReduction = 'sum' | 'count' | 'list' | 'smallest' | 'least' | 'none'

/** The reductions of a scalar term that `reduce` offers. */
export type ReduceOperation = ValueOperation | IndexOperation
/** Reductions with a few numbers as their state. Backends make their folds from the rules. */
export type ValueOperation = 'min' | 'max' | 'logsumexp'
/** Reductions that also give a source. Backends fold all of them by the same code. */
export type IndexOperation = 'argmin' | 'argmax'

/** The part of a pair workload that says how it is reduced. */
export interface Reduced {
  readonly results: readonly string[]
  readonly reduction: Reduction
  /** How many are kept by `smallest` or `least`. */
  readonly k?: number
  /** The largest term that `count` counts; absent if it counts by distance. */
  readonly limit?: number
}

type Rules = Record<OtherReduction, ReductionRule> &
  Record<ValueOperation, NumbersRule> &
  Record<IndexOperation, PickRule>

/** A reduction with its value as the only state. An expression joins two values. */
function joined(empty: number, join: string): NumbersRule {
  const value = 'value'
  const results = { value: empty }
  return {
    results,
    width: 1,
    state: results,
    ofTerm: { value: 'term' },
    join: { value: join },
    toResults: { value },
    fromResults: { value },
  }
}

const { POSITIVE_INFINITY, NEGATIVE_INFINITY } = Number

export const reductions: Readonly<Rules> = {
  sum: { results: { value: 0 }, width: 'components', ordered: true, linear: true },
  min: joined(POSITIVE_INFINITY, 'select(other_value < value, other_value, value)'),
  max: joined(NEGATIVE_INFINITY, 'select(value < other_value, other_value, value)'),
  argmin: { results: { index: -1, value: POSITIVE_INFINITY }, width: 1, picks: 'least' },
  argmax: { results: { index: -1, value: NEGATIVE_INFINITY }, width: 1, picks: 'greatest' },
  // The sum is relative to the largest term so far, `top`, so that no exponential overflows.
  logsumexp: {
    results: { value: NEGATIVE_INFINITY },
    width: 1,
    ordered: true,
    state: { top: NEGATIVE_INFINITY, total: 0 },
    ofTerm: { top: 'term', total: '1' },
    join: {
      top: 'select(top < other_top, other_top, top)',
      total:
        'select(top < other_top, total*fall + other_total, total + other_total*fall); fall = exp(-abs(other_top - top))',
    },
    toResults: { value: 'top + log(total)' },
    fromResults: { top: 'value', total: '1' },
  },
  count: { results: { count: 0 }, width: 1, termless: true },
  list: { results: { offsets: 0, index: -1 }, width: 'list', termless: true },
  smallest: { results: { index: -1, distance: POSITIVE_INFINITY }, width: 'k' },
  least: { results: { index: -1, value: POSITIVE_INFINITY }, width: 'k' },
  none: { results: { value: 0 }, width: 'sources' },
}

/** Whether the state of a reduction is a few numbers. */
export const keepsNumbers = (reduction: Reduction): reduction is ValueOperation => 'state' in reductions[reduction]

/** Whether a reduction gives one source and its term. */
export const picksSource = (reduction: Reduction): reduction is IndexOperation => 'picks' in reductions[reduction]

/** The reductions of a scalar term, in the order of the table. */
export const reduceOperations: readonly ReduceOperation[] = (Object.keys(reductions) as ReduceOperation[]).filter(
  (name) => reductions[name].width === 1 && !reductions[name].termless,
)

/** The rule of a workload's reduction. @throws TypeError for an unknown reduction */
export function ruleOf({ reduction }: Pick<Reduced, 'reduction'>): ReductionRule {
  return reductions[oneOf(reduction, 'workload.reduction', Object.keys(reductions) as Reduction[])]
}

/** Whether a workload only asks which pairs are near enough, and computes no term. */
export const isTermless = (workload: Reduced): boolean =>
  ruleOf(workload).termless === true && workload.limit === undefined
