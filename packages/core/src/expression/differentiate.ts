/**
 * Exact symbolic derivatives of canonical trees: one rule for each node kind. The rule of a function is in its definition.
 *
 * @module
 */
import { Remembered } from '../remember.ts'
import { callOf, powerOf, productOf, sumOf } from './canonical.ts'
import type { NumericFunction } from './functions/definition.ts'
import { functions } from './functions/table.ts'
import { type Call, constant, dependsOn, type Expr, type ExprKind, isConstant, splitExponent } from './nodes.ts'
import { parse } from './parse.ts'
import { once } from './rebuild.ts'
import { substitute, sumOverOneDenominator } from './simplify.ts'

const zero = constant(0)

type Derivative = (e: Expr) => Expr

const rules: { readonly [K in ExprKind]: (e: Extract<Expr, { kind: K }>, d: Derivative) => Expr } = {
  constant: () => zero,
  symbol: () => zero,
  sum: (e, d) => sumOf(e.terms.map(d)),
  product: (e, d) =>
    sumOverOneDenominator(e.factors.map((factor, k) => productOf([...e.factors.toSpliced(k, 1), d(factor)]))),
  power: (e, d) =>
    isReciprocal(e.base, d)
      ? productOf([constant(e.exponent), e, logarithmic(e.base, d)])
      : productOf([constant(e.exponent), powerOf(e.base, e.exponent - 1), d(e.base)]),
  call: ofCall,
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
  return substitute(ruleOf(definition), Object.fromEntries(values))
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
  const d: Derivative = once((inner) => {
    if (inner.kind === 'symbol') return inner.name === variable ? constant(1) : zero
    if (!dependsOn(inner, variable)) return zero
    return (rules[inner.kind] as (e: Expr, d: Derivative) => Expr)(inner, d)
  })
  return d(e)
}
