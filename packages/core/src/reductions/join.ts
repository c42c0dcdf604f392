/**
 * Reductions whose state is one number, for backends: they render one expression and need no fold by name.
 *
 * @module
 */
import type { Expr } from '../expression/nodes.ts'
import { parse } from '../expression/parse.ts'
import { type JoinedReduction, type Reduction, reductions } from './table.ts'

export interface Join {
  /** The value before the first term. */
  readonly empty: number
  /** The value after a term, in the symbols `value` and `term`. */
  readonly next: Expr
}

/** Whether a reduction keeps nothing but its value. */
export const isJoined = (reduction: Reduction): reduction is JoinedReduction => 'join' in reductions[reduction]

export function joinOf(reduction: JoinedReduction): Join {
  const { results, join } = reductions[reduction]
  return { empty: results.value, next: parse(join, { names: ['value', 'term'] }) }
}
