/**
 * The operator table of this backend: each operation of the expression language in WebAssembly vector instructions.
 *
 * Conditions are vectors. A lane has all bits set if the condition holds, and none if it does not.
 *
 * @module
 */
import type { ChoiceName, Language } from '@manybody/core/expression'
import type { FunctionBuilder } from '../wasm/function-builder.ts'
import type { ModuleBuilder } from '../wasm/module-builder.ts'
import { type Node, op } from '../wasm/nodes.ts'
import type { Vector } from '../wasm/vector.ts'
import { type InstructionName, mathCall, mathNames } from './functions.ts'

/** The place into which expressions are written. */
export interface Emitter {
  readonly module: ModuleBuilder
  readonly f: FunctionBuilder
  readonly v: Vector
  /** Whether `a*b + c` may become one instruction with one rounding. */
  readonly fused: boolean
  readonly symbol: (name: string) => Node
}

/** The language of vector instructions, in which symbols are values already. */
export function vectorLanguage({ module, f, v, fused, symbol }: Emitter): Language<Node> {
  const one = () => v.constant(f, 1)
  const zero = () => v.constant(f, 0)
  const name = (value: Node) => f.let('v128', 'v', value)
  const pick = (condition: Node, a: Node, b: Node) => op('v128.bitselect', a, b, condition)
  // Scalar code has no `pmin` or `pmax`, and its `min` and `max` treat NaN differently, so this compares and selects.
  const chosen = (a: Node, b: Node, better: (x: Node, y: Node) => Node) => {
    const [x, y] = [name(a), name(b)]
    return pick(better(y, x), y, x)
  }
  const least = (a: Node, b: Node) => (v.lanes === 1 ? chosen(a, b, (x, y) => v.op('lt', x, y)) : v.op('pmin', a, b))
  const greatest = (a: Node, b: Node) => (v.lanes === 1 ? chosen(a, b, (x, y) => v.op('gt', x, y)) : v.op('pmax', a, b))
  const maths = mathNames.map((name) => [name, (...args: Node[]) => mathCall(module, f, v, name, args)] as const)
  const instructions: Record<InstructionName | ChoiceName, (a: Node, b: Node, c: Node) => Node> = {
    abs: (a) => v.unary('abs', a),
    sign: (a) => {
      const x = name(a)
      const positive = op('v128.and', v.op('gt', x, zero()), one())
      return v.op('sub', positive, op('v128.and', v.op('lt', x, zero()), one()))
    },
    floor: (a) => v.unary('floor', a),
    ceil: (a) => v.unary('ceil', a),
    round: (a) => v.unary('nearest', a),
    step: (a) => op('v128.and', v.op('ge', a, zero()), one()),
    min: least,
    max: greatest,
    select: pick,
    less: (a, b) => v.op('lt', a, b),
    lessEqual: (a, b) => v.op('le', a, b),
    equal: (a, b) => v.op('eq', a, b),
    and: (a, b) => op('v128.and', a, b),
    or: (a, b) => op('v128.or', a, b),
    not: (a) => op('v128.not', a),
  }
  return {
    constant: (value) => v.constant(f, value),
    symbol,
    add: (a, b) => sumOf(v, fused, a, b),
    subtract: (a, b) => {
      const factors = fused && factorsOf(v, b)
      return factors ? op(`${v.type}.relaxed_nmadd`, ...factors, a) : v.op('sub', a, b)
    },
    multiply: (a, b) => v.op('mul', a, b),
    divide: (a, b) => v.op('div', a, b),
    negate: (a) => v.unary('neg', a),
    power: (base, exponent) => {
      if (exponent === 0.5) return v.unary('sqrt', base)
      if (exponent === -0.5) return v.op('div', one(), v.unary('sqrt', base))
      return mathCall(module, f, v, 'pow', [base, v.constant(f, exponent)])
    },
    call: { ...Object.fromEntries(maths), ...instructions } as Language<Node>['call'],
  }
}

/** `a + b`, in one instruction if b is a product and fusing is allowed. */
export function sumOf(v: Vector, fused: boolean, a: Node, b: Node): Node {
  const factors = fused && factorsOf(v, b)
  return factors ? op(`${v.type}.relaxed_madd`, ...factors, a) : v.op('add', a, b)
}

const factorsOf = (v: Vector, e: Node) => (e.kind === 'op' && e.op === `${v.type}.mul` ? e.args : undefined)
