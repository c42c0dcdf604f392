/**
 * The natural logarithm: `log(2^k m) = k ln 2 + log m` with m from sqrt(1/2) to sqrt(2), and
 * `log(1 + f) = f - f^2/2 + s (f^2/2 + R(s^2))`, where `s = f/(2 + f)`.
 *
 * @source Sun Microsystems, fdlibm, `e_log.c`; coefficients for float32 from FreeBSD's `e_logf.c`
 * @module
 */

import { value } from '../language/kernel.ts'
import type { FunctionBuilder } from '../wasm/function-builder.ts'
import type { Node } from '../wasm/nodes.ts'
import { float32, float64, type Vector } from '../wasm/vector.ts'
import { polynomialOf } from './polynomial.ts'

export const log32 = (code: FunctionBuilder, x: Node): Node => value(code)`
  let x = ${x} as f32x4
  let small = x < ${2 ** -126}
  // Adding the bits of 1 minus those of sqrt(1/2) moves the change of exponent, so that m is in [sqrt(1/2), sqrt(2)).
  let bits = v128.bitselect(x * ${2 ** 25}, x, small) as i32x4 + ${0x3f800000 - 0x3f3504f3}
  let k = f32x4.convert_i32x4_s((bits >> 23) - 127) - (small & f32x4(25)) as f32x4
  const m = (bits & 0x007fffff) as i32x4 + 0x3f3504f3
  ${finish(float32, {
    high: 6.9313812256e-1,
    low: 9.0580006145e-6,
    series: [0.24279078841, 0.28498786688, 0.40000972152, 0.66666662693],
  })}(x, k, m)`

export function log64(code: FunctionBuilder, x: Node): Node {
  const border = 0x3fe6a09e667f3bcdn
  const [least, moved, mantissa] = [border, 0x3ff0000000000000n - border, 0x000fffffffffffffn].map((bits) =>
    code.constant('i64x2', bits),
  ) as [Node, Node, Node]
  return value(code)`
    let x = ${x} as f64x2
    let small = x < ${2 ** -1022}
    let bits = v128.bitselect(x * ${2 ** 54}, x, small) as i64x2 + ${moved}
    // An exponent e in the low bits of 2^52 gives the number 2^52 + e.
    const biased = (bits >> 52) as f64x2 | f64x2(${2 ** 52})
    let k = biased as f64x2 - ${2 ** 52 + 1023} - (small & f64x2(54)) as f64x2
    const m = (bits & ${mantissa}) as i64x2 + ${least}
    ${finish(float64, {
      high: 0.6931471803691238,
      low: 1.9082149292705877e-10,
      series: [
        0.14798198605116586, 0.15313837699209373, 0.1818357216161805, 0.22222198432149784, 0.2857142874366239,
        0.3999999999940942, 0.6666666666666735,
      ],
    })}(x, k, m)`
}

interface Logarithm {
  /** ln 2 in two parts; an exponent times the first is exact. */
  readonly high: number
  readonly low: number
  readonly series: readonly number[]
}

/** `k ln 2 + log m`. Infinity and NaN are returned unchanged, 0 gives -infinity, and negative numbers give NaN. */
function finish(
  vector: Vector,
  { high, low, series }: Logarithm,
): (code: FunctionBuilder, x: Node, k: Node, m: Node) => Node {
  const polynomial = polynomialOf(vector, series)
  return (code, x, k, m) => value(code)`
    lanes real = ${vector.type}
    const x = ${x} as real
    const k = ${k} as real
    let f = ${m} as real - 1
    let s = f / (f + 2)
    let z = s * s
    let half = f * f * 0.5
    const tail = s * (half + z * (${polynomial}(z) as real))
    const y = k * ${high} - (half - (tail + k * ${low}) - f)
    const finite = v128.bitselect(y, x, x < infinity)
    const atZero = v128.bitselect(-real(infinity), finite, x == 0)
    atZero | (x < 0)`
}
