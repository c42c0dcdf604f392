/**
 * Masses that cancel: a force in proportion to the mass of its point accelerates points without mass, too.
 *
 * @module
 */
import { callOf, powerOf, productOf, sumOf } from '../../language/canonical.ts'
import { constant, type Expr, isConstant, splitExponent } from '../../language/nodes.ts'

/** A canonical expression divided by one of its symbols, if that is a factor of all of it. */
export function cancelled(e: Expr, name: string): Expr | undefined {
  if (isConstant(e, 0)) return e
  if (e.kind === 'sum') {
    const terms = each(e.terms, name)
    return terms && sumOf(terms)
  }
  if (e.kind === 'product') {
    for (const [n, factor] of e.factors.entries()) {
      const rest = cancelled(factor, name)
      if (rest) return productOf(e.factors.with(n, rest))
    }
    return undefined
  }
  if (e.kind === 'call' && e.name === 'select') {
    const [condition, ...values] = e.args
    const rest = each(values, name)
    return condition && rest && callOf('select', [condition, ...rest])
  }
  const [base, exponent] = splitExponent(e)
  if (base.kind !== 'symbol' || base.name !== name || exponent < 1) return undefined
  return exponent === 1 ? constant(1) : powerOf(base, exponent - 1)
}

function each(list: readonly Expr[], name: string): readonly Expr[] | undefined {
  const rests = list.map((e) => cancelled(e, name))
  return rests.some((rest) => rest === undefined) ? undefined : (rests as readonly Expr[])
}
