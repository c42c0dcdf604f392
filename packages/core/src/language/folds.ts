/**
 * Folds: sums over the components of vectors, as `dot(a_i, b_j)`. A fold is a symbol, and its name holds the expression of a
 * component: `sum{a_i*b_j}`. So every visitor of trees treats it as a number of the pair, which is constant in the displacement,
 * and the text of a law does not grow with the length of its vectors.
 *
 * `vector(w*x_j)` is the vector itself: the symbol `vector{w*x_j}`, with a value for each component. A term with one is a vector.
 *
 * This file knows the names alone. `fold-bodies.ts` turns them into expressions again.
 *
 * @module
 */
import { isVector } from './fold-names.ts'
import { toText } from './infix.ts'
import { type Expr, power, product, sqrt, subtract, symbol } from './nodes.ts'
import { simplify } from './simplify.ts'

/** The sum of an expression over all components of the vectors in it. */
export const fold = (e: Expr): Expr => symbol(`sum{${toText(simplify(e))}}`)

/** The vector with an expression as its component. */
const vector = (e: Expr): Expr => symbol(`vector{${toText(simplify(e))}}`)

/** The fold or the vector with another component in place of that of a name. */
export const sameKind = (name: string, e: Expr): Expr => (isVector(name) ? vector(e) : fold(e))

interface VectorFunction {
  readonly operands: 1 | 2
  readonly build: (a: Expr, b: Expr) => Expr
}

/** The functions of vectors. Their values are numbers, except that of `vector`. */
export const vectorFunctions: Readonly<Record<string, VectorFunction>> = {
  dot: { operands: 2, build: (a, b) => fold(product(a, b)) },
  sqdist: { operands: 2, build: (a, b) => fold(power(subtract(a, b), 2)) },
  norm: { operands: 1, build: (a) => sqrt(fold(power(a, 2))) },
  sum: { operands: 1, build: fold },
  vector: { operands: 1, build: vector },
}
