/**
 * Folds: sums over the components of vectors, as `dot(a_i, b_j)`. A fold is a symbol, and its name holds the expression of a
 * component: `sum{a_i*b_j}`. So every visitor of trees treats it as a number of the pair, which is constant in the displacement,
 * and the text of a law does not grow with the length of its vectors.
 *
 * This file knows the names alone. `fold-bodies.ts` turns them into expressions again.
 *
 * @module
 */
import { toText } from './infix.ts'
import { type Expr, power, product, sqrt, subtract, symbol } from './nodes.ts'
import { simplify } from './simplify.ts'

/** The sum of an expression over all components of the vectors in it. */
export const fold = (e: Expr): Expr => symbol(`sum{${toText(simplify(e))}}`)

interface VectorFunction {
  readonly operands: 1 | 2
  readonly build: (a: Expr, b: Expr) => Expr
}

/** The functions of vectors. Their values are numbers. */
export const vectorFunctions: Readonly<Record<string, VectorFunction>> = {
  dot: { operands: 2, build: (a, b) => fold(product(a, b)) },
  sqdist: { operands: 2, build: (a, b) => fold(power(subtract(a, b), 2)) },
  norm: { operands: 1, build: (a) => sqrt(fold(power(a, 2))) },
  sum: { operands: 1, build: fold },
}
