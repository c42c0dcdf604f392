/**
 * The natural logarithm: `log(2^k m) = k ln 2 + log m` with m from sqrt(1/2) to sqrt(2), and
 * `log(1 + f) = f - f^2/2 + s (f^2/2 + R(s^2))`, where `s = f/(2 + f)`.
 *
 * @source Sun Microsystems, fdlibm, `e_log.c`; coefficients for float32 from FreeBSD's `e_logf.c`
 * @module
 */

import type { FunctionBuilder } from '../wasm/function-builder.ts'
import { i32, type Node, op } from '../wasm/nodes.ts'
import { float32, float64, type Vector } from '../wasm/vector.ts'
import { polynomial } from './polynomial.ts'

export function log32(f: FunctionBuilder, x: Node): Node {
  const v = float32
  const given = f.let('v128', 'x', x)
  const { scaled, shift } = normal(f, v, given, 2 ** -126, 25)
  // Adding the bits of 1 minus those of sqrt(1/2) moves the change of exponent, so that m is in [sqrt(1/2), sqrt(2)).
  const bits = f.let('v128', 'bits', op('i32x4.add', scaled, f.constant('i32x4', 0x3f800000 - 0x3f3504f3)))
  const k = op('f32x4.convert_i32x4_s', op('i32x4.sub', op('i32x4.shr_u', bits, i32(23)), f.constant('i32x4', 127)))
  const fraction = op('v128.and', bits, f.constant('i32x4', 0x007fffff))
  const m = op('i32x4.add', fraction, f.constant('i32x4', 0x3f3504f3))
  return finish(f, v, given, v.op('sub', k, shift), m, {
    high: 6.9313812256e-1,
    low: 9.0580006145e-6,
    series: [0.24279078841, 0.28498786688, 0.40000972152, 0.66666662693],
  })
}

export function log64(f: FunctionBuilder, x: Node): Node {
  const v = float64
  const given = f.let('v128', 'x', x)
  const { scaled, shift } = normal(f, v, given, 2 ** -1022, 54)
  const border = 0x3fe6a09e667f3bcdn
  const bits = f.let('v128', 'bits', op('i64x2.add', scaled, f.constant('i64x2', 0x3ff0000000000000n - border)))
  // An exponent e in the low bits of 2^52 gives the number 2^52 + e.
  const biased = op('v128.or', op('i64x2.shr_u', bits, i32(52)), f.constant('f64x2', 2 ** 52))
  const k = v.op('sub', biased, v.constant(f, 2 ** 52 + 1023))
  const fraction = op('v128.and', bits, f.constant('i64x2', 0x000fffffffffffffn))
  const m = op('i64x2.add', fraction, f.constant('i64x2', border))
  return finish(f, v, given, v.op('sub', k, shift), m, {
    high: 0.6931471803691238,
    low: 1.9082149292705877e-10,
    series: [
      0.14798198605116586, 0.15313837699209373, 0.1818357216161805, 0.22222198432149784, 0.2857142874366239,
      0.3999999999940942, 0.6666666666666735,
    ],
  })
}

/** Multiplies denormals by 2^digits; `shift` is what that adds to their exponent. */
function normal(f: FunctionBuilder, v: Vector, x: Node, least: number, digits: number): { scaled: Node; shift: Node } {
  const small = f.let('v128', 'small', v.op('lt', x, v.constant(f, least)))
  const larger = v.op('mul', x, v.constant(f, 2 ** digits))
  return {
    scaled: op('v128.bitselect', larger, x, small),
    shift: op('v128.and', small, v.constant(f, digits)),
  }
}

interface Logarithm {
  /** ln 2 in two parts; an exponent times the first is exact. */
  readonly high: number
  readonly low: number
  readonly series: readonly number[]
}

function finish(
  f: FunctionBuilder,
  v: Vector,
  x: Node,
  exponent: Node,
  m: Node,
  { high, low, series }: Logarithm,
): Node {
  const k = f.let('v128', 'k', exponent)
  const rest = f.let('v128', 'f', v.op('sub', m, v.constant(f, 1)))
  const s = f.let('v128', 's', v.op('div', rest, v.op('add', rest, v.constant(f, 2))))
  const z = f.let('v128', 'z', v.op('mul', s, s))
  const half = f.let('v128', 'half', v.op('mul', v.op('mul', rest, rest), v.constant(f, 0.5)))
  const tail = v.op('mul', s, v.op('add', half, v.op('mul', z, polynomial(f, v, z, series))))
  const small = v.op('sub', v.op('sub', half, v.op('add', tail, v.op('mul', k, v.constant(f, low)))), rest)
  const y = v.op('sub', v.op('mul', k, v.constant(f, high)), small)
  const infinity = v.constant(f, Number.POSITIVE_INFINITY)
  const zero = v.constant(f, 0)
  // Infinity and NaN are returned unchanged, 0 gives -infinity, and negative numbers give NaN.
  const finite = op('v128.bitselect', y, x, v.op('lt', x, infinity))
  const atZero = op('v128.bitselect', v.unary('neg', infinity), finite, v.op('eq', x, zero))
  return op('v128.or', atZero, v.op('lt', x, zero))
}
