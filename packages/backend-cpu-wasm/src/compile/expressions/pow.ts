/**
 * Powers with a computed exponent: `x^y = exp(y log |x|)`, with the sign that a whole exponent gives to a negative base.
 *
 * In float64 the relative error grows with `|y log x|`: it is 1e-14 at 100. Float32 results are rounded from float64.
 *
 * @module
 */

import { value } from '../language/kernel.ts'
import type { FunctionBuilder } from '../wasm/function-builder.ts'
import type { Node } from '../wasm/nodes.ts'
import { exp64 } from './exp.ts'
import { log64 } from './log.ts'

export const pow = (code: FunctionBuilder, base: Node, exponent: Node): Node => value(code)`
  let x = ${base} as f64x2
  let y = ${exponent} as f64x2
  const size = ${exp64}(y * (${log64}(abs(x)) as f64x2)) as f64x2
  let whole = floor(y) == y
  let half = y * 0.5
  const odd = v128.andnot(whole, floor(half) == half)
  const signed = size | (x & odd & f64x2(-0))
  const withoutValue = v128.andnot(x < 0, whole)
  v128.bitselect(f64x2(1), signed | withoutValue, y == 0)`
