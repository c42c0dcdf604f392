/**
 * The parts of a term that a compiler may add to a sum one by one. Where `s + (r2 - 1)*0.1` becomes `s + 0.1*r2 - 0.1`, as on a
 * graphics driver that was measured (docs/accuracy.md), every pair rounds `s - 0.1` in the same direction, although no two
 * terms are alike.
 *
 * @module
 */
import { type Expr, product, symbolsOf } from '../expression/nodes.ts'

const distances = ['dx', 'dy', 'dz', 'r2']

/** The parts that do not depend on the distance, and so may be the same for many pairs; none if the term has one part only. */
export function alikeAddends(e: Expr): readonly Expr[] {
  const parts = addendsOf(e)
  if (parts.length < 2) return []
  return parts.filter((part) => {
    const names = symbolsOf(part)
    return !distances.some((name) => names.has(name))
  })
}

/** The terms of a sum; a product with one sum is distributed over its terms. */
function addendsOf(e: Expr): readonly Expr[] {
  if (e.kind === 'sum') return e.terms.flatMap(addendsOf)
  if (e.kind !== 'product') return [e]
  const at = e.factors.findIndex(({ kind }) => kind === 'sum')
  const inner = e.factors[at]
  if (inner?.kind !== 'sum' || e.factors.some((factor, n) => n !== at && factor.kind === 'sum')) return [e]
  return inner.terms.flatMap((term) => addendsOf(product(...e.factors.map((factor, n) => (n === at ? term : factor)))))
}
