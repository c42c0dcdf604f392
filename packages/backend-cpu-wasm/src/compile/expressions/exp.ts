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

import type { FunctionBuilder } from '../wasm/function-builder.ts'
import { i32, type Node, op } from '../wasm/nodes.ts'
import { float32, float64, type Vector } from '../wasm/vector.ts'
import { polynomial } from './polynomial.ts'

export function exp32(code: FunctionBuilder, x: Node): Node {
  const vector = float32
  const { scale, r } = reduced(code, vector, x, {
    range: [-87.6, 89],
    ln2: [0.693359375, -2.1219444e-4],
    whole: 1.5 * 2 ** 23,
    bias: 127,
    mantissa: 23,
  })
  // 2 exp(r) = 2 + 2r + r^2 p(r). The terms of p are computed in pairs, which are independent: in Horner's rule each term
  // would wait for the one before.
  const square = code.let('v128', 'square', vector.op('mul', r, r))
  const [first, ...rest] = (
    [
      [3.9751383e-4, 2.7962799014e-3],
      [1.66669038146e-2, 8.333159179e-2],
      [0.33333333218, 1],
    ] as const
  ).map(([a, b]) => vector.op('add', vector.op('mul', vector.constant(code, a), r), vector.constant(code, b))) as [
    Node,
    Node,
    Node,
  ]
  const p = rest.reduce((sum, pair) => vector.op('add', vector.op('mul', sum, square), pair), first)
  const start = vector.op('add', vector.op('add', r, r), vector.constant(code, 2))
  return vector.op('mul', vector.op('add', start, vector.op('mul', p, square)), scale)
}

export function exp64(code: FunctionBuilder, x: Node): Node {
  const vector = float64
  const { scale, r } = reduced(code, vector, x, {
    range: [-708.6, 710],
    ln2: [0.6931471803691238, 1.9082149292705877e-10],
    whole: 1.5 * 2 ** 52,
    bias: 1023,
    mantissa: 52,
  })
  const t = code.let('v128', 't', vector.op('mul', r, r))
  const p = polynomial(
    code,
    vector,
    t,
    [4.1381367970572385e-8, -1.6533902205465252e-6, 6.613756321437934e-5, -2.7777777777015593e-3, 0.16666666666666602],
  )
  const c = code.let('v128', 'c', vector.op('sub', r, vector.op('mul', t, p)))
  const quotient = vector.op('div', vector.op('mul', r, c), vector.op('sub', vector.constant(code, 2), c))
  return scaled(code, vector, vector.op('add', vector.constant(code, 1), vector.op('add', r, quotient)), scale)
}

interface Format {
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
function reduced(
  code: FunctionBuilder,
  vector: Vector,
  x: Node,
  { range: [least, most], ln2: [high, low], whole, bias, mantissa }: Format,
): { readonly scale: Node; readonly r: Node } {
  const shift = vector.constant(code, whole + bias - 1)
  const given = code.let(
    'v128',
    'x',
    vector.op('pmax', vector.op('pmin', x, vector.constant(code, most)), vector.constant(code, least)),
  )
  const bits = code.let(
    'v128',
    'bits',
    vector.op('add', vector.op('mul', given, vector.constant(code, Math.LOG2E)), shift),
  )
  const n = code.let('v128', 'n', vector.op('sub', bits, shift))
  const rest = vector.op('sub', given, vector.op('mul', n, vector.constant(code, high)))
  return {
    scale: op(`${vector.integers}.shl`, bits, i32(mantissa)),
    r: code.let('v128', 'r', vector.op('sub', rest, vector.op('mul', n, vector.constant(code, low)))),
  }
}

/** `2 y scale`. */
function scaled(code: FunctionBuilder, vector: Vector, y: Node, scale: Node): Node {
  const once = code.let('v128', 'y', y)
  return vector.op('mul', vector.op('add', once, once), scale)
}
