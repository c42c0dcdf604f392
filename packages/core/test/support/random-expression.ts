/**
 * Random expression trees over `x y z` (any sign) and `r2` (never negative), every node kind and function among them.
 *
 * Some have no value at some points. Tests skip such points with {@link conditioned}.
 *
 * @module
 */
import { evaluate } from '../../src/language/evaluate.ts'
import { functions, type NumericName, numericNames } from '../../src/language/functions/table.ts'
import { call, children, constant, type Expr, power, product, subtract, sum, symbol } from '../../src/language/nodes.ts'
import { between, oneFrom } from './random.ts'

export const symbols = ['x', 'y', 'z', 'r2'] as const

const smooth: readonly NumericName[] = ['exp', 'sin', 'cos', 'tanh', 'erf', 'erfc']
const pairs: readonly NumericName[] = ['min', 'max', 'pow']
const known: readonly NumericName[] = ['abs', 'sign', 'floor', 'ceil', 'round', 'step', 'log', 'tan']
const others = numericNames.filter(
  (name) => functions[name].operands.length === 1 && ![...smooth, ...known].includes(name),
)
const stepped = [...known, ...others]
const exponents = [-3, -2, -1.5, -1, -0.5, 0.5, 1, 1.5, 2, 3, 1 / 3, 6]

/** A tree of at most `depth` levels. */
export function randomExpression(next: () => number, depth: number): Expr {
  if (depth === 0 || next() < 0.1)
    return next() < 0.3 ? constant(oneFrom(next, [-2, -1, 0.5, 1, 3, 1.25])) : symbol(oneFrom(next, symbols))
  const inner = () => randomExpression(next, depth - 1)
  const list = () => Array.from({ length: 2 + Math.floor(2 * next()) }, inner)
  const kind = next()
  if (kind < 0.3) return sum(...list())
  if (kind < 0.6) return product(...list())
  if (kind < 0.8) return power(inner(), oneFrom(next, exponents))
  if (kind < 0.87) return call(oneFrom(next, smooth), inner())
  if (kind < 0.92) return call(oneFrom(next, stepped), inner())
  if (kind < 0.95) return call(oneFrom(next, pairs), inner(), inner())
  // Its cut is along x < 0, where the sign of a zero decides.
  if (kind < 0.96) return call('atan2', inner(), call('exp', inner()))
  return call('select', randomCondition(next, depth - 1), inner(), inner())
}

function randomCondition(next: () => number, depth: number): Expr {
  const [a, b] = [randomExpression(next, depth), randomExpression(next, depth)]
  const comparison = () => call(oneFrom(next, ['less', 'lessEqual', 'equal'] as const), a, b)
  const kind = next()
  if (kind < 0.6) return comparison()
  if (kind < 0.7) return call('not', comparison())
  return call(oneFrom(next, ['and', 'or'] as const), comparison(), call('less', subtract(a, b), constant(1)))
}

export type Values = Readonly<Record<string, number>>

/** A value for each symbol, away from 0. */
export function randomValues(next: () => number): Values {
  const any = () => oneFrom(next, [-1, 1]) * between(next, 0.3, 2)
  return { x: any(), y: any(), z: any(), r2: between(next, 0.1, 4) }
}

/**
 * The value where it is finite, of moderate size, and hardly changes when the inputs do; else undefined. Elsewhere two
 * right ways to compute it may differ.
 */
export function conditioned(e: Expr, values: Values): number | undefined {
  const value = evaluate(e, values)
  // A minimum may drop a NaN, which a rewritten tree need not have.
  if (hasNaN(e, values)) return undefined
  if (!Number.isFinite(value) || Math.abs(value) > 1e6 || Math.abs(value) < 1e-6) return undefined
  const tilted = [1 + 1e-9, 1 - 1e-9].map((scale) =>
    evaluate(
      e,
      Object.fromEntries(Object.entries(values).map(([name, v], k) => [name, v * (k % 2 ? scale : 2 - scale)])),
    ),
  )
  const steady = tilted.every((v) => Math.abs(v - value) < 1e-6 * Math.abs(value))
  return steady ? value : undefined
}

const hasNaN = (e: Expr, values: Values): boolean =>
  Number.isNaN(evaluate(e, values)) || children(e).some((child) => hasNaN(child, values))
