/**
 * Writes an expression as a sum of products, `weight * coefficient`. Weights read one group of names, and coefficients read the
 * others: `(q_i - q_j)^2 * f` is `1 * q_i^2 f`, `q_j * -2 q_i f` and `q_j^2 * f`.
 *
 * It expands only where the groups meet. It makes no attempt to find equal functions that are written in different ways.
 *
 * @module
 */
import { callOf, powerOf, productOf, sumOf } from './canonical.ts'
import { type Call, constant, type Expr, type ExprKind, key, type Power, splitCoefficient, symbolsOf } from './nodes.ts'
import { once } from './rebuild.ts'

export interface SeparatedPart {
  /** A product of functions of the first group. */
  readonly weight: Expr
  readonly coefficient: Expr
}

/** The parts, or the smallest part of the expression that is not such a sum. */
export type Separation = { readonly parts: readonly SeparatedPart[] } | { readonly mixed: Expr }

/** The group of a name: `either` may be on both sides. */
export type Group = 'weight' | 'coefficient' | 'either'

/** A longer sum is not written out. */
const mostParts = 64

/** The parts of an expression in canonical form or factored. Each weight occurs once. */
export function separate(e: Expr, groupOf: (name: string) => Group): Separation {
  const groups = once((inner) => new Set([...symbolsOf(inner)].map(groupOf)))
  const separated = once((inner): Separation => {
    if (!groups(inner).has('weight')) return { parts: [{ weight: constant(1), coefficient: inner }] }
    // The factors of a product may belong on different sides even if all may be in weights.
    if (inner.kind !== 'product' && !groups(inner).has('coefficient')) return collected([[inner, constant(1)]], inner)
    return (rules[inner.kind] as (e: Expr, again: (e: Expr) => Separation) => Separation)(inner, separated)
  })
  return separated(e)
}

type Rule<K extends ExprKind> = (e: Extract<Expr, { kind: K }>, again: (e: Expr) => Separation) => Separation

const rules: { readonly [K in ExprKind]: Rule<K> } = {
  constant: (mixed) => ({ mixed }),
  symbol: (mixed) => ({ mixed }),
  sum: (e, again) => {
    const terms = e.terms.map(again)
    return firstMixed(terms) ?? collected(terms.flatMap(pairsOf), e)
  },
  product: (e, again) => {
    const factors = e.factors.map(again)
    return firstMixed(factors) ?? multiplied(factors, e)
  },
  power: (e, again) => separatePower(e, again(e.base)),
  call: (e, again) => separateCall(e, again),
}

type Pair = readonly [weight: Expr, coefficient: Expr]

const pairsOf = (separation: Separation): readonly Pair[] =>
  'parts' in separation ? separation.parts.map(({ weight, coefficient }) => [weight, coefficient]) : []

const firstMixed = (separations: readonly Separation[]) => separations.find((separation) => 'mixed' in separation)

/** Adds up the coefficients of equal weights. */
function collected(pairs: readonly Pair[], whole: Expr): Separation {
  const coefficients = new Map<string, { weight: Expr; terms: Expr[] }>()
  for (const [given, coefficient] of pairs) {
    const [number, weight] = splitCoefficient(given)
    const same = coefficients.get(key(weight)) ?? { weight, terms: [] }
    same.terms.push(productOf([constant(number), coefficient]))
    coefficients.set(key(weight), same)
  }
  if (coefficients.size > mostParts) return { mixed: whole }
  return { parts: [...coefficients.values()].map(({ weight, terms }) => ({ weight, coefficient: sumOf(terms) })) }
}

function multiplied(factors: readonly Separation[], whole: Expr): Separation {
  let product: Separation = { parts: [{ weight: constant(1), coefficient: constant(1) }] }
  for (const factor of factors) {
    const pairs = pairsOf(product).flatMap(([w, c]) =>
      pairsOf(factor).map(([weight, coefficient]): Pair => [productOf([w, weight]), productOf([c, coefficient])]),
    )
    product = collected(pairs, whole)
  }
  return product
}

function separatePower(e: Power, base: Separation): Separation {
  const [only, ...others] = pairsOf(base)
  if (!only) return { mixed: e }
  const { exponent } = e
  if (others.length === 0) {
    // The root of a product is real if both factors are negative, too, but then their own roots are not.
    const of = (factor: Expr) => powerOf(Number.isInteger(exponent) ? factor : callOf('abs', [factor]), exponent)
    return collected([[of(only[0]), of(only[1])]], e)
  }
  const expands = Number.isInteger(exponent) && exponent > 0
  return expands ? multiplied(Array<Separation>(exponent).fill(base), e) : { mixed: e }
}

function separateCall(e: Call, again: (e: Expr) => Separation): Separation {
  const [first, ...rest] = e.args.map(again)
  const [only, ...others] = pairsOf(first as Separation)
  if (e.name === 'abs' && only && others.length === 0)
    return collected([[callOf('abs', [only[0]]), callOf('abs', [only[1]])]], e)
  // A choice whose condition reads no weights is a sum of two parts.
  const condition = e.args[0] as Expr
  if (e.name !== 'select' || !only || others.length > 0 || key(only[1]) !== key(condition)) return { mixed: e }
  const [yes = [], no = []] = rest.map(pairsOf)
  const zero = constant(0)
  return (
    firstMixed(rest) ??
    collected(
      [
        ...yes.map(([weight, c]): Pair => [weight, callOf('select', [condition, c, zero])]),
        ...no.map(([weight, c]): Pair => [weight, callOf('select', [condition, zero, c])]),
      ],
      e,
    )
  )
}
