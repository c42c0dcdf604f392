/**
 * Turns a module with vectors into one without, for engines without SIMD: it computes one lane of each register with scalar
 * instructions.
 *
 * This works because lanes are independent, so one lane is a program by itself. A register becomes a number, of the type
 * that the instructions assume; instructions that use its bits get a reinterpreted number.
 *
 * @module
 */
import type { FunctionBuilder } from './function-builder.ts'
import { ModuleBuilder } from './module-builder.ts'
import { at, get, i32, i64, type Local, type Node, op, set, type WasmType } from './nodes.ts'
import type { Opcode } from './opcodes.ts'

type Float = 'f32' | 'f64'
type Integer = 'i32' | 'i64'
/** The type that a lane has. A `condition` is 0 or 1, and stands for a lane with no bits or all bits set. */
type Seen = Float | Integer | 'condition'
interface Value {
  readonly node: Node
  readonly seen: Seen
}
interface ScalarLocal {
  readonly local: Local
  readonly seen: Seen
}
type Operation = Extract<Node, { readonly kind: 'op' }>

const laneTypes: Readonly<Record<string, Float | Integer>> = { f32x4: 'f32', f64x2: 'f64', i32x4: 'i32', i64x2: 'i64' }
const bitsOf = { f32: 'i32', f64: 'i64', i32: 'i32', i64: 'i64' } as const
const comparisons = ['eq', 'lt', 'gt', 'le', 'ge']
/** Vector instructions whose scalar form has another name. The minima and maxima differ only for NaN. */
const renamed: Readonly<Record<string, string>> = { pmin: 'min', pmax: 'max', convert_i32x4_s: 'convert_i32_s' }
/** The scalar form of each conversion, and the type that it reads. */
const conversions: Readonly<Record<string, readonly [Opcode, Float | Integer]>> = {
  'f32x4.convert_i32x4_s': ['f32.convert_i32_s', 'i32'],
  'f32x4.demote_f64x2_zero': ['f32.demote_f64', 'f64'],
  'f64x2.promote_low_f32x4': ['f64.promote_f32', 'f32'],
  'i32x4.trunc_sat_f32x4_s': ['i32.trunc_sat_f32_s', 'f32'],
  'i32x4.trunc_sat_f64x2_s_zero': ['i32.trunc_sat_f64_s', 'f64'],
  'i64x2.extend_low_i32x4_s': ['i64.extend_i32_s', 'i32'],
}

/** The same functions in scalar instructions. `float` is the type of numbers in memory, where no instruction tells it. */
export function scalarModule({ functions, options }: ModuleBuilder, float: Float): ModuleBuilder {
  const module = new ModuleBuilder(options)
  const floatOf = (name: string): Float => (name.startsWith('f64x2.') ? 'f64' : float)
  const plain = (type: WasmType, name: string): WasmType => (type === 'v128' ? floatOf(name) : type)
  for (const from of functions) {
    const { name, locals, result } = from
    const parameters = locals.slice(0, from.parameters.length).map((l) => [l.name, plain(l.type, name)] as const)
    module.define(name, Object.fromEntries(parameters), result && plain(result, name), (code) =>
      new Lane(code, from, floatOf).write(),
    )
  }
  return module
}

class Lane {
  readonly #locals = new Map<Local, ScalarLocal>()
  readonly #float: Float

  constructor(
    readonly code: FunctionBuilder,
    readonly from: FunctionBuilder,
    readonly floatOf: (name: string) => Float,
  ) {
    this.#float = floatOf(from.name)
    for (const [n, local] of code.locals.entries())
      this.#locals.set(from.locals[n] as Local, { local, seen: local.type as Seen })
  }

  write(): void {
    this.code.emit(...this.from.body.map((node) => this.#statement(node)))
  }

  #statements(nodes: readonly Node[]): readonly Node[] {
    return nodes.map((node) => this.#statement(node))
  }

  #statement(node: Node): Node {
    switch (node.kind) {
      case 'set': {
        const value = this.#value(node.value)
        const place = this.#localOf(node.local, value.seen)
        return set(place.local, as(place.seen, value))
      }
      case 'if':
        return {
          ...node,
          condition: this.#value(node.condition).node,
          body: this.#statements(node.body),
          otherwise: this.#statements(node.otherwise),
        }
      case 'loop':
        return { ...node, body: this.#statements(node.body), again: this.#value(node.again).node }
      case 'return': {
        const value = this.#value(node.value)
        return { ...node, value: this.code.result ? as(this.code.result as Seen, value) : value.node }
      }
      default:
        return this.#value(node).node
    }
  }

  /** The local that replaces another. The first value of a register decides its type. */
  #localOf(local: Local, first?: Seen): ScalarLocal {
    const known = this.#locals.get(local)
    if (known) return known
    const { name, type } = local
    const seen = type === 'v128' ? first : type
    if (seen === undefined) throw new Error(`${name} is read before it is set in ${this.code.name}`)
    const place = { local: this.code.local(seen === 'condition' ? 'i32' : seen, name), seen }
    this.#locals.set(local, place)
    return place
  }

  /** @param wanted the type to load, where the instruction does not tell it */
  #value(node: Node, wanted: Seen = this.#float): Value {
    switch (node.kind) {
      case 'constant':
        return { node, seen: node.type }
      case 'splat':
        return constant(laneTypes[node.lanes] ?? 'i32', node.value)
      case 'get': {
        const { local, seen } = this.#localOf(node.local)
        return { node: get(local), seen }
      }
      case 'call': {
        const { callee } = node
        const float = this.floatOf(callee.name)
        const args = node.args.map((arg, n) =>
          callee.parameters[n] === 'v128' ? this.#as(float, arg) : this.#value(arg).node,
        )
        return { node: { ...node, args }, seen: callee.result === 'v128' ? float : 'i32' }
      }
      case 'op':
        return this.#operation(node, wanted)
      default:
        throw new Error(`a ${node.kind} has no value`)
    }
  }

