/**
 * Bottom-up rewriting: a rule for each node kind that changes. The others keep their shape.
 *
 * @module
 */
import { call, type Expr, type ExprKind, key, power, product, sum } from './nodes.ts'

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

/** Rewrites a tree by the same rules at every node. Equal operands are rewritten once, and become shared. */
export function rebuildWith(e: Expr, rules: Rules): Expr {
  const rebuilt: (e: Expr) => Expr = once((inner) => rebuildOperands(inner, rebuilt, rules))
  return rebuilt(e)
}

/** Rewrites one node; `descend` rewrites its operands. */
export function rebuildOperands(e: Expr, descend: (e: Expr) => Expr, rules: Rules = {}): Expr {
  return ((rules[e.kind] ?? unchanged[e.kind]) as (e: Expr, again: (e: Expr) => Expr) => Expr)(e, descend)
}

/** Makes a function of nodes remember its results, so that it visits equal nodes once, whether they are shared or made anew. */
export function once<T>(visit: (e: Expr) => T): (e: Expr) => T {
  const known = new Map<string, T>()
  return (e) => {
    const k = key(e)
    if (known.has(k)) return known.get(k) as T
    const value = visit(e)
    known.set(k, value)
    return value
  }
}
