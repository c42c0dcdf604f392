/**
 * The closed list of reductions. Code that must know all of them reads this table, or is an exhaustive record that does not
 * compile until it has an entry for the new one: see the list in CONTRIBUTING.md.
 *
 * @module
 */
import { oneOf } from '../checks.ts'
import { argmax } from './argmax.ts'
import { argmin } from './argmin.ts'
import { count } from './count.ts'
import { logsumexp } from './logsumexp.ts'
import { max } from './max.ts'
import { min } from './min.ts'
import { none } from './none.ts'
import type { ReductionRule } from './rule.ts'
import { smallest } from './smallest.ts'
import { sum } from './sum.ts'

/** How the terms of one target are folded over its sources. `smallest` keeps the k least, with their sources. */
export type Reduction = 'sum' | 'min' | 'max' | 'argmin' | 'argmax' | 'logsumexp' | 'count' | 'smallest' | 'none'

/** The part of a pair workload that says how it is reduced. */
export interface Reduced {
  readonly results: readonly string[]
  readonly reduction: Reduction
  /** How many are kept by `smallest`. */
  readonly k?: number
}

export const reductions: Readonly<Record<Reduction, ReductionRule>> = {
  sum,
  min,
  max,
  argmin,
  argmax,
  logsumexp,
  count,
  smallest,
  none,
}

/** The rule of a workload's reduction. @throws TypeError for an unknown reduction */
export function ruleOf({ reduction }: Pick<Reduced, 'reduction'>): ReductionRule {
  return reductions[oneOf(reduction, 'workload.reduction', Object.keys(reductions) as Reduction[])]
}
