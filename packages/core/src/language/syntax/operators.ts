/**
 * The operators and the calls of the language: how tightly each binds, its operands, and the node that it builds.
 *
 * @module
 */
import type { ValueType } from '../functions/definition.ts'
import { functionNames, functions } from '../functions/table.ts'
import { call, divide, type Expr, power, product, sqrt, subtract, sum } from '../nodes.ts'

/** The value of a tree built only of numbers, else undefined: `2`, `-1`, `1/2`. */
function numberOf(e: Expr): number | undefined {
  if (e.kind === 'constant') return e.value
  if (e.kind === 'power') {
    const base = numberOf(e.base)
    return base === undefined ? undefined : base ** e.exponent
  }
  if (e.kind === 'product') {
    return e.factors.reduce<number | undefined>((value, factor) => {
      const f = numberOf(factor)
      return value === undefined || f === undefined ? undefined : value * f
    }, 1)
  }
  return undefined
}

/** A power: a node with a number as its exponent, or a call. */
export function raise(base: Expr, exponent: Expr): Expr {
  const n = numberOf(exponent)
  return n === undefined ? call('pow', base, exponent) : power(base, n)
}

/** By Horner's scheme: `c0 + x*(c1 + x*c2)`. */
const polynomial = (x: Expr, ...coefficients: readonly Expr[]): Expr =>
  coefficients.reduceRight((inner, c) => sum(c, product(x, inner)))

interface Shorthand {
  /** The least and the largest number of operands. */
  readonly arity: readonly [number, number]
  readonly build: (first: Expr, ...others: readonly Expr[]) => Expr
}

/** Shorthands for other nodes: how many operands they take, and the node that each builds. */
export const shorthands: Readonly<Record<string, Shorthand>> = {
  sqrt: { arity: [1, 1], build: sqrt },
  inverseSqrt: { arity: [1, 1], build: (x) => power(x, -0.5) },
  step: { arity: [1, 2], build: (a, b) => call('step', b ? subtract(b, a) : a) },
  pow: { arity: [2, 2], build: (x, n) => raise(x, n as Expr) },
  // The nodes of a polynomial are nested, and so are the calls of visitors.
  poly: { arity: [2, 65], build: polynomial },
}

/** Names that may stand before "(". */
export const callable: readonly string[] = [
  ...functionNames.filter((name) => !('operator' in functions[name])),
  'sqrt',
  'inverseSqrt',
  'poly',
]

/** A binary operator: how tightly it binds, the types of its operands and result, and the node that it builds. */
interface Binary {
  readonly strength: number
  readonly operands: ValueType
  readonly result: ValueType
  readonly build: (a: Expr, b: Expr) => Expr
}
const arithmetic = (strength: number, build: Binary['build']): Binary => ({
  strength,
  operands: 'number',
  result: 'number',
  build,
})
const compare = (build: Binary['build']): Binary => ({ strength: 3, operands: 'number', result: 'condition', build })
export const binary: Readonly<Record<string, Binary>> = {
  '||': { strength: 1, operands: 'condition', result: 'condition', build: (a, b) => call('or', a, b) },
  '&&': { strength: 2, operands: 'condition', result: 'condition', build: (a, b) => call('and', a, b) },
  '<': compare((a, b) => call('less', a, b)),
  '>': compare((a, b) => call('less', b, a)),
  '<=': compare((a, b) => call('lessEqual', a, b)),
  '>=': compare((a, b) => call('lessEqual', b, a)),
  '==': compare((a, b) => call('equal', a, b)),
  '!=': compare((a, b) => call('not', call('equal', a, b))),
  '+': arithmetic(4, (a, b) => sum(a, b)),
  '-': arithmetic(4, subtract),
  '*': arithmetic(5, (a, b) => product(a, b)),
  '/': arithmetic(5, divide),
}
/** How tightly the operators before an operand bind. */
export const unaryStrength = 6
