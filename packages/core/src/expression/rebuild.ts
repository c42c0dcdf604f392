/**
 * Bottom-up rewriting: a rule for the node kinds that change, the same shape for those that do not.
 *
 * @module
 */
import { call, type Expr, type ExprKind, power, product, sum } from './nodes.ts'

/** How each kind is rewritten; `again` rewrites an operand. */
export type Rules = { readonly [K in ExprKind]?: (e: Extract<Expr, { kind: K }>, again: (e: Expr) => Expr) => Expr }

const unchanged: Required<Rules> = {
  constant: (e) => e,
  symbol: (e) => e,
  sum: (e, again) => sum(...e.terms.map(again)),
  product: (e, again) => product(...e.factors.map(again)),
  power: (e, again) => power(again(e.base), e.exponent),
  call: (e, again) => call(e.name, ...e.args.map(again)),
}

/** Rewrites a tree; `descend` is how operands are reached, and by default applies the same rules again. */
export function rebuildWith(
  e: Expr,
  rules: Rules,
  descend: (e: Expr) => Expr = (inner) => rebuildWith(inner, rules),
): Expr {
  return ((rules[e.kind] ?? unchanged[e.kind]) as (e: Expr, again: (e: Expr) => Expr) => Expr)(e, descend)
}
