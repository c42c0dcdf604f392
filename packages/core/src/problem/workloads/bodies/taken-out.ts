/**
 * Factors that are the same in all terms of a target: a loop adds up the rest, and multiplies the sum once.
 *
 * @module
 */
import { isLong } from '../../../language/limit-size.ts'
import { type Expr, product, symbolsOf } from '../../../language/nodes.ts'
import type { Rate } from '../../../language/schedule.ts'
import { ruleOf } from '../../reductions/table.ts'
import { finiteAtContact } from '../finite-at-contact.ts'
import { expressionsIn } from '../quantity.ts'
import type { PairWorkload, Shape } from '../workload.ts'
import { neverZero } from './coincident.ts'
import { cancelsInertia, type Divided, dividedByInertia } from './inertia.ts'
import { rateOf } from './rates.ts'
import { termIn } from './scaled-term.ts'

/**
 * Takes factors that are constant within a target's sum out of it, if every component has them. They must be finite, because
 * they also multiply a sum of no pairs. Roots of attributes are allowed: a law has no value for a point with a negative
 * attribute.
 */
export function takeOut(terms: readonly Expr[], finite: (e: Expr) => boolean): Divided {
  const [only] = terms
  if (terms.length !== 1 || only?.kind !== 'product') return { scale: undefined, terms }
  const ratesOfTree = (e: Expr): Set<Rate> => new Set([...symbolsOf(e)].map(rateOf))
  const of = (test: (rates: Set<Rate>) => boolean) =>
    only.factors.filter((f) => (finite(f) || isRoot(f)) && test(ratesOfTree(f)))
  const target = of((s) => s.has('target') && !s.has('source') && !s.has('loop'))
  const run = of((s) => [...s].every((rate) => rate === 'run'))
  const source = of((s) => s.has('source') && !s.has('target') && !s.has('loop'))
  // Put factors of the run where a multiplication is done anyway: to the target, otherwise to the source.
  const out = target.length || !source.length ? [...run, ...target] : []
  const kept = only.factors.filter((f) => !out.includes(f))
  const scale = product(...out)
  // A recurrence is computed in the loop, part by part.
  if (out.length === 0 || isLong(scale)) return { scale: undefined, terms }
  return { scale, terms: [kept.length === 1 ? (kept[0] as Expr) : product(...kept)] }
}

const isRoot = (e: Expr): boolean => e.kind === 'power' && e.exponent > 0 && e.base.kind === 'symbol'

/** The factors that loops may take out of the sum of a target. The plan of the device decides which of them, if any. */
export function factorsTakenOut(workload: PairWorkload, shape: Shape): readonly Expr[] {
  if (!ruleOf(workload).linear) return []
  const terms = expressionsIn(termIn(workload, shape))
  const nonzero = neverZero(workload)
  const { scale } = takeOut(terms, (e) => finiteAtContact(e, nonzero))
  const divided = cancelsInertia(workload, shape.dimension) ? dividedByInertia(workload, terms)?.scale : undefined
  return [scale, divided].filter((e) => e !== undefined)
}
