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

/** Where expressions are written to. */
export interface Emitter {
  readonly module: ModuleBuilder
  readonly code: FunctionBuilder
  readonly vector: Vector
  /** Whether `a*b + c` may become one instruction with one rounding. */
  readonly fused: boolean
  readonly symbol: (name: string) => Node
}

/** The language of vector instructions. Its symbols are values already. */
export function vectorLanguage({ module, code, vector, fused, symbol }: Emitter): Language<Node> {
  const one = () => vector.constant(code, 1)
  const zero = () => vector.constant(code, 0)
  const name = (value: Node) => code.let('v128', 'v', value)
  const pick = (condition: Node, a: Node, b: Node) => op('v128.bitselect', a, b, condition)
  const least = (a: Node, b: Node) => vector.op('pmin', a, b)
  const greatest = (a: Node, b: Node) => vector.op('pmax', a, b)
  const maths = mathNames.map(
    (name) => [name, (...args: Node[]) => mathCall(module, code, vector, name, args)] as const,
  )
  const instructions: Record<InstructionName | ChoiceName, (a: Node, b: Node, c: Node) => Node> = {
    abs: (a) => vector.unary('abs', a),
    sign: (a) => {
      const x = name(a)
      const positive = op('v128.and', vector.op('gt', x, zero()), one())
      return vector.op('sub', positive, op('v128.and', vector.op('lt', x, zero()), one()))
    },
    floor: (a) => vector.unary('floor', a),
    ceil: (a) => vector.unary('ceil', a),
    round: (a) => vector.unary('nearest', a),
    step: (a) => op('v128.and', vector.op('ge', a, zero()), one()),
    min: least,
    max: greatest,
    select: pick,
    less: (a, b) => vector.op('lt', a, b),
    lessEqual: (a, b) => vector.op('le', a, b),
    equal: (a, b) => vector.op('eq', a, b),
    and: (a, b) => op('v128.and', a, b),
    or: (a, b) => op('v128.or', a, b),
    not: (a) => op('v128.not', a),
  }
  return {
    constant: (value) => vector.constant(code, value),
    symbol,
    add: (a, b) => sumOf(vector, fused, a, b),
    subtract: (a, b) => {
      const factors = fused && factorsOf(vector, b)
      return factors ? op(`${vector.type}.relaxed_nmadd`, ...factors, a) : vector.op('sub', a, b)
    },
    multiply: (a, b) => vector.op('mul', a, b),
    divide: (a, b) => vector.op('div', a, b),
    negate: (a) => vector.unary('neg', a),
    power: (base, exponent) => {
      if (exponent === 0.5) return vector.unary('sqrt', base)
      if (exponent === -0.5) return vector.op('div', one(), vector.unary('sqrt', base))
      return mathCall(module, code, vector, 'pow', [base, vector.constant(code, exponent)])
    },
    call: { ...Object.fromEntries(maths), ...instructions } as Language<Node>['call'],
  }
}

/** `a + b`, in one instruction if b is a product and fusing is allowed. */
export function sumOf(vector: Vector, fused: boolean, a: Node, b: Node): Node {
  const factors = fused && factorsOf(vector, b)
  return factors ? op(`${vector.type}.relaxed_madd`, ...factors, a) : vector.op('add', a, b)
}

const factorsOf = (vector: Vector, e: Node) => (e.kind === 'op' && e.op === `${vector.type}.mul` ? e.args : undefined)
