/**
 * Exact symbolic derivatives of canonical trees, one rule per node kind and per function.
 *
 * @module
 */
import { callOf, powerOf, productOf, sumOf } from './canonical.ts'
import type { FunctionName } from './functions.ts'
import { constant, dependsOn, type Expr, type ExprKind, isConstant, splitExponent } from './nodes.ts'
import { once } from './rebuild.ts'

const zero = constant(0)

type Derivative = (e: Expr) => Expr

const rules: { readonly [K in ExprKind]: (e: Extract<Expr, { kind: K }>, d: Derivative) => Expr } = {
  constant: () => zero,
  symbol: () => zero,
  sum: (e, d) => sumOf(e.terms.map(d)),
  product: (e, d) => sumOf(e.factors.map((factor, k) => productOf([...e.factors.toSpliced(k, 1), d(factor)]))),
  power: (e, d) =>
    isReciprocal(e.base, d)
      ? productOf([constant(e.exponent), e, logarithmic(e.base, d)])
      : productOf([constant(e.exponent), powerOf(e.base, e.exponent - 1), d(e.base)]),
  call: (e, d) => callRules[e.name](e.args, d),
}

const minus = (e: Expr) => productOf([constant(-1), e])
const flat = () => zero
const condition = (): never => {
  throw new Error('a condition has no derivative')
}
const gaussian = (x: Expr, sign: number, dx: Expr) =>
  productOf([constant((sign * 2) / Math.sqrt(Math.PI)), callOf('exp', [minus(powerOf(x, 2))]), dx])

type CallRule = (args: readonly Expr[], d: Derivative) => Expr
const unary = (rule: (x: Expr, dx: Expr) => Expr): CallRule => {
  return ([x], d) => rule(x as Expr, d(x as Expr))
}
const binary = (rule: (a: Expr, b: Expr, da: Expr, db: Expr) => Expr): CallRule => {
  return ([a, b], d) => rule(a as Expr, b as Expr, d(a as Expr), d(b as Expr))
}

const callRules: { readonly [F in FunctionName]: CallRule } = {
  exp: unary((x, dx) => productOf([callOf('exp', [x]), dx])),
  log: unary((x, dx) => productOf([powerOf(x, -1), dx])),
  sin: unary((x, dx) => productOf([callOf('cos', [x]), dx])),
  cos: unary((x, dx) => productOf([constant(-1), callOf('sin', [x]), dx])),
  tan: unary((x, dx) => productOf([sumOf([constant(1), powerOf(callOf('tan', [x]), 2)]), dx])),
  tanh: unary((x, dx) => productOf([sumOf([constant(1), minus(powerOf(callOf('tanh', [x]), 2))]), dx])),
  erf: unary((x, dx) => gaussian(x, 1, dx)),
  erfc: unary((x, dx) => gaussian(x, -1, dx)),
  abs: unary((x, dx) => productOf([callOf('sign', [x]), dx])),
  sign: flat,
  floor: flat,
  ceil: flat,
  round: flat,
  step: flat,
  atan2: binary((y, x, dy, dx) =>
    productOf([
      sumOf([productOf([x, dy]), minus(productOf([y, dx]))]),
      powerOf(sumOf([powerOf(x, 2), powerOf(y, 2)]), -1),
    ]),
  ),
  min: binary((a, b, da, db) => callOf('select', [callOf('less', [a, b]), da, db])),
  max: binary((a, b, da, db) => callOf('select', [callOf('less', [a, b]), db, da])),
  pow: binary((a, n, da, dn) =>
    sumOf([
      productOf([n, callOf('pow', [a, sumOf([n, constant(-1)])]), da]),
      isConstant(dn, 0) ? zero : productOf([callOf('pow', [a, n]), callOf('log', [a]), dn]),
    ]),
  ),
  select: ([when, a, b], d) => callOf('select', [when as Expr, d(a as Expr), d(b as Expr)]),
  less: condition,
  lessEqual: condition,
  equal: condition,
  and: condition,
  or: condition,
  not: condition,
}

/** Whether the variable stands only in denominators of a product, where `b'/b` is simpler than `b'` and no more singular. */
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
  const d: Derivative = once((inner) => {
    if (inner.kind === 'symbol') return inner.name === variable ? constant(1) : zero
    if (!dependsOn(inner, variable)) return zero
    return (rules[inner.kind] as (e: Expr, d: Derivative) => Expr)(inner, d)
  })
  return d(e)
}
