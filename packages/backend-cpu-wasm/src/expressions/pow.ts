/**
 * Powers with a computed exponent: `x^y = exp(y log |x|)`, with the sign that a whole exponent gives to a negative base.
 *
 * In float64 the relative error grows with `|y log x|`: it is 1e-14 at 100. Float32 results are rounded from float64.
 *
 * @module
 */

import type { FunctionBuilder } from '../wasm/function-builder.ts'
import { type Node, op } from '../wasm/nodes.ts'
import { float64 as v } from '../wasm/vector.ts'
import { exp64 } from './exp.ts'
import { log64 } from './log.ts'

export function pow(f: FunctionBuilder, base: Node, exponent: Node): Node {
  const [x, y] = [f.let('v128', 'x', base), f.let('v128', 'y', exponent)]
  const zero = v.constant(f, 0)
  const size = exp64(f, v.op('mul', y, log64(f, v.unary('abs', x))))
  const whole = v.op('eq', v.unary('floor', y), y)
  const half = f.let('v128', 'half', v.op('mul', y, v.constant(f, 0.5)))
  const odd = op('v128.andnot', whole, v.op('eq', v.unary('floor', half), half))
  const signed = op('v128.or', size, op('v128.and', op('v128.and', x, odd), v.constant(f, -0)))
  const withoutValue = op('v128.andnot', v.op('lt', x, zero), whole)
  const result = op('v128.or', signed, withoutValue)
  return op('v128.bitselect', v.constant(f, 1), result, v.op('eq', y, zero))
}
