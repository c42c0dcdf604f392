/**
 * Encodes function trees as the bytes of a WebAssembly module.
 *
 * @source WebAssembly Core Specification 2.0, chapter 5
 * @module
 */
import { BinaryWriter } from './binary-writer.ts'
import { compact } from './compact.ts'
import type { FunctionBuilder } from './function-builder.ts'
import type { Local, ModuleOptions, Node, WasmType } from './nodes.ts'
import { opcodes } from './opcodes.ts'

const valueTypes: Readonly<Record<WasmType, number>> = { i32: 0x7f, i64: 0x7e, f32: 0x7d, f64: 0x7c, v128: 0x7b }
const empty = 0x40
/** Size of the largest memory that 32-bit addresses reach, in pages. */
export const mostPages = 65536

/** log2 of the natural alignment, which is only a hint to the engine. */
function alignment(name: string): number {
  if (name === 'v128.load' || name === 'v128.store') return 4
  return name.includes('64') ? 3 : 2
}

/** The numbers of locals. */
type Indices = ReadonlyMap<Local, number>

function writeNodes(out: BinaryWriter, nodes: readonly Node[], indices: Indices): void {
  for (const node of nodes) writeNode(out, node, indices)
}

function writeNode(out: BinaryWriter, node: Node, indices: Indices): void {
  switch (node.kind) {
    case 'op':
      writeNodes(out, node.args, indices)
      writeOperation(out, node)
      return
    case 'constant':
      writeConstant(out, node)
      return
    case 'splat': {
      const [type, count] = node.lanes.split('x') as ['i32' | 'i64' | 'f32' | 'f64', string]
      out.byte(0xfd)
      out.byte(0x0c)
      for (let lane = 0; lane < Number(count); lane++) out.number(type, node.value)
      return
    }
    case 'get':
      out.byte(0x20)
      out.unsigned(indices.get(node.local) as number)
      return
    case 'set':
    case 'tee':
      writeNode(out, node.value, indices)
      out.byte(node.kind === 'set' ? 0x21 : 0x22)
      out.unsigned(indices.get(node.local) as number)
      return
    case 'call':
      writeNodes(out, node.args, indices)
      out.byte(0x10)
      out.unsigned(node.callee.index)
      return
    case 'if':
      writeNode(out, node.condition, indices)
      out.byte(0x04)
      out.byte(empty)
      writeNodes(out, node.body, indices)
      if (node.otherwise.length) out.byte(0x05)
      writeNodes(out, node.otherwise, indices)
      out.byte(0x0b)
      return
    case 'loop':
      out.byte(0x03)
      out.byte(empty)
      writeNodes(out, node.body, indices)
      writeNode(out, node.again, indices)
      out.byte(0x0d)
      out.byte(0)
      out.byte(0x0b)
      return
    case 'return':
      writeNode(out, node.value, indices)
      out.byte(0x0f)
  }
}

function writeConstant(out: BinaryWriter, node: Extract<Node, { kind: 'constant' }>): void {
  if (node.type === 'i32') {
    out.byte(0x41)
    out.signed(BigInt(node.value | 0))
  } else if (node.type === 'i64') {
    out.byte(0x42)
    out.signed(node.value)
  } else {
    out.byte(node.type === 'f32' ? 0x43 : 0x44)
    out.number(node.type, node.value)
  }
}

function writeOperation(out: BinaryWriter, { op, offset, lanes }: Extract<Node, { kind: 'op' }>): void {
  const code = opcodes[op]
  if (code < 0x100) out.byte(code)
  else {
    const prefix = code < 0xfd00 ? 0xfc : 0xfd
    out.byte(prefix)
    out.unsigned(code - prefix * 0x100)
  }
  if (op === 'memory.copy') out.byte(0)
  if (op === 'memory.copy' || op === 'memory.fill') out.byte(0)
  if (offset !== undefined) {
    out.unsigned(alignment(op))
    out.unsigned(offset)
  }
  for (const lane of lanes ?? []) out.byte(lane)
}

function writeCode(out: BinaryWriter, code: FunctionBuilder): void {
  const { body, locals } = compact(code)
  const parameters = code.locals.slice(0, code.parameters.length)
  const indices = new Map([...parameters, ...locals].map((local, index) => [local, index]))
  out.sized((sized) => {
    sized.vector(runsOf(locals), ([type, count]) => {
      sized.unsigned(count)
      sized.byte(valueTypes[type])
    })
    writeNodes(sized, body, indices)
    // A function with a result returns explicitly; the end of its body is never reached.
    if (code.result) sized.byte(0x00)
    sized.byte(0x0b)
  })
}

/** How many locals of one type follow each other. */
function runsOf(locals: readonly Local[]): readonly (readonly [type: WasmType, count: number])[] {
  const types = [...new Set(locals.map(({ type }) => type))]
  return types.map((type) => [type, locals.filter((local) => local.type === type).length])
}

/** The bytes of a module that exports all functions and imports its memory as `env.memory`. */
export function encodeModule(
  functions: readonly FunctionBuilder[],
  { shared }: ModuleOptions,
): Uint8Array<ArrayBuffer> {
  const out = new BinaryWriter()
  const section = (id: number, write: (content: BinaryWriter) => void) => {
    out.byte(id)
    out.sized(write)
  }
  out.append(Uint8Array.of(0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0))
  section(1, (types) =>
    types.vector(functions, ({ parameters, result }) => {
      types.byte(0x60)
      types.vector(parameters, (type) => types.byte(valueTypes[type]))
      types.vector(result ? [result] : [], (type) => types.byte(valueTypes[type]))
    }),
  )
  section(2, (imports) =>
    imports.vector(['memory'], (name) => {
      imports.text('env')
      imports.text(name)
      imports.byte(2)
      imports.byte(shared ? 3 : 0)
      imports.unsigned(0)
      if (shared) imports.unsigned(mostPages)
    }),
  )
  section(3, (indices) => indices.vector(functions, ({ index }) => indices.unsigned(index)))
  section(7, (exported) =>
    exported.vector(functions, ({ name, index }) => {
      exported.text(name)
      exported.byte(0)
      exported.unsigned(index)
    }),
  )
  section(10, (bodies) => bodies.vector(functions, (code) => writeCode(bodies, code)))
  return out.bytes()
}
