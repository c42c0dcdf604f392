/**
 * Builders that put nodes into canonical form as they are made: flat sums and products, like terms and like powers
 * collected, operands in a fixed order. Two expressions that these builders make equal have equal keys.
 *
 * Nothing is ever expanded. A power of a quotient stays whole, `(s^2/r2)^6`, because `s^12` alone would leave the
 * range of float32 in common units; only roots inside it are squared away.
 *
 * @module
 */
import { evaluate } from './evaluate.ts'
import { type FunctionName, functions } from './functions/table.ts'
import {
  call,
  constant,
  type Expr,
  isConstant,
  key,
  power,
  product,
  type Sum,
  splitCoefficient,
  splitExponent,
  sum,
  symbolsOf,
} from './nodes.ts'

/** Symbols that cannot be negative, so that a root of their square is themselves. */
const nonnegative = new Set(['r', 'r2', 'lengthUnit'])

/** Operands in their fixed order. */
function sorted(operands: readonly Expr[]): readonly Expr[] {
  if (operands.length < 2) return operands
  const keyed = operands.map((e) => [key(e), e] as const)
  return keyed.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)).map(([, e]) => e)
}

/** The sum of canonical terms. */
export function sumOf(terms: readonly Expr[]): Expr {
  const collected = new Map<string, { rest: Expr; coefficient: number }>()
  const add = (term: Expr, scale: number): void => {
    const [coefficient, rest] = splitCoefficient(term)
    if (rest.kind === 'sum' && isExactFactor(scale * coefficient))
      for (const inner of rest.terms) add(inner, scale * coefficient)
    else {
      const k = key(rest)
      collected.set(k, { rest, coefficient: (collected.get(k)?.coefficient ?? 0) + scale * coefficient })
    }
  }
  for (const term of terms) add(term, 1)
  const kept = [...collected.values()].filter(({ coefficient }) => coefficient !== 0)
  // Coefficients of equal sums may add up to one that is distributed.
  if (kept.some(({ rest, coefficient }) => rest.kind === 'sum' && isExactFactor(coefficient)))
    return sumOf(kept.map(({ rest, coefficient }) => productOf([constant(coefficient), rest])))
  const result = sorted(kept.map(({ rest, coefficient }) => productOf([constant(coefficient), rest])))
  return result.length === 0 ? constant(0) : result.length === 1 ? (result[0] as Expr) : sum(...result)
}

/** The product of canonical factors. */
export function productOf(factors: readonly Expr[]): Expr {
  let coefficient = 1
  const powers = new Map<string, { base: Expr; exponent: number }>()
  const multiply = (factor: Expr): void => {
    if (factor.kind === 'constant') coefficient *= factor.value
    else if (factor.kind === 'product') factor.factors.forEach(multiply)
    else {
      const [base, exponent] = splitExponent(factor)
      const k = key(base)
      powers.set(k, { base, exponent: (powers.get(k)?.exponent ?? 0) + exponent })
    }
  }
  factors.forEach(multiply)
  if (coefficient === 0) return constant(0)
  const merged = [...powers.values()]
    .filter(({ exponent }) => exponent !== 0)
    .map(({ base, exponent }) => ({ base, result: powerOf(base, exponent) }))
  const results = merged.map(({ result }) => result)
  // A merged power may have become a number, a product, or x^2 from two roots. Collect once more.
  if (merged.some(({ base, result: e }) => e.kind === 'constant' || key(splitExponent(e)[0]) !== key(base)))
    return productOf([constant(coefficient), ...results])
  const rest = sorted(results)
  const [only] = rest
  if (only === undefined) return constant(coefficient)
  if (rest.length === 1 && coefficient === 1) return only
  if (rest.length === 1 && only.kind === 'sum') return multipleOf(only, coefficient)
  return coefficient === 1 ? product(...rest) : product(constant(coefficient), ...rest)
}

/**
 * A number times a lone sum. A sign is distributed, so that -(a - b) and b - a are one form, and so are powers of two. Other numbers
 * stay outside, and take such factors of the sum with them.
 */
function multipleOf({ terms }: Sum, coefficient: number): Expr {
  const scaled = (by: number) => sumOf(terms.map((t) => productOf([constant(by), t])))
  if (isExactFactor(coefficient)) return scaled(coefficient)
  const least = Math.min(...terms.map((t) => Math.abs(splitCoefficient(t)[0])))
  return isExactFactor(least)
    ? product(constant(coefficient * least), scaled(1 / least))
    : product(constant(coefficient), sum(...terms))
}

