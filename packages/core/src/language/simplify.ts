/**
 * Rewriting: canonical form, substitution of symbols, factoring of sums, and sums of quotients over one denominator.
 *
 * @module
 */
import { callOf, powerOf, productOf, sumOf } from './canonical.ts'
import { constant, type Expr, isConstant, key, type Sum, splitCoefficient, splitExponent } from './nodes.ts'
import { type Rules, rebuildWith } from './rebuild.ts'

const canonical: Rules = {
  sum: (e, again) => sumOf(e.terms.map(again)),
  product: (e, again) => productOf(e.factors.map(again)),
  power: (e, again) => powerOf(again(e.base), e.exponent),
  call: (e, again) => callOf(e.name, e.args.map(again)),
}

/** The canonical form: equal for expressions that differ only in order, grouping or like terms. */
export function simplify(e: Expr): Expr {
  const known = simplified.get(e) ?? rebuildWith(e, canonical)
  simplified.set(e, known)
  return known
}

const simplified = new WeakMap<Expr, Expr>()

/** Rewrites some kinds of nodes by rules, and simplifies the others. */
export function rewrite(e: Expr, rules: Rules): Expr {
  return rebuildWith(e, { ...canonical, ...rules })
}

/** Replaces symbols by expressions, and simplifies. */
export function substitute(e: Expr, values: Readonly<Record<string, Expr>>): Expr {
  return rewrite(e, { symbol: (s) => (Object.hasOwn(values, s.name) ? (values[s.name] as Expr) : s) })
}

/**
 * Pulls common powers out of every sum: `a*x^2 + b*x` becomes `x*(a*x + b)`.
 * The result evaluates with fewer operations but is no longer canonical: factor last.
 */
export function factor(e: Expr): Expr {
  return rebuildSums(e, factorSum)
}

/** Rebuilds every sum from its rebuilt terms, and simplifies the rest. */
export function rebuildSums(e: Expr, build: (terms: readonly Expr[]) => Expr): Expr {
  return rewrite(e, { sum: (s, again) => build(s.terms.map(again)) })
}

function factorSum(given: readonly Expr[]): Expr {
  const whole = sumOverOneDenominator(given)
  if (whole.kind !== 'sum') return whole
  const { terms } = whole
  const common = terms.map(powersOf).reduce((shared, powers) => {
    const both = new Map<string, { base: Expr; exponent: number }>()
    for (const [k, { base, exponent }] of shared) {
      const other = powers.get(k)?.exponent ?? 0
      if (exponent * other > 0)
        both.set(k, { base, exponent: Math.sign(other) * Math.min(Math.abs(exponent), Math.abs(other)) })
    }
    return both
  })
  if (common.size === 0) return whole
  const coefficients = terms.map((t) => splitCoefficient(t)[0])
  const coefficient = coefficients.reduce((least, c) => (Math.abs(c) < Math.abs(least) ? c : least))
  const outside = [...common.values()].map(({ base, exponent }) => powerOf(base, exponent))
  const inverse = [...outside.map((f) => powerOf(f, -1)), constant(1 / coefficient)]
  const inside = sumOf(terms.map((t) => productOf([t, ...inverse])))
  return isConstant(inside, 0) ? inside : productOf([constant(coefficient), ...outside, inside])
}

function powersOf(term: Expr): Map<string, { base: Expr; exponent: number }> {
  const [, rest] = splitCoefficient(term)
  const factors = rest.kind === 'product' ? rest.factors : isConstant(rest) ? [] : [rest]
  return new Map(
    factors.map((f) => {
      const [base, exponent] = splitExponent(f)
      return [key(base), { base, exponent }] as const
    }),
  )
}

/** Longer numerators are not written out. */
const mostTerms = 32

/**
 * The canonical sum of canonical terms. Quotients are written over one denominator, if terms then cancel exactly:
 * `1/(1 + r) - r/(1 + r)^2` becomes `1/(1 + r)^2`. The derivative of a quotient is such a sum. At r = 1e4 its two terms agree in four
 * digits, which their difference would lose.
 */
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

/** The sums that are denominators of some term. */
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
