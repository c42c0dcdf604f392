/**
 * Sine, cosine, tangent and the angle of a vector, in float64.
 *
 * Arguments are reduced by multiples of pi/2, given in parts of 33 bits. This is exact up to about 1e6, and loses digits
 * beyond. When no digit is left, the remainder counts as 0.
 *
 * @source Sun Microsystems, fdlibm, `k_sin.c`, `k_cos.c`, `e_rem_pio2.c`; arctangent: S. L. Moshier, Cephes, `atan`
 * @module
 */

import { value } from '../language/kernel.ts'
import type { FunctionBuilder } from '../wasm/function-builder.ts'
import type { Node } from '../wasm/nodes.ts'
import { float64 } from '../wasm/vector.ts'
import { polynomialOf } from './polynomial.ts'

const sineSeries = polynomialOf(
  float64,
  [
    1.58969099521155e-10, -2.5050760253406863e-8, 0.0000027557313707070068, -0.0001984126982985795, 0.00833333333332249,
    -0.16666666666666632,
  ],
)
const cosineSeries = polynomialOf(
  float64,
  [
    -1.1359647557788195e-11, 2.087572321298175e-9, -2.7557314351390663e-7, 0.00002480158728947673,
    -0.001388888888887411, 0.0416666666666666,
  ],
)

/** Has the quadrant in the low bits of each lane, and the sine and cosine of the rest. */
type Use = (code: FunctionBuilder, quadrant: Node, sine: Node, cosine: Node) => Node

/** The sine and cosine of the remainder of x after whole quadrants. */
const reduced = (code: FunctionBuilder, x: Node, use: Use): Node => value(code)`
  let x = ${x} as f64x2
  let n = nearest(x * ${2 / Math.PI})
  let left = x - n * 1.5707963267341256 - n * 6.077100506303966e-11 - n * 2.0222662487111665e-21 - n * 8.4784276603689e-32
  // A remainder greater than 1 has lost all digits. It becomes 0 in quadrant 0, where a tangent is finite. NaN is not greater
  // than 1, so it stays.
  let lost = abs(left) > 1
  let r = v128.andnot(left, lost) as f64x2
  let z = r * r
  let quadrant = v128.andnot(n + ${1.5 * 2 ** 52}, lost)
  let sine = r + r * z * (${sineSeries}(z) as f64x2)
  let cosine = 1 - (z * 0.5 - z * z * (${cosineSeries}(z) as f64x2))
  ${use}(quadrant, sine, cosine)`

/** A mask of the lanes with an odd quadrant. */
const odd = (code: FunctionBuilder, quadrant: Node): Node => value(code)`0 - ((${quadrant} as i64x2 & 1) as i64x2)`

/** The sign bit, in lanes where the quadrant plus `shift` is the third or fourth. */
const lowerHalf = (code: FunctionBuilder, quadrant: Node, shift: number): Node => value(code)`
  ((${quadrant} as i64x2 + ${shift}) & 2) as i64x2 << 62`

export const sin = (code: FunctionBuilder, x: Node): Node =>
  reduced(
    code,
    x,
    (code, quadrant, sine, cosine) => value(code)`
      v128.bitselect(${cosine}, ${sine}, ${odd}(${quadrant})) as f64x2 ^ ${lowerHalf}(${quadrant}, 0)`,
  )

export const cos = (code: FunctionBuilder, x: Node): Node =>
  reduced(
    code,
    x,
    (code, quadrant, sine, cosine) => value(code)`
      v128.bitselect(${sine}, ${cosine}, ${odd}(${quadrant})) as f64x2 ^ ${lowerHalf}(${quadrant}, 1)`,
  )

export const tan = (code: FunctionBuilder, x: Node): Node =>
  reduced(
    code,
    x,
    (code, quadrant, sine, cosine) => value(code)`
      let turned: v128 = ${odd}(${quadrant})
      const above = v128.bitselect(${cosine}, ${sine}, turned) as f64x2
      const below = v128.bitselect(${sine}, ${cosine}, turned) as f64x2
      above / below ^ (turned & f64x2(-0))`,
  )

const arctangentAbove = polynomialOf(
  float64,
  [-0.8750608600031904, -16.157537187333652, -75.00855792314705, -122.88666844901361, -64.85021904942025],
)
const arctangentBelow = polynomialOf(
  float64,
  [1, 24.858464901423062, 165.02700983169885, 432.88106049129027, 485.3903996359137, 194.5506571482614],
)

/** The angle of (x, y): the arctangent of the smaller over the larger absolute value, then mirrored into its octant. */
export const atan2 = (code: FunctionBuilder, y: Node, x: Node): Node => value(code)`
  let y = ${y} as f64x2
  let x = ${x} as f64x2
  let height = abs(y)
  let width = abs(x)
  let steep = height > width
  let larger = pmax(height, width)
  const ratio = pmin(height, width) / (v128.bitselect(larger, f64x2(1), larger > 0) as f64x2)
  // If both are infinite, the ratio counts as 1.
  let t = v128.bitselect(f64x2(1), ratio, (height == width) & (larger > 0)) as f64x2
  let wide = t > 0.66
  let u = v128.bitselect((t - 1) / (t + 1), t, wide) as f64x2
  let z = u * u
  const above = ${arctangentAbove}(z) as f64x2
  const below = ${arctangentBelow}(z) as f64x2
  let octant = u + u * (z * (above / below)) + (wide & f64x2(${Math.PI / 4})) as f64x2
  let quarter = v128.bitselect(${Math.PI / 2} - octant, octant, steep) as f64x2
  // Uses the sign bit, so that -0 counts as negative.
  const left = 0 - (x as i64x2 >> 63)
  const half = v128.bitselect(${Math.PI} - quarter, quarter, left)
  const angle = half | (y & f64x2(-0))
  // If either is NaN, sets all bits, which is a NaN.
  angle | ~((y == y) & (x == x))`
