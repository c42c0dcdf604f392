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

export function log32(code: FunctionBuilder, x: Node): Node {
  const vector = float32
  const given = code.let('v128', 'x', x)
  const { scaled, shift } = normal(code, vector, given, 2 ** -126, 25)
  // Adding the bits of 1 minus those of sqrt(1/2) moves the change of exponent, so that m is in [sqrt(1/2), sqrt(2)).
  const bits = code.let('v128', 'bits', op('i32x4.add', scaled, code.constant('i32x4', 0x3f800000 - 0x3f3504f3)))
  const k = op('f32x4.convert_i32x4_s', op('i32x4.sub', op('i32x4.shr_u', bits, i32(23)), code.constant('i32x4', 127)))
  const fraction = op('v128.and', bits, code.constant('i32x4', 0x007fffff))
  const m = op('i32x4.add', fraction, code.constant('i32x4', 0x3f3504f3))
  return finish(code, vector, given, vector.op('sub', k, shift), m, {
    high: 6.9313812256e-1,
    low: 9.0580006145e-6,
    series: [0.24279078841, 0.28498786688, 0.40000972152, 0.66666662693],
  })
}

export function log64(code: FunctionBuilder, x: Node): Node {
  const vector = float64
  const given = code.let('v128', 'x', x)
  const { scaled, shift } = normal(code, vector, given, 2 ** -1022, 54)
  const border = 0x3fe6a09e667f3bcdn
  const bits = code.let('v128', 'bits', op('i64x2.add', scaled, code.constant('i64x2', 0x3ff0000000000000n - border)))
  // An exponent e in the low bits of 2^52 gives the number 2^52 + e.
  const biased = op('v128.or', op('i64x2.shr_u', bits, i32(52)), code.constant('f64x2', 2 ** 52))
  const k = vector.op('sub', biased, vector.constant(code, 2 ** 52 + 1023))
  const fraction = op('v128.and', bits, code.constant('i64x2', 0x000fffffffffffffn))
  const m = op('i64x2.add', fraction, code.constant('i64x2', border))
  return finish(code, vector, given, vector.op('sub', k, shift), m, {
    high: 0.6931471803691238,
    low: 1.9082149292705877e-10,
    series: [
      0.14798198605116586, 0.15313837699209373, 0.1818357216161805, 0.22222198432149784, 0.2857142874366239,
      0.3999999999940942, 0.6666666666666735,
    ],
  })
}

/** Multiplies denormals by 2^digits. `shift` is the resulting increase of their exponents. */
function normal(
  code: FunctionBuilder,
  vector: Vector,
  x: Node,
  least: number,
  digits: number,
): { scaled: Node; shift: Node } {
  const small = code.let('v128', 'small', vector.op('lt', x, vector.constant(code, least)))
  const larger = vector.op('mul', x, vector.constant(code, 2 ** digits))
  return {
    scaled: op('v128.bitselect', larger, x, small),
    shift: op('v128.and', small, vector.constant(code, digits)),
  }
}

interface Logarithm {
  /** ln 2 in two parts; an exponent times the first is exact. */
  readonly high: number
  readonly low: number
  readonly series: readonly number[]
}

function finish(
  code: FunctionBuilder,
  vector: Vector,
  x: Node,
  exponent: Node,
  m: Node,
  { high, low, series }: Logarithm,
): Node {
  const k = code.let('v128', 'k', exponent)
  const rest = code.let('v128', 'f', vector.op('sub', m, vector.constant(code, 1)))
  const s = code.let('v128', 's', vector.op('div', rest, vector.op('add', rest, vector.constant(code, 2))))
  const z = code.let('v128', 'z', vector.op('mul', s, s))
  const half = code.let('v128', 'half', vector.op('mul', vector.op('mul', rest, rest), vector.constant(code, 0.5)))
  const tail = vector.op('mul', s, vector.op('add', half, vector.op('mul', z, polynomial(code, vector, z, series))))
  const small = vector.op(
    'sub',
    vector.op('sub', half, vector.op('add', tail, vector.op('mul', k, vector.constant(code, low)))),
    rest,
  )
  const y = vector.op('sub', vector.op('mul', k, vector.constant(code, high)), small)
  const infinity = vector.constant(code, Number.POSITIVE_INFINITY)
  const zero = vector.constant(code, 0)
  // Infinity and NaN are returned unchanged, 0 gives -infinity, and negative numbers give NaN.
  const finite = op('v128.bitselect', y, x, vector.op('lt', x, infinity))
  const atZero = op('v128.bitselect', vector.unary('neg', infinity), finite, vector.op('eq', x, zero))
  return op('v128.or', atZero, vector.op('lt', x, zero))
}
