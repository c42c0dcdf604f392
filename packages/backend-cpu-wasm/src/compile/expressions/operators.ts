/**
 * The operator table of this backend: each operation of the expression language in WebAssembly vector instructions.
 *
 * Conditions are vectors. A lane has all bits set if the condition holds, and none if it does not.
 *
 * @module
 */
import type { ChoiceName, Language } from '@manybody/core/expression'
import { value } from '../language/kernel.ts'
import type { FunctionBuilder } from '../wasm/function-builder.ts'
import type { ModuleBuilder } from '../wasm/module-builder.ts'
import { type Node, op } from '../wasm/nodes.ts'
import type { Vector } from '../wasm/vector.ts'
import { type InstructionName, type MathName, mathNames } from './function-names.ts'
import type { mathCall } from './functions.ts'

/** Where expressions are written to. */
export interface Emitter {
  readonly module: ModuleBuilder
  readonly code: FunctionBuilder
  readonly vector: Vector
  /** Whether `a*b + c` may become one instruction with one rounding. */
  readonly fused: boolean
  readonly symbol: (name: string) => Node
  /** Writes functions that take more than an instruction; undefined if no expression has any. */
  readonly math: typeof mathCall | undefined
}

/** Operations that are one instruction of the numbers' type. */
const unary = { abs: 'abs', floor: 'floor', ceil: 'ceil', round: 'nearest' } as const
const binary = { min: 'pmin', max: 'pmax', less: 'lt', lessEqual: 'le', equal: 'eq' } as const
/** Operations that are one instruction of the bits of conditions. */
const bits = { and: 'v128.and', or: 'v128.or' } as const

type Operation = (a: Node, b: Node, c: Node) => Node

/** An operation for each name of a table. */
const each = <Name extends string, Entry>(table: Readonly<Record<Name, Entry>>, made: (entry: Entry) => Operation) =>
  Object.fromEntries((Object.keys(table) as Name[]).map((name) => [name, made(table[name])])) as Record<Name, Operation>

/** The language of vector instructions. Its symbols are values already. */
export function vectorLanguage({ module, code, vector, fused, symbol, math }: Emitter): Language<Node> {
  const two = (name: 'mul' | 'div' | (typeof binary)[keyof typeof binary]) => (a: Node, b: Node) =>
    vector.op(name, a, b)
  const written = (name: MathName, args: Node[]): Node => {
    if (!math) throw new TypeError(`Cannot write ${name}: only the loops of laws without such functions are loaded`)
    return math(module, code, vector, name, args)
  }
  const maths = mathNames.map((name) => [name, (...args: Node[]) => written(name, args)] as const)
  const instructions: Record<InstructionName | ChoiceName, Operation> = {
    ...each(unary, (name) => (a) => vector.unary(name, a)),
    ...each(binary, two),
    ...each(bits, (name) => (a, b) => op(name, a, b)),
    not: (a) => op('v128.not', a),
    sign: (a) => value(code)`
      lanes real = ${vector.type}
      let v: real = ${a}
      const positive = (v > 0) & real(1)
      const negative = (v < 0) & real(1)
      positive as real - negative as real`,
    step: (a) => value(code)`
      lanes real = ${vector.type}
      const positive = ${a} as real >= 0
      positive & real(1)`,
    select: (condition, a, b) => {
      // Where one of the numbers is 0, an instruction takes the place of three on x64.
      if (code.isZero(vector.type, a)) return value(code)`v128.andnot(${b}, ${condition})`
      if (code.isZero(vector.type, b)) return value(code)`v128.and(${a}, ${condition})`
      return value(code)`v128.bitselect(${a}, ${b}, ${condition})`
    },
  }
  return {
    constant: (number) => vector.constant(code, number),
    symbol,
    add: (a, b) => sumOf(vector, fused, a, b),
    subtract: (a, b) => fusedOr(vector, fused, ['relaxed_nmadd', 'sub'], a, b),
    multiply: two('mul'),
    divide: two('div'),
    negate: (a) => vector.unary('neg', a),
    power: (base, exponent) => {
      if (exponent === 0.5) return vector.unary('sqrt', base)
      if (exponent === -0.5)
        return value(code)`
          lanes real = ${vector.type}
          1 / sqrt(${base} as real)`
      return written('pow', [base, vector.constant(code, exponent)])
    },
    call: { ...Object.fromEntries(maths), ...instructions } as Language<Node>['call'],
  }
}

/** `a + b`, in one instruction if b is a product and fusing is allowed. */
export const sumOf = (vector: Vector, fused: boolean, a: Node, b: Node): Node =>
  fusedOr(vector, fused, ['relaxed_madd', 'add'], a, b)

function fusedOr(
  vector: Vector,
  fused: boolean,
  [whole, last]: readonly ['relaxed_madd', 'add'] | readonly ['relaxed_nmadd', 'sub'],
  a: Node,
  b: Node,
): Node {
  const factors = fused && factorsOf(vector, b)
  return factors ? op(`${vector.type}.${whole}`, ...factors, a) : vector.op(last, a, b)
}

const factorsOf = (vector: Vector, e: Node) => (e.kind === 'op' && e.op === `${vector.type}.mul` ? e.args : undefined)
