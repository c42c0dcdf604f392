/**
 * The error function, its complement, the hyperbolic tangent and secant, in float64: rational approximations near zero, and
 * formulas with `exp` elsewhere.
 *
 * @source S. L. Moshier, Cephes, `ndtr.c` and `tanh.c`
 * @module
 */

import type { FunctionBuilder } from '../wasm/function-builder.ts'
import { type Node, op } from '../wasm/nodes.ts'
import { float64 } from '../wasm/vector.ts'
import { exp64 } from './exp.ts'
import { polynomial } from './polynomial.ts'

/** `x T(x^2)/U(x^2)`, for |x| <= 1. */
function near(code: FunctionBuilder, x: Node): Node {
  const z = code.let('v128', 'z', float64.op('mul', x, x))
  const above = polynomial(
    code,
    float64,
    z,
    [9.604973739870516, 90.02601972038427, 2232.005345946843, 7003.325141128051, 55592.30130103949],
  )
  const below = polynomial(
    code,
    float64,
    z,
    [1, 33.56171416475031, 521.3579497801527, 4594.323829709801, 22629.000061389095, 49267.39426086359],
  )
  return float64.op('mul', x, float64.op('div', above, below))
}

/** `erfc(x)` for x >= 1: `exp(-x^2)` times a rational function, with other coefficients for x >= 8. */
function far(code: FunctionBuilder, x: Node): Node {
  const ratio = (above: readonly number[], below: readonly number[]) =>
    float64.op('div', polynomial(code, float64, x, above), polynomial(code, float64, x, below))
  const middle = ratio(
    [
      2.461969814735305e-10, 0.5641895648310689, 7.463210564422699, 48.63719709856814, 196.5208329560771,
      526.4451949954773, 934.5285271719576, 1027.5518868951572, 557.5353353693994,
    ],
    [
      1, 13.228195115474499, 86.70721408859897, 354.9377788878199, 975.7085017432055, 1823.9091668790973,
      2246.3376081871097, 1656.6630919416134, 557.5353408177277,
    ],
  )
  const tail = ratio(
    [
      0.5641895835477551, 1.275366707599781, 5.019050422511805, 6.160210979930536, 7.4097426995044895,
      2.9788666537210022,
    ],
    [
      1, 2.2605286322011726, 9.396035249380015, 12.048953980809666, 17.08144507475659, 9.608968090632859,
      3.369076451000815,
    ],
  )
  const factor = op('v128.bitselect', middle, tail, float64.op('lt', x, float64.constant(code, 8)))
  return float64.op('mul', exp64(code, float64.unary('neg', float64.op('mul', x, x))), factor)
}

interface Parts {
  readonly x: Node
  /** Where |x| < 1. */
  readonly inner: Node
  /** `erf(x)` where |x| < 1. */
  readonly near: Node
  /** `erfc(|x|)` where |x| >= 1. */
  readonly far: Node
}

function parts(code: FunctionBuilder, argument: Node): Parts {
  const x = code.let('v128', 'x', argument)
  const size = code.let('v128', 'size', float64.unary('abs', x))
  const one = float64.constant(code, 1)
  // Beyond 30 the complement is 0. The limit also keeps infinity out, which would give 0 * infinity.
  const outer = code.let('v128', 'outer', float64.op('pmin', float64.op('pmax', size, one), float64.constant(code, 30)))
  return {
    x,
    inner: code.let('v128', 'inner', float64.op('lt', size, one)),
    near: code.let('v128', 'near', near(code, x)),
    far: code.let('v128', 'far', far(code, outer)),
  }
}

const withSignOf = (code: FunctionBuilder, size: Node, x: Node) =>
  op('v128.bitselect', x, size, float64.constant(code, -0))

export function erf(code: FunctionBuilder, argument: Node): Node {
  const { x, inner, near, far } = parts(code, argument)
  const outer = withSignOf(code, float64.op('sub', float64.constant(code, 1), far), x)
  return notNumber(x, op('v128.bitselect', near, outer, inner))
}

export function erfc(code: FunctionBuilder, argument: Node): Node {
  const { x, inner, near, far } = parts(code, argument)
  const left = float64.op('lt', x, float64.constant(code, 0))
  const outer = op('v128.bitselect', float64.op('sub', float64.constant(code, 2), far), far, left)
  return notNumber(x, op('v128.bitselect', float64.op('sub', float64.constant(code, 1), near), outer, inner))
}

/** `value`, or NaN in lanes where x is NaN. */
function notNumber(x: Node, value: Node): Node {
  return op('v128.bitselect', value, x, float64.op('eq', x, x))
}

export function tanh(code: FunctionBuilder, argument: Node): Node {
  const x = code.let('v128', 'x', argument)
  const size = code.let('v128', 'size', float64.unary('abs', x))
  const z = code.let('v128', 'z', float64.op('mul', x, x))
  const above = polynomial(code, float64, z, [-0.9643991794250523, -99.28772310019185, -1614.6876844170845])
  const below = polynomial(code, float64, z, [1, 112.81167849163293, 2235.4883906010045, 4844.063053251255])
  const inner = float64.op('add', x, float64.op('mul', float64.op('mul', x, z), float64.op('div', above, below)))
  const twice = exp64(code, float64.op('add', size, size))
  const outer = float64.op(
    'sub',
    float64.constant(code, 1),
    float64.op('div', float64.constant(code, 2), float64.op('add', twice, float64.constant(code, 1))),
  )
  return op('v128.bitselect', inner, withSignOf(code, outer, x), float64.op('lt', size, float64.constant(code, 0.625)))
}

/** `2e/(1 + e^2)` with `e = exp(-|x|)`, which cannot overflow. */
export function sech(code: FunctionBuilder, argument: Node): Node {
  const e = code.let('v128', 'e', exp64(code, float64.unary('neg', float64.unary('abs', argument))))
  const above = float64.op('add', e, e)
  return float64.op('div', above, float64.op('add', float64.constant(code, 1), float64.op('mul', e, e)))
}
