/**
 * The exponential function: `exp(x) = 2^n exp(r)`, with `n` the nearest integer to `x / ln 2` and `|r| <= ln(2)/2`.
 *
 * The power of two is applied in two halves, so that results fade into denormals and overflow to infinity as they should.
 *
 * @source float32: S. L. Moshier, Cephes, `expf`; float64: Sun Microsystems, fdlibm, `e_exp.c`
 * @module
 */
import { float32, float64, type Vector } from '../vector.ts'
import type { FunctionBuilder } from '../wasm/function-builder.ts'
import { i32, type Node, op } from '../wasm/nodes.ts'
import { polynomial } from './polynomial.ts'

const log2e = Math.LOG2E

export function exp32(f: FunctionBuilder, x: Node): Node {
  const v = float32
  const { n, r } = reduced(f, v, x, [-104, 89], [0.693359375, -2.1219444e-4])
  const p = polynomial(
    f,
    v,
    r,
    [1.98756915e-4, 1.3981999507e-3, 8.3334519073e-3, 4.1665795894e-2, 1.6666665459e-1, 0.5],
  )
  const y = v.op('add', v.op('add', v.op('mul', p, v.op('mul', r, r)), r), v.constant(f, 1))
  const whole = f.let('v128', 'n', op('i32x4.trunc_sat_f32x4_s', n))
  const half = f.let('v128', 'half', op('i32x4.shr_s', whole, i32(1)))
  const powerOfTwo = (k: Node) => op('i32x4.shl', op('i32x4.add', k, f.constant('i32x4', 127)), i32(23))
  return v.op('mul', v.op('mul', y, powerOfTwo(half)), powerOfTwo(op('i32x4.sub', whole, half)))
}

export function exp64(f: FunctionBuilder, x: Node): Node {
  const v = float64
  const { n, r } = reduced(f, v, x, [-746, 710], [0.6931471803691238, 1.9082149292705877e-10])
  const t = f.let('v128', 't', v.op('mul', r, r))
  const p = polynomial(
    f,
    v,
    t,
    [
      4.1381367970572385e-8, -0.0000016533902205465252, 0.00006613756321437934, -0.0027777777777015593,
      0.16666666666666602,
    ],
  )
  const c = f.let('v128', 'c', v.op('sub', r, v.op('mul', t, p)))
  const y = v.op(
    'add',
    v.constant(f, 1),
    v.op('add', r, v.op('div', v.op('mul', r, c), v.op('sub', v.constant(f, 2), c))),
  )
  const half = f.let('v128', 'half', v.unary('floor', v.op('mul', n, v.constant(f, 0.5))))
  return v.op('mul', v.op('mul', y, twoTo64(f, half)), twoTo64(f, v.op('sub', n, half)))
}

/** 2 to the power of whole numbers held as float64: adding 1.5 * 2^52 leaves them in the low bits. */
function twoTo64(f: FunctionBuilder, n: Node): Node {
  const bits = op('f64x2.add', n, f.constant('f64x2', 1.5 * 2 ** 52))
  return op('i64x2.shl', op('i64x2.add', bits, f.constant('i64x2', 1023n)), i32(52))
}

/** `x = n ln 2 + r`, with ln 2 in two parts so that the first product is exact; x is first brought into `range`. */
function reduced(
  f: FunctionBuilder,
  v: Vector,
  x: Node,
  [least, most]: readonly [number, number],
  [high, low]: readonly [number, number],
): { n: Node; r: Node } {
  const inRange = f.let('v128', 'x', v.op('pmax', v.op('pmin', x, v.constant(f, most)), v.constant(f, least)))
  const n = f.let('v128', 'n', v.unary('nearest', v.op('mul', inRange, v.constant(f, log2e))))
  const rest = v.op('sub', inRange, v.op('mul', n, v.constant(f, high)))
  return { n, r: f.let('v128', 'r', v.op('sub', rest, v.op('mul', n, v.constant(f, low)))) }
}
