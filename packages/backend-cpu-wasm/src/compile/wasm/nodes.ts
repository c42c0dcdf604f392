/**
 * The body of a WebAssembly function as a tree, which can be encoded or printed. Nothing here knows about points or
 * expressions.
 *
 * A node that is used twice is computed twice; `FunctionBuilder.let` stores a value in a local instead.
 *
 * @module
 */
import type { Opcode } from './opcodes.ts'

export type WasmType = 'i32' | 'i64' | 'f32' | 'f64' | 'v128'

/** A parameter or local variable. Indices count parameters first. */
export interface Local {
  readonly name: string
  readonly type: WasmType
  readonly index: number
}

/** The facts about a function that a call to it needs. */
export interface Callable {
  readonly name: string
  readonly parameters: readonly WasmType[]
  readonly result: WasmType | undefined
  readonly index: number
}

export interface ModuleOptions {
  /** Whether the imported memory is shared between threads. */
  readonly shared: boolean
}

/** The type of the lanes of a vector constant. All lanes have the same number. */
export type LaneType = 'i32x4' | 'i64x2' | 'f32x4' | 'f64x2'

export type Node =
  | {
      readonly kind: 'op'
      readonly op: Opcode
      readonly args: readonly Node[]
      readonly offset?: number
      readonly lanes?: readonly number[]
    }
  | { readonly kind: 'constant'; readonly type: 'i32' | 'f32' | 'f64'; readonly value: number }
  | { readonly kind: 'constant'; readonly type: 'i64'; readonly value: bigint }
  | { readonly kind: 'splat'; readonly lanes: LaneType; readonly value: number | bigint }
  | { readonly kind: 'get'; readonly local: Local }
  | { readonly kind: 'set'; readonly local: Local; readonly value: Node }
  /** Sets a local, and gives its value. */
  | { readonly kind: 'tee'; readonly local: Local; readonly value: Node }
  | { readonly kind: 'call'; readonly callee: Callable; readonly args: readonly Node[] }
  | {
      readonly kind: 'if'
      readonly condition: Node
      readonly body: readonly Node[]
      readonly otherwise: readonly Node[]
    }
  /** Repeats while `again` holds. The test is at the end. */
  | { readonly kind: 'loop'; readonly body: readonly Node[]; readonly again: Node }
  | { readonly kind: 'return'; readonly value: Node }

export const op = (name: Opcode, ...args: readonly Node[]): Node => ({ kind: 'op', op: name, args })
/** A load or store with a constant added to its address. */
export const at = (name: Opcode, offset: number, ...args: readonly Node[]): Node => ({
  kind: 'op',
  op: name,
  args,
  offset,
})
/** A load or store of one lane. */
export const laneAt = (name: Opcode, offset: number, lane: number, ...args: readonly Node[]): Node => ({
  kind: 'op',
  op: name,
  args,
  offset,
  lanes: [lane],
})
/** An instruction with lane numbers, such as a shuffle. */
export const laned = (name: Opcode, lanes: readonly number[], ...args: readonly Node[]): Node => ({
  kind: 'op',
  op: name,
  args,
  lanes,
})
export const i32 = (value: number): Node => ({ kind: 'constant', type: 'i32', value })
export const i64 = (value: bigint): Node => ({ kind: 'constant', type: 'i64', value })
export const splat = (lanes: LaneType, value: number | bigint): Node => ({ kind: 'splat', lanes, value })
export const get = (local: Local): Node => ({ kind: 'get', local })
export const set = (local: Local, value: Node): Node => ({ kind: 'set', local, value })
export const call = (callee: Callable, ...args: readonly Node[]): Node => ({ kind: 'call', callee, args })

/** `a + b` of addresses or counts, with constants folded. */
export function plus(a: Node, b: Node | number): Node {
  if (typeof b !== 'number') return op('i32.add', a, b)
  if (b === 0) return a
  return a.kind === 'constant' && a.type === 'i32' ? i32(a.value + b) : op('i32.add', a, i32(b))
}

/** `a * b`, where b is an integer constant. */
export function times(a: Node, b: number): Node {
  return b === 1 ? a : op('i32.mul', a, i32(b))
}
