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
import { float64 } from '../wasm/vector.ts'
import { polynomial } from './polynomial.ts'

interface Reduced {
  /** The quadrant in the low bits of each lane. */
  readonly quadrant: Node
  readonly sine: Node
  readonly cosine: Node
}

/** Sine and cosine of the remainder of x after whole quadrants. */
function reduced(code: FunctionBuilder, x: Node): Reduced {
  const given = code.let('v128', 'x', x)
  const n = code.let(
    'v128',
    'n',
    float64.unary('nearest', float64.op('mul', given, float64.constant(code, 2 / Math.PI))),
  )
  const parts = [1.5707963267341256, 6.077100506303966e-11, 2.0222662487111665e-21, 8.4784276603689e-32]
  const rest = parts.reduce(
    (left, part) => float64.op('sub', left, float64.op('mul', n, float64.constant(code, part))),
    given,
  )
  const left = code.let('v128', 'left', rest)
  // A remainder greater than 1 has lost all digits. It becomes 0 in quadrant 0, where a tangent is finite. NaN is not greater
  // than 1, so it stays.
  const lost = code.let('v128', 'lost', float64.op('gt', float64.unary('abs', left), float64.constant(code, 1)))
  const r = code.let('v128', 'r', op('v128.andnot', left, lost))
  const z = code.let('v128', 'z', float64.op('mul', r, r))
  const s = polynomial(
    code,
    float64,
    z,
    [
      1.58969099521155e-10, -2.5050760253406863e-8, 0.0000027557313707070068, -0.0001984126982985795,
      0.00833333333332249, -0.16666666666666632,
    ],
  )
  const c = polynomial(
    code,
    float64,
    z,
    [
      -1.1359647557788195e-11, 2.087572321298175e-9, -2.7557314351390663e-7, 0.00002480158728947673,
      -0.001388888888887411, 0.0416666666666666,
    ],
  )
  const zz = float64.op('mul', z, z)
  return {
    quadrant: code.let(
      'v128',
      'quadrant',
      op('v128.andnot', float64.op('add', n, float64.constant(code, 1.5 * 2 ** 52)), lost),
    ),
    sine: code.let('v128', 'sine', float64.op('add', r, float64.op('mul', float64.op('mul', r, z), s))),
    cosine: code.let(
      'v128',
      'cosine',
      float64.op(
        'sub',
        float64.constant(code, 1),
        float64.op('sub', float64.op('mul', z, float64.constant(code, 0.5)), float64.op('mul', zz, c)),
      ),
    ),
  }
}

/** A mask of the lanes with an odd quadrant. */
function odd(code: FunctionBuilder, { quadrant }: Reduced): Node {
  return op('i64x2.sub', code.constant('i64x2', 0n), op('v128.and', quadrant, code.constant('i64x2', 1n)))
}

/** The sign bit, in lanes where the quadrant plus `shift` is the third or fourth. */
function lowerHalf(code: FunctionBuilder, { quadrant }: Reduced, shift: bigint): Node {
  const moved = op('i64x2.add', quadrant, code.constant('i64x2', shift))
  return op('i64x2.shl', op('v128.and', moved, code.constant('i64x2', 2n)), i32(62))
}

export function sin(code: FunctionBuilder, x: Node): Node {
  const parts = reduced(code, x)
  const size = op('v128.bitselect', parts.cosine, parts.sine, odd(code, parts))
  return op('v128.xor', size, lowerHalf(code, parts, 0n))
}

export function cos(code: FunctionBuilder, x: Node): Node {
  const parts = reduced(code, x)
  const size = op('v128.bitselect', parts.sine, parts.cosine, odd(code, parts))
  return op('v128.xor', size, lowerHalf(code, parts, 1n))
}

export function tan(code: FunctionBuilder, x: Node): Node {
  const parts = reduced(code, x)
  const turned = code.let('v128', 'turned', odd(code, parts))
  const above = op('v128.bitselect', parts.cosine, parts.sine, turned)
  const below = op('v128.bitselect', parts.sine, parts.cosine, turned)
  return op('v128.xor', float64.op('div', above, below), op('v128.and', turned, float64.constant(code, -0)))
}

/** The angle of (x, y): the arctangent of the smaller over the larger absolute value, then mirrored into its octant. */
export function atan2(code: FunctionBuilder, y: Node, x: Node): Node {
  const zero = float64.constant(code, 0)
  const signBit = float64.constant(code, -0)
  const [up, along] = [code.let('v128', 'y', y), code.let('v128', 'x', x)]
  const [height, width] = [
    code.let('v128', 'height', float64.unary('abs', up)),
    code.let('v128', 'width', float64.unary('abs', along)),
  ]
  const steep = code.let('v128', 'steep', float64.op('gt', height, width))
  const larger = code.let('v128', 'larger', float64.op('pmax', height, width))
  const ratio = float64.op(
    'div',
    float64.op('pmin', height, width),
    op('v128.bitselect', larger, float64.constant(code, 1), float64.op('gt', larger, zero)),
  )
  // If both are infinite, the ratio counts as 1.
  const diagonal = float64.op('eq', height, width)
  const positive = op('v128.and', diagonal, float64.op('gt', larger, zero))
  const t = code.let('v128', 't', op('v128.bitselect', float64.constant(code, 1), ratio, positive))
  const wide = code.let('v128', 'wide', float64.op('gt', t, float64.constant(code, 0.66)))
  const moved = float64.op(
    'div',
    float64.op('sub', t, float64.constant(code, 1)),
    float64.op('add', t, float64.constant(code, 1)),
  )
  const u = code.let('v128', 'u', op('v128.bitselect', moved, t, wide))
  const z = code.let('v128', 'z', float64.op('mul', u, u))
  const p = polynomial(
    code,
    float64,
    z,
    [-0.8750608600031904, -16.157537187333652, -75.00855792314705, -122.88666844901361, -64.85021904942025],
  )
  const q = polynomial(
    code,
    float64,
    z,
    [1, 24.858464901423062, 165.02700983169885, 432.88106049129027, 485.3903996359137, 194.5506571482614],
  )
  const series = float64.op('add', u, float64.op('mul', u, float64.op('mul', z, float64.op('div', p, q))))
  const octant = code.let(
    'v128',
    'octant',
    float64.op('add', series, op('v128.and', wide, float64.constant(code, Math.PI / 4))),
  )
  const quarter = op('v128.bitselect', float64.op('sub', float64.constant(code, Math.PI / 2), octant), octant, steep)
  const inner = code.let('v128', 'quarter', quarter)
  // Uses the sign bit, so that -0 counts as negative.
  const left = op('i64x2.sub', code.constant('i64x2', 0n), op('i64x2.shr_u', along, i32(63)))
  const half = op('v128.bitselect', float64.op('sub', float64.constant(code, Math.PI), inner), inner, left)
  const angle = op('v128.or', half, op('v128.and', up, signBit))
  // If either is NaN, sets all bits, which is a NaN.
  const numbers = op('v128.and', float64.op('eq', up, up), float64.op('eq', along, along))
  return op('v128.or', angle, op('v128.not', numbers))
}