/**
 * Whether products with a number are exact: it is a power of two, or the opposite of one. Other numbers are not distributed over sums,
 * because `0.1*a - 0.1*b` would lose digits that `0.1*(a - b)` keeps.
 */
function isExactFactor(x: number): boolean {
  const size = Math.abs(x)
  return size === 2 ** Math.round(Math.log2(size))
}

/** A canonical base to a numeric power. */
export function powerOf(base: Expr, exponent: number): Expr {
  if (exponent === 0) return constant(1)
  if (exponent === 1) return base
  if (base.kind === 'constant') {
    const value = base.value ** exponent
    return Number.isFinite(value) ? constant(value) : power(base, exponent)
  }
  if (base.kind === 'power') {
    const whole = base.exponent * exponent
    if (mergesWith(base, exponent)) return powerOf(base.base, whole)
    // The root of a square is an absolute value, which has a slope of 0 at 0; that of the root would be 0/0.
    if (base.exponent % 2 === 0) return powerOf(callOf('abs', [base.base]), whole)
  }
  if (base.kind === 'call' && base.name === 'abs' && exponent % 2 === 0) {
    const [inner] = base.args as [Expr]
    // The factors of a product stay together: their powers may leave the range of float32.
    if (inner.kind !== 'product') return powerOf(inner, exponent)
  }
  return base.kind === 'product' ? powerOfProduct(base.factors, exponent) : power(base, exponent)
}

/** Whether `(b^inner)^outer = b^(inner*outer)` for every b where the left side is real: not for `(b^2)^(1/2) = |b|`. */
function mergesWith(inner: { readonly base: Expr; readonly exponent: number }, outer: number): boolean {
  const rooted = !Number.isInteger(outer) && inner.exponent % 2 === 0
  return !rooted || (inner.base.kind === 'symbol' && nonnegative.has(inner.base.name))
}

function powerOfProduct(factors: readonly Expr[], exponent: number): Expr {
  const distribute = () => productOf(factors.map((f) => powerOf(f, exponent)))
  if (exponent === -1) return distribute()
  if (!Number.isInteger(exponent)) {
    // A root of an even power is no larger than it. Other powers may leave the range of float32, although their product stays within.
    const isRoot = Math.abs(exponent) < 1
    const isFree = (f: Expr) => (f.kind === 'constant' ? f.value > 0 : isNonnegative(f) || (isRoot && isEvenPower(f)))
    const free = factors.filter(isFree)
    if (free.length === 0) return power(product(...factors), exponent)
    const bound = factors.filter((f) => !free.includes(f))
    return productOf([...free.map((f) => powerOf(f, exponent)), powerOf(productOf(bound), exponent)])
  }
  const [coefficient, rest] = splitCoefficient(product(...factors))
  if (coefficient !== 1) return productOf([constant(coefficient ** exponent), powerOf(rest, exponent)])
  const exponents = factors.map((f) => splitExponent(f)[1])
  if (exponents.every((e) => e > 0) || exponents.every((e) => e < 0)) return distribute()
  const rooted = exponents.some((e) => !Number.isInteger(e)) && exponents.every((e) => Number.isInteger(2 * e))
  if (rooted && exponent % 2 === 0) return powerOf(productOf(factors.map((f) => powerOf(f, 2))), exponent / 2)
  return power(product(...factors), exponent)
}

const isEvenPower = (e: Expr): boolean => e.kind === 'power' && e.exponent % 2 === 0

/** Whether it is a power of a symbol that cannot be negative. */
export function isNonnegative(e: Expr): boolean {
  const [base] = splitExponent(e)
  return base.kind === 'symbol' && nonnegative.has(base.name)
}

/** A call with canonical arguments. A call of constants is computed at once. */
export function callOf(name: FunctionName, args: readonly Expr[]): Expr {
  const [a, b, c] = args
  if (name === 'pow' && a && b?.kind === 'constant') return powerOf(a, b.value)
  if (name === 'select' && a && b && c) {
    if (key(b) === key(c)) return b
    if (symbolsOf(a).size === 0) return evaluate(a) ? b : c
    const [scale, rest] = splitCoefficient(c)
    // Outside, a power of two may cancel another, as the 2 and the 1/2 of the force of a function of the distance.
    if (isConstant(b, 0) && scale > 0 && scale !== 1 && isExactFactor(scale))
      return productOf([constant(scale), callOf('select', [a, b, rest])])
  }
  const whole = call(name, ...args)
  if (functions[name].result === 'condition' || args.some((arg) => arg.kind !== 'constant')) return whole
  const value = evaluate(whole)
  return Number.isFinite(value) ? constant(value) : whole
}
