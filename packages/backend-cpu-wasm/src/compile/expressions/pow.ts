/**
 * Powers with a computed exponent: `x^y = exp(y log |x|)`, with the sign that a whole exponent gives to a negative base.
 *
 * In float64 the relative error grows with `|y log x|`: it is 1e-14 at 100. Float32 results are rounded from float64.
 *
 * @module
 */

import type { FunctionBuilder } from '../wasm/function-builder.ts'
import { type Node, op } from '../wasm/nodes.ts'
import { float64 } from '../wasm/vector.ts'
import { exp64 } from './exp.ts'
import { log64 } from './log.ts'

export function pow(code: FunctionBuilder, base: Node, exponent: Node): Node {
  const [x, y] = [code.let('v128', 'x', base), code.let('v128', 'y', exponent)]
  const zero = float64.constant(code, 0)
  const size = exp64(code, float64.op('mul', y, log64(code, float64.unary('abs', x))))
  const whole = float64.op('eq', float64.unary('floor', y), y)
  const half = code.let('v128', 'half', float64.op('mul', y, float64.constant(code, 0.5)))
  const odd = op('v128.andnot', whole, float64.op('eq', float64.unary('floor', half), half))
  const signed = op('v128.or', size, op('v128.and', op('v128.and', x, odd), float64.constant(code, -0)))
  const withoutValue = op('v128.andnot', float64.op('lt', x, zero), whole)
  const result = op('v128.or', signed, withoutValue)
  return op('v128.bitselect', float64.constant(code, 1), result, float64.op('eq', y, zero))
}
