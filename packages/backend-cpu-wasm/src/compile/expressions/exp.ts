/**
 * The exponential function: `exp(x) = 2^n exp(r)`, with `n` the nearest integer to `x / ln 2` and `|r| <= ln(2)/2`.
 *
 * Adding 1.5 * 2^23 (float32) or 1.5 * 2^52 (float64) to `x / ln 2` rounds it to a whole number in the low bits, which can be
 * shifted into an exponent. The scale is `2^(n - 1)`, so that results up to the largest number are right and larger ones
 * overflow to infinity. Results below 1e-37 (float32) or 1e-307 (float64) may become 0.
 *
 * @source float32: S. L. Moshier, Cephes, `expf`; float64: Sun Microsystems, fdlibm, `e_exp.c`
 * @module
 */

import { value } from '../language/kernel.ts'
import type { FunctionBuilder } from '../wasm/function-builder.ts'
import type { Node } from '../wasm/nodes.ts'
import { float32, float64, type Vector } from '../wasm/vector.ts'
import { polynomialOf } from './polynomial.ts'

export const exp32 = (code: FunctionBuilder, x: Node): Node =>
  reduced(
    code,
    x,
    {
      vector: float32,
      range: [-87.6, 89],
      ln2: [0.693359375, -2.1219444e-4],
      whole: 1.5 * 2 ** 23,
      bias: 127,
      mantissa: 23,
    },
    // 2 exp(r) = 2 + 2r + r^2 p(r). The terms of p are computed in pairs, which are independent: in Horner's rule each term
    // would wait for the one before.
    (code, r, scale) => value(code)`
      const r = ${r} as f32x4
      let square = r * r
      const first = 3.9751383e-4 * r + 2.7962799014e-3
      const second = 1.66669038146e-2 * r + 8.333159179e-2
      const third = 0.33333333218 * r + 1
      const p = (first * square + second) * square + third
      (r + r + 2 + p * square) * (${scale} as f32x4)`,
  )

const series = polynomialOf(
  float64,
  [4.1381367970572385e-8, -1.6533902205465252e-6, 6.613756321437934e-5, -2.7777777777015593e-3, 0.16666666666666602],
)

export const exp64 = (code: FunctionBuilder, x: Node): Node =>
  reduced(
    code,
    x,
    {
      vector: float64,
      range: [-708.6, 710],
      ln2: [0.6931471803691238, 1.9082149292705877e-10],
      whole: 1.5 * 2 ** 52,
      bias: 1023,
      mantissa: 52,
    },
    (code, r, scale) => value(code)`
      const r = ${r} as f64x2
      let t = r * r
      let c = r - t * (${series}(t) as f64x2)
      let y = 1 + (r + r * c / (2 - c))
      (y + y) * (${scale} as f64x2)`,
  )

interface Format {
  readonly vector: Vector
  /** Arguments are clamped to this range. */
  readonly range: readonly [number, number]
  /** ln 2 in two parts; n times the first is exact. */
  readonly ln2: readonly [number, number]
  /** Adding this to a number rounds it to a whole number in the low bits. */
  readonly whole: number
  readonly bias: number
  readonly mantissa: number
}

/** `x = n ln 2 + r`, and `2^(n - 1)`. */
const reduced = (
  code: FunctionBuilder,
  x: Node,
  { vector, range: [least, most], ln2: [high, low], whole, bias, mantissa }: Format,
  use: (code: FunctionBuilder, r: Node, scale: Node) => Node,
): Node => value(code)`
  lanes real = ${vector.type}
  lanes whole = ${vector.integers}
  let x = pmax(pmin(${x} as real, ${most}), ${least})
  let bits = x * ${Math.LOG2E} + ${whole + bias - 1}
  let n = bits - ${whole + bias - 1}
  let r = x - n * ${high} - n * ${low}
  ${use}(r, bits as whole << ${mantissa})`
