/**
 * The changes of two sums with one pair: a sum over the points near each point has the term w_ij at one end of a pair, and w_ji at the
 * other. If each end has a cutoff of its own, a pair counts at one end or at both.
 *
 * @module
 */
import { callOf, productOf, sumOf } from '../../language/canonical.ts'
import { toText } from '../../language/infix.ts'
import { constant, type Expr, symbol } from '../../language/nodes.ts'
import { exchanged, expressionsToWrite } from '../../problem/interactions/parse-interaction.ts'
import { cutoffOfPairs, sharesCutoff } from '../../problem/workloads/cutoff.ts'
import type { DomainOptions } from '../../problem/workloads/domain.ts'
import type { PairPart } from './pair-part.ts'

/**
 * The sum of what the term contributes at both ends, as an expression of the pair, and the domain of pairs that count at either.
 *
 * @param contribution - Of the term as this end has it: the end of the target, `i`, or of the source, `j`
 */
export function bothEnds(
  { law, domain, workload }: PairPart,
  contribution: (term: Expr, side: 'i' | 'j') => Expr,
): { readonly e: Expr; readonly domain: DomainOptions } {
  const [own] = Object.values(expressionsToWrite(law)) as [Expr]
  const ends = [contribution(own, 'i'), contribution(exchanged(own, law.tables), 'j')] as const
  const cutoff = cutoffOfPairs(workload)
  if (cutoff === undefined || sharesCutoff(workload)) return { e: sumOf(ends), domain }
  const cutoffs = [cutoff, exchanged(cutoff, law.tables)]
  const e = sumOf(ends.map((end, n) => within(cutoffs[n] as Expr, end)))
  return { e, domain: { ...domain, cutoff: toText(callOf('max', cutoffs)) } }
}

/** An expression for pairs that are nearer than a cutoff, and 0 for others. No pair is nearer than a negative cutoff. */
function within(cutoff: Expr, e: Expr): Expr {
  const near = callOf('less', [symbol('r2'), productOf([cutoff, callOf('abs', [cutoff])])])
  return callOf('select', [near, e, constant(0)])
}
