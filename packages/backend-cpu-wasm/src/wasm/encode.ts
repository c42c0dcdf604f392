/**
 * Encodes function trees as the bytes of a WebAssembly module.
 *
 * @source WebAssembly Core Specification 2.0, chapter 5
 * @module
 */
import type { FunctionBuilder } from './function-builder.ts'
import type { LaneType, ModuleOptions, Node, ValueType } from './nodes.ts'
import { opcodes } from './opcodes.ts'

type Bytes = number[]

const valueTypes: Readonly<Record<ValueType, number>> = { i32: 0x7f, i64: 0x7e, f32: 0x7d, f64: 0x7c, v128: 0x7b }
const empty = 0x40
/** Size of the largest memory that 32-bit addresses reach, in pages. */
export const mostPages = 65536

function unsigned(value: number): Bytes {
  const bytes: Bytes = []
  let rest = value
  do {
    const low = rest % 128
    rest = Math.floor(rest / 128)
    bytes.push(rest ? low + 128 : low)
  } while (rest)
  return bytes
}

function signed(value: bigint): Bytes {
  const bytes: Bytes = []
  let rest = value
  for (;;) {
    const low = Number(rest & 0x7fn)
    rest >>= 7n
    if ((rest === 0n && low < 64) || (rest === -1n && low >= 64)) return [...bytes, low]
    bytes.push(low + 128)
  }
}

const text = (value: string): Bytes => {
  const bytes = new TextEncoder().encode(value)
  return [...unsigned(bytes.length), ...bytes]
}
const vector = (items: readonly Bytes[]): Bytes => [...unsigned(items.length), ...items.flat()]
const section = (id: number, content: Bytes): Bytes => [id, ...unsigned(content.length), ...content]

function number(type: 'i32' | 'i64' | 'f32' | 'f64', value: number | bigint): Bytes {
  const view = new DataView(new ArrayBuffer(8))
  if (type === 'i32') view.setInt32(0, Number(value), true)
  else if (type === 'i64') view.setBigInt64(0, BigInt(value), true)
  else if (type === 'f32') view.setFloat32(0, Number(value), true)
  else view.setFloat64(0, Number(value), true)
  return [...new Uint8Array(view.buffer, 0, type.endsWith('32') ? 4 : 8)]
}

function splatBytes(lanes: LaneType, value: number | bigint): Bytes {
  const [type, count] = lanes.split('x') as ['i32' | 'i64' | 'f32' | 'f64', string]
  return Array.from({ length: Number(count) }, () => number(type, value)).flat()
}

/** log2 of the natural alignment, which is only a hint to the engine. */
function alignment(name: string): number {
  if (name === 'v128.load' || name === 'v128.store') return 4
  return name.includes('64') ? 3 : 2
}

class Encoder {
  readonly bytes: Bytes = []

  nodes(nodes: readonly Node[]): void {
    for (const node of nodes) this.node(node)
  }

  node(node: Node): void {
    const { bytes } = this
    switch (node.kind) {
      case 'op':
        this.nodes(node.args)
        this.#operation(node)
        return
      case 'constant':
        if (node.type === 'i32') bytes.push(0x41, ...signed(BigInt(node.value | 0)))
        else if (node.type === 'i64') bytes.push(0x42, ...signed(node.value))
        else bytes.push(node.type === 'f32' ? 0x43 : 0x44, ...number(node.type, node.value))
        return
      case 'splat':
        bytes.push(0xfd, 0x0c, ...splatBytes(node.lanes, node.value))
        return
      case 'get':
        bytes.push(0x20, ...unsigned(node.local.index))
        return
      case 'set':
        this.node(node.value)
        bytes.push(0x21, ...unsigned(node.local.index))
        return
      case 'call':
        this.nodes(node.args)
        bytes.push(0x10, ...unsigned(node.callee.index))
        return
      case 'if':
        this.node(node.condition)
        bytes.push(0x04, empty)
        this.nodes(node.body)
        if (node.otherwise.length) bytes.push(0x05)
        this.nodes(node.otherwise)
        bytes.push(0x0b)
        return
      case 'loop':
        bytes.push(0x03, empty)
        this.nodes(node.body)
        this.node(node.again)
        bytes.push(0x0d, 0, 0x0b)
        return
      case 'return':
        this.node(node.value)
        bytes.push(0x0f)
    }
  }

  #operation({ op, offset, lanes }: Extract<Node, { kind: 'op' }>): void {
    const code = opcodes[op]
    if (code < 0x100) this.bytes.push(code)
    else if (code < 0xfd00) this.bytes.push(0xfc, ...unsigned(code - 0xfc00))
    else this.bytes.push(0xfd, ...unsigned(code - 0xfd00))
    if (op === 'memory.copy') this.bytes.push(0, 0)
    if (op === 'memory.fill') this.bytes.push(0)
    if (offset !== undefined) this.bytes.push(...unsigned(alignment(op)), ...unsigned(offset))
    if (lanes) this.bytes.push(...lanes)
  }
}

function code(f: FunctionBuilder): Bytes {
  const encoder = new Encoder()
  encoder.nodes(f.body)
  // A function with a result returns explicitly; the end of its body is never reached.
  if (f.result) encoder.bytes.push(0x00)
  const locals = f.locals.slice(f.parameters.length).map(({ type }) => [1, valueTypes[type]])
  const content = [...vector(locals), ...encoder.bytes, 0x0b]
  return [...unsigned(content.length), ...content]
}

/** The bytes of a module that exports all functions and imports its memory as `env.memory`. */
export function encodeModule(
  functions: readonly FunctionBuilder[],
  { shared }: ModuleOptions,
): Uint8Array<ArrayBuffer> {
  const types = functions.map(({ parameters, result }) => [
    0x60,
    ...vector(parameters.map((p) => [valueTypes[p]])),
    ...vector(result ? [[valueTypes[result]]] : []),
  ])
  const limits = shared ? [3, 0, ...unsigned(mostPages)] : [0, 0]
  return Uint8Array.from([
    ...[0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, vector(types)),
    ...section(2, vector([[...text('env'), ...text('memory'), 2, ...limits]])),
    ...section(3, vector(functions.map((_, index) => unsigned(index)))),
    ...section(7, vector(functions.map(({ name, index }) => [...text(name), 0, ...unsigned(index)]))),
    ...section(10, vector(functions.map(code))),
  ])
}
