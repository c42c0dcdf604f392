/**
 * Exact symbolic derivatives of canonical trees: one rule for each node kind. The rule of a function is in its definition.
 *
 * A derivative has a value only where its expression has one. The logarithm needs care: `log(x)` has no value below 0, although
 * its rule, `dx/x`, has. Otherwise a bond stretched beyond the reach of its energy would pull with a force that looks usual.
 *
 * @module
 */
import { Remembered } from '../ground/remember.ts'
import { callOf, isNonnegative, powerOf, productOf, sumOf } from './canonical.ts'
import type { NumericFunction } from './functions/definition.ts'
import { functions } from './functions/table.ts'
import {
  type Call,
  call,
  children,
  constant,
  type Expr,
  type ExprKind,
  isConstant,
  key,
  type Sum,
  splitExponent,
} from './nodes.ts'
import { parse } from './parse.ts'
import { once, rebuildOperands } from './rebuild.ts'
import { substitute, sumOverOneDenominator } from './simplify.ts'

const zero = constant(0)

interface Derivative {
  (e: Expr): Expr
  /** Whether the variable occurs in an expression. */
  readonly varies: (e: Expr) => boolean
}

const rules: { readonly [K in ExprKind]: (e: Extract<Expr, { kind: K }>, d: Derivative) => Expr } = {
  constant: () => zero,
  symbol: () => zero,
  sum: (e, d) => ofPolynomial(e, d) ?? sumOf(e.terms.map(d)),
  product: (e, d) =>
    sumOverOneDenominator(e.factors.map((factor, k) => productOf([...e.factors.toSpliced(k, 1), d(factor)]))),
  power: (e, d) =>
    isReciprocal(e.base, d)
      ? productOf([constant(e.exponent), e, logarithmic(e.base, d)])
      : productOf([constant(e.exponent), powerOf(e.base, e.exponent - 1), d(e.base)]),
  call: ofCall,
}

/** A polynomial of a lower degree has no fewer operations if it is taken as one. */
const leastCoefficients = 4

/** The derivative of `c0 + x*(c1 + x*(...))` by Horner's scheme: `(c1 + x*(2*c2 + ...))*dx`. Undefined for other sums. */
function ofPolynomial(e: Sum, d: Derivative): Expr | undefined {
  const tried = new Set<string>()
  for (const { x, inner } of e.terms.flatMap(nested)) {
    if (tried.has(key(x))) continue
    tried.add(key(x))
    if (!inner.terms.some((term) => nestedBy(x, term))) continue
    const coefficients: Expr[] = []
    let rest: Expr = e
    for (let step = stepOf(rest, x, d); step; step = stepOf(rest, x, d)) {
      // A recurrence has earlier members as coefficients, and the slope of each would contain those of all before.
      if (coefficients.length > 0 && d.varies(step.coefficient)) break
      coefficients.push(step.coefficient)
      rest = step.rest
    }
    coefficients.push(rest)
    if (coefficients.length >= leastCoefficients) return slopeOf(x, coefficients, d)
  }
  return undefined
}

function slopeOf(x: Expr, coefficients: readonly Expr[], d: Derivative): Expr {
  const horner = (list: readonly Expr[]) =>
    list.reduceRight((inner, c) => sumOf([c, productOf([x, inner])]), zero as Expr)
  const slope = horner(coefficients.map((c, n) => productOf([constant(n), c])).slice(1))
  return sumOf([productOf([d(x), slope]), horner(coefficients.map(d))])
}

/** A term `x*(...)` as both factors. If `x` is a sum, too, either may be meant. */
function nested(term: Expr): readonly { readonly x: Expr; readonly inner: Sum }[] {
  if (term.kind !== 'product') return []
  const { factors } = term
  return factors.flatMap((inner, n) => (inner.kind === 'sum' ? [{ x: productOf(factors.toSpliced(n, 1)), inner }] : []))
}

/** The sum that a term multiplies by `x`. */
const nestedBy = (x: Expr, term: Expr): Sum | undefined => nested(term).find((one) => key(one.x) === key(x))?.inner

