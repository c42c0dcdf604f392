/**
 * Sine, cosine, tangent and the angle of a vector, in float64.
 *
 * Arguments are reduced by multiples of pi/2, given in parts of 33 bits. This is exact up to about 1e6, and loses digits
 * beyond. When no digit is left, the remainder counts as 0.
 *
 * @source Sun Microsystems, fdlibm, `k_sin.c`, `k_cos.c`, `e_rem_pio2.c`; arctangent: S. L. Moshier, Cephes, `atan`
 * @module
 */

import type { FunctionBuilder } from '../wasm/function-builder.ts'
import { i32, type Node, op } from '../wasm/nodes.ts'
import { float64 as v } from '../wasm/vector.ts'
import { polynomial } from './polynomial.ts'

interface Reduced {
  /** The quadrant in the low bits of each lane. */
  readonly quadrant: Node
  readonly sine: Node
  readonly cosine: Node
}

/** Sine and cosine of the remainder of x after whole quadrants. */
function reduced(f: FunctionBuilder, x: Node): Reduced {
  const given = f.let('v128', 'x', x)
  const n = f.let('v128', 'n', v.unary('nearest', v.op('mul', given, v.constant(f, 2 / Math.PI))))
  const parts = [1.5707963267341256, 6.077100506303966e-11, 2.0222662487111665e-21, 8.4784276603689e-32]
  const rest = parts.reduce((left, part) => v.op('sub', left, v.op('mul', n, v.constant(f, part))), given)
  const left = f.let('v128', 'left', rest)
  // A remainder greater than 1 has lost all digits and becomes 0. NaN is not greater than 1, so it stays.
  const r = f.let('v128', 'r', op('v128.andnot', left, v.op('gt', v.unary('abs', left), v.constant(f, 1))))
  const z = f.let('v128', 'z', v.op('mul', r, r))
  const s = polynomial(
    f,
    v,
    z,
    [
      1.58969099521155e-10, -2.5050760253406863e-8, 0.0000027557313707070068, -0.0001984126982985795,
      0.00833333333332249, -0.16666666666666632,
    ],
  )
  const c = polynomial(
    f,
    v,
    z,
    [
      -1.1359647557788195e-11, 2.087572321298175e-9, -2.7557314351390663e-7, 0.00002480158728947673,
      -0.001388888888887411, 0.0416666666666666,
    ],
  )
  const zz = v.op('mul', z, z)
  return {
    quadrant: f.let('v128', 'quadrant', v.op('add', n, v.constant(f, 1.5 * 2 ** 52))),
    sine: f.let('v128', 'sine', v.op('add', r, v.op('mul', v.op('mul', r, z), s))),
    cosine: f.let(
      'v128',
      'cosine',
      v.op('sub', v.constant(f, 1), v.op('sub', v.op('mul', z, v.constant(f, 0.5)), v.op('mul', zz, c))),
    ),
  }
}

/** A mask of the lanes whose quadrant is odd. */
function odd(f: FunctionBuilder, { quadrant }: Reduced): Node {
  return op('i64x2.sub', f.constant('i64x2', 0n), op('v128.and', quadrant, f.constant('i64x2', 1n)))
}

/** The sign bit in lanes whose quadrant plus `shift` is the third or fourth. */
function lowerHalf(f: FunctionBuilder, { quadrant }: Reduced, shift: bigint): Node {
  const moved = op('i64x2.add', quadrant, f.constant('i64x2', shift))
  return op('i64x2.shl', op('v128.and', moved, f.constant('i64x2', 2n)), i32(62))
}

export function sin(f: FunctionBuilder, x: Node): Node {
  const parts = reduced(f, x)
  const size = op('v128.bitselect', parts.cosine, parts.sine, odd(f, parts))
  return op('v128.xor', size, lowerHalf(f, parts, 0n))
}

export function cos(f: FunctionBuilder, x: Node): Node {
  const parts = reduced(f, x)
  const size = op('v128.bitselect', parts.sine, parts.cosine, odd(f, parts))
  return op('v128.xor', size, lowerHalf(f, parts, 1n))
}

export function tan(f: FunctionBuilder, x: Node): Node {
  const parts = reduced(f, x)
  const turned = f.let('v128', 'turned', odd(f, parts))
  const above = op('v128.bitselect', parts.cosine, parts.sine, turned)
  const below = op('v128.bitselect', parts.sine, parts.cosine, turned)
  return op('v128.xor', v.op('div', above, below), op('v128.and', turned, v.constant(f, -0)))
}

/** The angle of (x, y): the arctangent of the smaller over the larger absolute value, then mirrored into its octant. */
export function atan2(f: FunctionBuilder, y: Node, x: Node): Node {
  const zero = v.constant(f, 0)
  const signBit = v.constant(f, -0)
  const [up, along] = [f.let('v128', 'y', y), f.let('v128', 'x', x)]
  const [height, width] = [f.let('v128', 'height', v.unary('abs', up)), f.let('v128', 'width', v.unary('abs', along))]
  const steep = f.let('v128', 'steep', v.op('gt', height, width))
  const larger = f.let('v128', 'larger', v.op('pmax', height, width))
  const ratio = v.op(
    'div',
    v.op('pmin', height, width),
    op('v128.bitselect', larger, v.constant(f, 1), v.op('gt', larger, zero)),
  )
  // If both are infinite, the ratio counts as 1.
  const diagonal = v.op('eq', height, width)
  const positive = op('v128.and', diagonal, v.op('gt', larger, zero))
  const t = f.let('v128', 't', op('v128.bitselect', v.constant(f, 1), ratio, positive))
  const wide = f.let('v128', 'wide', v.op('gt', t, v.constant(f, 0.66)))
  const moved = v.op('div', v.op('sub', t, v.constant(f, 1)), v.op('add', t, v.constant(f, 1)))
  const u = f.let('v128', 'u', op('v128.bitselect', moved, t, wide))
  const z = f.let('v128', 'z', v.op('mul', u, u))
  const p = polynomial(
    f,
    v,
    z,
    [-0.8750608600031904, -16.157537187333652, -75.00855792314705, -122.88666844901361, -64.85021904942025],
  )
  const q = polynomial(
    f,
    v,
    z,
    [1, 24.858464901423062, 165.02700983169885, 432.88106049129027, 485.3903996359137, 194.5506571482614],
  )
  const series = v.op('add', u, v.op('mul', u, v.op('mul', z, v.op('div', p, q))))
  const octant = f.let('v128', 'octant', v.op('add', series, op('v128.and', wide, v.constant(f, Math.PI / 4))))
  const quarter = op('v128.bitselect', v.op('sub', v.constant(f, Math.PI / 2), octant), octant, steep)
  const inner = f.let('v128', 'quarter', quarter)
  // Uses the sign bit, so that -0 counts as negative.
  const left = op('i64x2.sub', f.constant('i64x2', 0n), op('i64x2.shr_u', along, i32(63)))
  const half = op('v128.bitselect', v.op('sub', v.constant(f, Math.PI), inner), inner, left)
  const angle = op('v128.or', half, op('v128.and', up, signBit))
  // If either is NaN, sets all bits, which is a NaN.
  const numbers = op('v128.and', v.op('eq', up, up), v.op('eq', along, along))
  return op('v128.or', angle, op('v128.not', numbers))
}
