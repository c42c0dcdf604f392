/**
 * The functions that a compiled kernel calls. Values in holes are numbers, nodes or locals, which only these tell apart.
 *
 * @module
 */
import type { FunctionBuilder } from '../wasm/function-builder.ts'
import type { ModuleBuilder } from '../wasm/module-builder.ts'
import {
  at,
  type Callable,
  call,
  get,
  i32,
  i64,
  type LaneType,
  type Local,
  laneAt,
  type Node,
  op,
  plus,
  set,
  times,
  type WasmType,
} from '../wasm/nodes.ts'
import type { Opcode } from '../wasm/opcodes.ts'

export { call, get, i32, laned, op, plus, times } from '../wasm/nodes.ts'

/** A value that may stand in a hole in place of an expression. */
export type Operand = number | Node | Local

/** A constant of a type. Registers are set once a function. */
export function constant(code: FunctionBuilder, type: WasmType | LaneType, value: number): Node {
  if (type === 'i64') return i64(BigInt(value))
  if (type === 'i32' || type === 'f32' || type === 'f64') return { kind: 'constant', type, value }
  return code.constant(type as LaneType, type === 'i64x2' ? BigInt(value) : value)
}

/** The node of a value of a type. */
export function node(code: FunctionBuilder, type: WasmType | LaneType, value: Operand): Node {
  if (typeof value === 'number') return constant(code, type, value)
  return 'kind' in value ? value : get(value)
}

const known: Readonly<Record<string, (a: number, b: number) => number | boolean>> = {
  ...{ add: (a, b) => a + b, sub: (a, b) => a - b, mul: (a, b) => a * b },
  ...{ div_u: (a, b) => Math.floor(a / b), rem_u: (a, b) => a % b },
  ...{ eq: (a, b) => a === b, ne: (a, b) => a !== b },
  ...{ lt_u: (a, b) => a < b, le_u: (a, b) => a <= b, gt_u: (a, b) => a > b, ge_u: (a, b) => a >= b },
}

const address = (value: Operand): Node =>
  typeof value === 'number' ? i32(value) : 'kind' in value ? value : get(value)

/** An instruction of whole numbers, which is computed at once if both are known. */
export function whole(name: string, a: Operand, b: Operand): Operand | boolean {
  const numbers = typeof a === 'number' && typeof b === 'number'
  const compute = known[name]
  if (numbers && compute) return compute(a, b)
  if (typeof b === 'number' && name === 'add') return plus(address(a), b)
  if (typeof b === 'number' && name === 'mul') return times(address(a), b)
  return op(`i32.${name}` as Opcode, address(a), address(b))
}

/** The same as a node. */
export const counted = (name: string, a: Operand, b: Operand): Node => address(whole(name, a, b) as Operand)

const moved = (base: Operand, offset: Operand): Node => address(whole('add', base, offset) as Operand)

/** The least or greatest of whole numbers, which are computed once. */
export function extreme(code: FunctionBuilder, by: 'i32.lt_u' | 'i32.gt_u', a: Node, b: Node): Node {
  const [x, y] = [a, b].map((value) => (value.kind === 'constant' ? value : code.let('i32', 'value', value))) as [
    Node,
    Node,
  ]
  return op('select', x, y, op(by, x, y))
}

/** The address and the offset of an instruction. A known number at the end of a sum is its offset. */
function placeOf(base: Operand, offset: Operand): readonly [Node, number] {
  if (typeof offset === 'number') return offset < 0 ? [moved(base, offset), 0] : [address(base), offset]
  const [rest, end] = 'kind' in offset && offset.kind === 'op' && offset.op === 'i32.add' ? offset.args : []
  const known = end?.kind === 'constant' ? Number(end.value) : -1
  return rest && known >= 0 ? [moved(base, rest), known] : [moved(base, offset), 0]
}

/** A load or store. */
export function access(name: Opcode, base: Operand, offset: Operand, ...values: readonly Node[]): Node {
  const [from, known] = placeOf(base, offset)
  return at(name, known, from, ...values)
}

/** A load or store of one lane. */
export function accessLane(name: Opcode, base: Operand, offset: Operand, lane: number, register: Node): Node {
  const [from, known] = placeOf(base, offset)
  return laneAt(name, known, lane, from, register)
}

/** A new local. Only printed modules show its name. */
export const local = (code: FunctionBuilder, type: WasmType, name = 'v'): Local => code.local(type, name)

/** A value that is computed now. */
export const kept = (code: FunctionBuilder, type: WasmType, value: Node, name = 'v'): Node =>
  code.let(type, name, value)

/** A number from memory in all lanes. */
export const loadSplat = (type: string, base: Operand, offset: Operand): Node =>
  access(`v128.load${bitsOf(type)}_splat`, base, offset)

