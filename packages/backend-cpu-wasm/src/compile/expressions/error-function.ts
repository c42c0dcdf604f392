/**
 * The error function, its complement, the hyperbolic tangent and secant, in float64: rational approximations near zero, and
 * formulas with `exp` elsewhere.
 *
 * @source S. L. Moshier, Cephes, `ndtr.c` and `tanh.c`
 * @module
 */

import { value } from '../language/kernel.ts'
import type { FunctionBuilder } from '../wasm/function-builder.ts'
import type { Node } from '../wasm/nodes.ts'
import { float64 } from '../wasm/vector.ts'
import { exp64 } from './exp.ts'
import { polynomial } from './polynomial.ts'

type Written = (code: FunctionBuilder, x: Node) => Node

/** The quotient of two polynomials. */
const ratio =
  (above: readonly number[], below: readonly number[]): Written =>
  (code, x) =>
    float64.op('div', polynomial(code, float64, x, above), polynomial(code, float64, x, below))

const nearZero = ratio(
  [9.604973739870516, 90.02601972038427, 2232.005345946843, 7003.325141128051, 55592.30130103949],
  [1, 33.56171416475031, 521.3579497801527, 4594.323829709801, 22629.000061389095, 49267.39426086359],
)
const fromOne = ratio(
  [
    2.461969814735305e-10, 0.5641895648310689, 7.463210564422699, 48.63719709856814, 196.5208329560771,
    526.4451949954773, 934.5285271719576, 1027.5518868951572, 557.5353353693994,
  ],
  [
    1, 13.228195115474499, 86.70721408859897, 354.9377788878199, 975.7085017432055, 1823.9091668790973,
    2246.3376081871097, 1656.6630919416134, 557.5353408177277,
  ],
)
const fromEight = ratio(
  [0.5641895835477551, 1.275366707599781, 5.019050422511805, 6.160210979930536, 7.4097426995044895, 2.9788666537210022],
  [
    1, 2.2605286322011726, 9.396035249380015, 12.048953980809666, 17.08144507475659, 9.608968090632859,
    3.369076451000815,
  ],
)
const hyperbolic = ratio(
  [-0.9643991794250523, -99.28772310019185, -1614.6876844170845],
  [1, 112.81167849163293, 2235.4883906010045, 4844.063053251255],
)

/** Has x, where |x| < 1, `erf(x)` there, and `erfc(|x|)` elsewhere. */
type Use = (code: FunctionBuilder, x: Node, inner: Node, near: Node, far: Node) => Node

/** NaN in lanes where x is NaN, and elsewhere what `use` makes of the two formulas. */
const parts = (code: FunctionBuilder, x: Node, use: Use): Node => value(code)`
  let x = ${x} as f64x2
  let size = abs(x)
  // Beyond 30 the complement is 0. The limit also keeps infinity out, which would give 0 * infinity.
  let outer = pmin(pmax(size, 1), 30)
  let inner = size < 1
  let z = x * x
  let near = x * (${nearZero}(z) as f64x2)
  const factor = v128.bitselect(${fromOne}(outer), ${fromEight}(outer), outer < 8) as f64x2
  let far = ${exp64}(-(outer * outer)) as f64x2 * factor
  v128.bitselect(${use}(x, inner, near, far), x, x == x)`

export const erf: Written = (code, x) =>
  parts(
    code,
    x,
    (code, x, inner, near, far) =>
      value(code)`v128.bitselect(${near}, ${withSignOf}(1 - (${far} as f64x2), ${x}), ${inner})`,
  )

export const erfc: Written = (code, x) =>
  parts(
    code,
    x,
    (code, x, inner, near, far) => value(code)`
      const outer = v128.bitselect(2 - (${far} as f64x2), ${far}, ${x} as f64x2 < 0)
      v128.bitselect(1 - (${near} as f64x2), outer, ${inner})`,
  )

const withSignOf = (code: FunctionBuilder, size: Node, x: Node): Node => value(code)`
  v128.bitselect(${x}, ${size}, f64x2(-0))`

export const tanh: Written = (code, x) => value(code)`
  let x = ${x} as f64x2
  let size = abs(x)
  let z = x * x
  const inner = x + x * z * (${hyperbolic}(z) as f64x2)
  const twice = ${exp64}(size + size) as f64x2
  const outer = 1 - 2 / (twice + 1)
  v128.bitselect(inner, ${withSignOf}(outer, x), size < 0.625)`

/** `2e/(1 + e^2)` with `e = exp(-|x|)`, which cannot overflow. */
export const sech: Written = (code, x) => value(code)`
  let e = ${exp64}(-abs(${x} as f64x2)) as f64x2
  (e + e) / (1 + e * e)`
