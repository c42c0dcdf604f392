/**
 * Whole-tree rewriting: canonical form, substitution of symbols, and factoring of sums.
 *
 * @module
 */
import { callOf, powerOf, productOf, sumOf } from './canonical.ts'
import { constant, type Expr, isConstant, key, splitCoefficient, splitExponent } from './nodes.ts'
import { sumOverOneDenominator } from './one-denominator.ts'
import { type Rules, rebuildWith } from './rebuild.ts'

const canonical: Rules = {
  sum: (e, again) => sumOf(e.terms.map(again)),
  product: (e, again) => productOf(e.factors.map(again)),
  power: (e, again) => powerOf(again(e.base), e.exponent),
  call: (e, again) => callOf(e.name, e.args.map(again)),
}

/** The canonical form: equal for expressions that differ only in order, grouping or like terms. */
export function simplify(e: Expr): Expr {
  return rebuildWith(e, canonical)
}

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