/** Numbers from memory, one for each lane. */
export const loadLanes = (
  code: FunctionBuilder,
  type: LaneType,
  addresses: readonly (readonly [base: Operand, offset: Operand])[],
): Node =>
  addresses.reduce<Node>(
    (register, [base, offset], lane) =>
      accessLane(`v128.load${bitsOf(type.split('x')[0] as string)}_lane`, base, offset, lane, register),
    code.constant('i32x4', 0),
  )

/** One lane to memory. */
export const storeLane = (type: string, base: Operand, offset: Operand, lane: number, register: Node): Node =>
  accessLane(`v128.store${bitsOf(type)}_lane`, base, offset, lane, register)

const bitsOf = (type: string) => type.slice(1) as '32' | '64'

/** A value now, also if it is a variable, which may change. */
export const copied = (code: FunctionBuilder, type: WasmType, value: Node, name?: string): Node =>
  get(put(code, local(code, type, name), value))

/** A function of parameters with these types. */
export function define(
  module: ModuleBuilder,
  name: string,
  types: readonly WasmType[],
  result: WasmType | 0,
  write: (code: FunctionBuilder, ...values: readonly Node[]) => void,
  ...names: readonly string[]
): Callable {
  const parameters = Object.fromEntries(types.map((type, n) => [names[n] ?? `p${n}`, type]))
  return module.define(name, parameters, result || undefined, (code, values) => write(code, ...Object.values(values)))
}

/** A loop from a number to another. */
export const each = (
  code: FunctionBuilder,
  from: Node,
  to: Node,
  step: number,
  write: (index: Node) => void,
  name = 'n',
): void => code.for(name, from, to, step, write)

/** A number in all lanes. */
export function splat(code: FunctionBuilder, type: LaneType, value: Operand): Node {
  return typeof value === 'number'
    ? constant(code, type, value)
    : op(`${type}.splat`, 'kind' in value ? value : get(value))
}

/** Writes that a variable is set, and gives it. It may have come as a value of a call. */
export function put(code: FunctionBuilder, variable: Local | Extract<Node, { kind: 'get' }>, value: Node): Local {
  const local = 'kind' in variable ? variable.local : variable
  code.emit(set(local, value))
  return local
}

/** Converts between float32 and float64. */
export function convert(to: string, from: string, value: Node): Node {
  if (to === from) return value
  return op(to === 'f64' ? 'f64.promote_f32' : 'f32.demote_f64', value)
}

/** A function of TypeScript, which gets the function that is being written, and the values of the call. */
type Written = (code: FunctionBuilder, ...values: readonly (Operand | readonly Operand[])[]) => unknown

const isLocal = (value: Operand | readonly Operand[]): value is Local =>
  typeof value === 'object' && 'index' in value && !('kind' in value)

/** Calls a function of the module, or of TypeScript. */
export function invoke(
  code: FunctionBuilder,
  callee: Callable | Written,
  values: readonly (Operand | readonly Operand[])[],
): unknown {
  if (typeof callee === 'function') return callee(code, ...values.map((value) => (isLocal(value) ? get(value) : value)))
  return call(callee, ...values.map((value, n) => node(code, callee.parameters[n] as WasmType, value as Operand)))
}

/** A call that stands alone. If a function of TypeScript gives a node, that is the statement. */
export function run(
  code: FunctionBuilder,
  callee: Callable | Written,
  values: readonly (Operand | readonly Operand[])[],
): void {
  const result = invoke(code, callee, values)
  if (result !== undefined) code.emit(result as Node)
}

/** Writes one of two blocks if the condition is known, and both otherwise. */
export function branch(
  code: FunctionBuilder,
  condition: boolean | Node,
  then: () => void,
  otherwise?: () => void,
): void {
  if (typeof condition !== 'boolean') code.if(condition, then, otherwise)
  else if (condition) then()
  else otherwise?.()
}

/** One of two values, which are both computed unless the condition is known. */
export function choice(condition: boolean | Node, a: Node, b: Node): Node {
  if (typeof condition === 'boolean') return condition ? a : b
  return op('select', a, b, condition)
}

/** The condition is tested before the loop, and at its end. */
export function loop(code: FunctionBuilder, condition: () => Node, body: () => void): void {
  code.if(condition(), () =>
    code.repeat(() => {
      body()
      return condition()
    }),
  )
}

export const range = (from: number, to: number): readonly number[] =>
  Array.from({ length: to - from }, (_, n) => from + n)

/** Joins values by an instruction, from the first to the last. */
export const joined = (name: Opcode, values: readonly Node[]): Node => values.reduce((a, b) => op(name, a, b))