  #as(seen: Seen, node: Node): Node {
    return as(seen, this.#value(node, seen))
  }

  #operation(node: Operation, wanted: Seen): Value {
    const [type = '', name = ''] = node.op.split('.')
    const lane = laneTypes[type]
    if (type === 'v128')
      return /load|store/.test(name) ? this.#access(node, name, wanted) : this.#bits(node, name, wanted)
    if (lane === undefined) return this.#scalar(node, type, name)
    const conversion = conversions[node.op]
    const [first, second] = node.args as readonly [Node, Node]
    if (conversion) return { node: op(conversion[0], this.#as(conversion[1], first)), seen: lane }
    switch (name) {
      case 'splat':
      case 'extract_lane':
        return { node: this.#as(lane, first), seen: lane }
      case 'replace_lane':
        return { node: this.#as(lane, second), seen: lane }
      case 'bitmask':
        return { node: op('i32.and', anyBit(this.#value(first)), i32(1)), seen: 'i32' }
      case 'shl':
      case 'shr_u':
      case 'shr_s': {
        const count = this.#value(second).node
        const wide = lane === 'i64' ? op('i64.extend_i32_u', count) : count
        return { node: op(`${lane}.${name}` as Opcode, this.#as(lane, first), wide), seen: lane }
      }
    }
    const args = node.args.map((arg) => this.#as(lane, arg))
    const seen = comparisons.includes(name) ? 'condition' : lane
    return { node: op(`${lane}.${renamed[name] ?? name}` as Opcode, ...args), seen }
  }

  /** An instruction that is scalar already. */
  #scalar(node: Operation, type: string, name: string): Value {
    const args = node.args.map((arg) => this.#value(arg))
    const seen = /^(eqz|eq|ne|[lg][te])/.test(name) ? 'i32' : node.op === 'select' ? args[0]?.seen : (type as Seen)
    return { node: { ...node, args: args.map((arg) => arg.node) }, seen: seen ?? 'i32' }
  }

  #access({ args: [address, operand], offset = 0 }: Operation, name: string, wanted: Seen): Value {
    const to = this.#value(address as Node).node
    if (name.startsWith('load')) {
      const seen = name === 'load64_zero' ? 'i32' : wanted === 'condition' ? bitsOf[this.#float] : wanted
      return { node: at(`${seen}.load`, offset, to), seen }
    }
    const value = this.#value(operand as Node)
    const whole = value.seen === 'condition' ? bitsOf[this.#float] : value.seen
    const seen = name === 'store32_lane' && bitsOf[whole] === 'i64' ? 'i32' : whole
    return { node: at(`${seen}.store`, offset, to, as(seen, value)), seen }
  }

  #bits({ args }: Operation, name: string, wanted: Seen): Value {
    const [a, b, c] = args.map((arg) => this.#value(arg, wanted)) as [Value, Value, Value]
    const other = [a, b, c].find((value) => value && value.seen !== 'condition')?.seen as Float | Integer | undefined
    if (name === 'bitselect' && c.seen === 'condition') {
      const seen = other ?? 'i32'
      return { node: op('select', as(seen, a), as(seen, b), c.node), seen }
    }
    const type = other ? bitsOf[other] : 'i32'
    const seen: Seen = other ? type : 'condition'
    const word = (value: Value) => as(seen, value)
    const inverse = (value: Value) =>
      other ? op(`${type}.xor`, word(value), constant(type, -1).node) : op('i32.eqz', value.node)
    switch (name) {
      case 'not':
        return { node: inverse(a), seen }
      case 'andnot':
        return { node: op(`${type}.and`, word(a), inverse(b)), seen }
      case 'bitselect': {
        const [yes, no] = [op(`${type}.and`, word(a), word(c)), op(`${type}.and`, word(b), inverse(c))]
        return { node: op(`${type}.or`, yes, no), seen }
      }
      default:
        return { node: op(`${type}.${name}` as Opcode, word(a), word(b)), seen }
    }
  }
}

function constant(type: Float | Integer, value: number | bigint): Value {
  const node: Node = type === 'i64' ? i64(BigInt(value)) : { kind: 'constant', type, value: Number(value) }
  return { node, seen: type }
}

/** A value with another type. */
function as(seen: Seen, { node, seen: from }: Value): Node {
  if (seen === from) return node
  if (from === 'condition') {
    const bits = op('i32.sub', i32(0), node)
    const is64 = seen === 'i64' || seen === 'f64'
    return as(seen, is64 ? { node: op('i64.extend_i32_s', bits), seen: 'i64' } : { node: bits, seen: 'i32' })
  }
  if (seen === 'i32' && bitsOf[from] === 'i64') return op('i32.wrap_i64', as('i64', { node, seen: from }))
  if (seen === 'condition' || bitsOf[seen] !== bitsOf[from])
    throw new Error(`a lane of ${from} cannot be seen as ${seen}`)
  const back = `${from}.reinterpret_${seen}`
  return node.kind === 'op' && node.op === back
    ? (node.args[0] as Node)
    : op(`${seen}.reinterpret_${from}` as Opcode, node)
}

/** Whether any bit of a lane is set, as a number that is 0 or not. */
function anyBit(value: Value): Node {
  if (value.seen === 'condition') return value.node
  const word = as(bitsOf[value.seen], value)
  return bitsOf[value.seen] === 'i64' ? op('i64.ne', word, i64(0n)) : word
}
