/**
 * Writes a sum of quotients over one denominator, if terms then cancel exactly: `1/(1 + r) - r/(1 + r)^2` becomes `1/(1 + r)^2`.
 *
 * The derivative of a quotient is such a sum. At r = 1e4 its two terms agree in four digits, which their difference would lose.
 *
 * @module
 */
import { powerOf, productOf, sumOf } from './canonical.ts'
import { type Expr, isConstant, key, type Sum, splitExponent } from './nodes.ts'

/** Longer numerators are not written out. */
const mostTerms = 32

/** The canonical sum of canonical terms. */
export function sumOverOneDenominator(terms: readonly Expr[]): Expr {
  const plain = sumOf(terms)
  if (plain.kind !== 'sum') return plain
  for (const denominator of denominatorsOf(plain)) {
    const joined = over(denominator, plain)
    if (joined) return joined
  }
  return plain
}

/** Undefined if nothing cancels, or if more terms would be left than there were. */
function over(denominator: Sum, { terms }: Sum): Expr | undefined {
  const exponents = terms.map((term) => exponentIn(term, denominator))
  const least = Math.min(...exponents)
  if (!exponents.every((n) => n === least || n === least + 1)) return undefined
  const above = terms.map((term, n) =>
    expanded(
      productOf([term, powerOf(denominator, -(exponents[n] as number))]),
      exponents[n] === least ? [] : [denominator],
    ),
  )
  const written = above.flat()
  if (written.length > mostTerms) return undefined
  const numerator = sumOf(written)
  const left = numerator.kind === 'sum' ? numerator.terms.length : isConstant(numerator, 0) ? 0 : 1
  return left <= terms.length && left < written.length ? productOf([powerOf(denominator, least), numerator]) : undefined
}

const factorsOf = (e: Expr): readonly Expr[] => (e.kind === 'product' ? e.factors : [e])

/** The sums by which some term is divided. */
function denominatorsOf({ terms }: Sum): Iterable<Sum> {
  const found = new Map<string, Sum>()
  for (const [base, exponent] of terms.flatMap(factorsOf).map(splitExponent))
    if (base.kind === 'sum' && exponent < 0) found.set(key(base), base)
  return found.values()
}

const exponentIn = (term: Expr, base: Expr): number =>
  factorsOf(term)
    .map(splitExponent)
    .find(([other]) => key(other) === key(base))?.[1] ?? 0

/** The terms of a product, with its sums multiplied out; the product itself if these are too many. */
function expanded(product: Expr, more: readonly Sum[]): readonly Expr[] {
  const factors = [...factorsOf(product), ...more]
  const sums = factors.flatMap((factor) => (factor.kind === 'sum' ? [factor] : []))
  if (sums.reduce((count, { terms }) => count * terms.length, 1) > mostTerms) return [productOf(factors)]
  return sums.reduce<readonly Expr[]>(
    (written, { terms }) => written.flatMap((one) => terms.map((term) => productOf([one, term]))),
    [productOf(factors.filter((factor) => factor.kind !== 'sum'))],
  )
}