/** A polynomial as `coefficient + x*rest`. The rest is a sum, or does not vary. */
function stepOf(e: Expr, x: Expr, d: Derivative): { readonly coefficient: Expr; readonly rest: Expr } | undefined {
  if (e.kind !== 'sum') return undefined
  for (const [n, term] of e.terms.entries()) {
    if (!d.varies(term)) continue
    const inner = nestedBy(x, term)
    const rest = inner ?? productOf([term, powerOf(x, -1)])
    if (inner || !d.varies(rest)) return { coefficient: sumOf(e.terms.toSpliced(n, 1)), rest }
  }
  return undefined
}

/** The rule of a function, with the operands substituted. */
function ofCall({ name, args }: Call, d: Derivative): Expr {
  if (name === 'select') {
    const [when, a, b] = args as [Expr, Expr, Expr]
    return callOf('select', [when, d(a), d(b)])
  }
  const definition = functions[name]
  if (!('derivative' in definition)) throw new Error('a condition has no derivative')
  const { operands } = definition
  const values = operands.flatMap((operand, k) => {
    const arg = args[k] as Expr
    return [[operand, arg] as const, [`d${operand}`, d(arg)] as const]
  })
  const derivative = substitute(ruleOf(definition), Object.fromEntries(values))
  return name === 'log' ? withinDomain(derivative, args[0] as Expr) : derivative
}

/** The derivative where `x` is not negative, and elsewhere not a number, like a root. A factor of 1 rounds nothing. */
function withinDomain(derivative: Expr, x: Expr): Expr {
  const factors = x.kind === 'product' ? x.factors : [x]
  const unsure = productOf(factors.filter((factor) => !neverNegative(factor)))
  if (isConstant(unsure, 1)) return derivative
  const defined = call('lessEqual', zero, unsure)
  return productOf([derivative, callOf('select', [defined, constant(1), powerOf(unsure, 1 / 2)])])
}

const neverNegativeRules: { readonly [K in ExprKind]: (e: Extract<Expr, { kind: K }>) => boolean } = {
  constant: ({ value }) => value >= 0,
  symbol: isNonnegative,
  sum: ({ terms }) => terms.every(neverNegative),
  product: ({ factors }) => factors.every(neverNegative),
  power: ({ base, exponent }) => !Number.isInteger(exponent) || exponent % 2 === 0 || neverNegative(base),
  call: ({ name, args }) => {
    const definition = functions[name]
    return 'range' in definition ? definition.range !== 'all' : name === 'select' && args.slice(1).every(neverNegative)
  },
}

const signs = new Remembered<Expr, boolean>()

/** Whether the structure of an expression shows that it is never below 0; `false` means "not proven". */
function neverNegative(e: Expr): boolean {
  return signs.of(e, () => (neverNegativeRules[e.kind] as (e: Expr) => boolean)(e))
}

const rulesOfCalls = new Remembered<NumericFunction, Expr>()
const ruleOf = (definition: NumericFunction): Expr =>
  rulesOfCalls.of(definition, () =>
    parse(definition.derivative, { names: definition.operands.flatMap((operand) => [operand, `d${operand}`]) }),
  )

/** Whether the variable occurs only in denominators of a product. There `b'/b` is simpler than `b'`, and no more singular. */
function isReciprocal(base: Expr, d: Derivative): boolean {
  if (base.kind !== 'product') return false
  return base.factors.every((f) => isConstant(d(f), 0) || splitExponent(f)[1] < 0)
}

/** `b'/b` of a product of powers: `sum_k n_k f_k'/f_k`. */
function logarithmic(base: Expr, d: Derivative): Expr {
  const factors = base.kind === 'product' ? base.factors : [base]
  return sumOf(
    factors.map((factor) => {
      const [f, n] = splitExponent(factor)
      return productOf([constant(n), d(f), powerOf(f, -1)])
    }),
  )
}

/** The derivative of a canonical expression with respect to one of its symbols, in canonical form. */
export function differentiate(e: Expr, variable: string): Expr {
  const varies: (e: Expr) => boolean = once((inner) =>
    inner.kind === 'symbol' ? inner.name === variable : children(inner).some(varies),
  )
  const shared: (e: Expr) => Expr = once((inner) => rebuildOperands(inner, shared))
  const derivative: (e: Expr) => Expr = once((inner) => {
    if (inner.kind === 'symbol') return varies(inner) ? constant(1) : zero
    return varies(inner) ? shared((rules[inner.kind] as (e: Expr, d: Derivative) => Expr)(inner, d)) : zero
  })
  const d: Derivative = Object.assign(derivative, { varies })
  return d(e)
}
