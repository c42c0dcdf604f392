/**
 * Polynomials by Horner's rule.
 *
 * @module
 */

import type { FunctionBuilder } from '../wasm/function-builder.ts'
import type { Node } from '../wasm/nodes.ts'
import type { Vector } from '../wasm/vector.ts'

/** `c0 x^n + c1 x^(n-1) + ... + cn`. `x` is used several times, so it must be a variable. */
export function polynomial(code: FunctionBuilder, vector: Vector, x: Node, coefficients: readonly number[]): Node {
  const [first = 0, ...rest] = coefficients
  return rest.reduce<Node>(
    (total, c) => vector.op('add', vector.op('mul', total, x), vector.constant(code, c)),
    vector.constant(code, first),
  )
}

/** The same as a function for kernels. */
export const polynomialOf =
  (vector: Vector, coefficients: readonly number[]): ((code: FunctionBuilder, x: Node) => Node) =>
  (code, x) =>
    polynomial(code, vector, x, coefficients)
