/**
 * The types of a kernel's text, and the instruction for a sign between two values of a type.
 *
 * Whole numbers are unsigned, as addresses and counts are. Nothing is converted by itself.
 *
 * @module
 */
import { opcodes } from '../wasm/opcodes.ts'

/** `bits` are a register without a type of its lanes; a `number` is known when the module is written; `any` is a hole. */
export interface Type {
  readonly name: string
  readonly form: 'scalar' | 'lanes' | 'bits' | 'number' | 'any'
  /** JavaScript for the name, if it is known only when the module is written. */
  readonly given?: string
}

export const number: Type = { name: 'a number', form: 'number' }
export const any: Type = { name: 'a hole', form: 'any' }

const known = (form: Type['form'], names: string) => names.split(' ').map((name) => [name, { name, form }] as const)
export const types: ReadonlyMap<string, Type> = new Map<string, Type>([
  ...known('scalar', 'i32 i64 f32 f64'),
  ...known('lanes', 'i8x16 i32x4 i64x2 f32x4 f64x2'),
  ...known('bits', 'v128'),
  // Only for its instructions: memory.copy and memory.fill.
  ...known('scalar', 'memory'),
])
export const typeNamed = (name: string): Type => types.get(name) as Type
export const i32: Type = typeNamed('i32')
const v128: Type = typeNamed('v128')

/** JavaScript for the name of a type. */
export const nameOf = ({ name, given }: Type): string => given ?? `"${name}"`
/** JavaScript for the name of the local or memory that holds a value. */
export const heldAs = (type: Type): string => (type.form === 'scalar' ? nameOf(type) : '"v128"')

/** JavaScript for an instruction of a type. It is undefined if there is no such instruction. */
export function instruction(type: Type, name: string): string | undefined {
  if (type.given) return `${type.given}+".${name}"`
  const full = `${type.name}.${name}`
  return full in opcodes ? `"${full}"` : undefined
}

/** The type of the result of an instruction. */
export function resultOf(type: Type, name: string): Type {
  if (/^(bitmask|all_true|any_true|eqz)$/.test(name)) return i32
  if (/^(eq|ne|[lg][te])(_[su])?$/.test(name)) return type.form === 'scalar' ? i32 : v128
  if (name === 'extract_lane') return types.get(type.name.split('x')[0] as string) ?? any
  return type
}

const names: Readonly<Record<string, string>> = {
  ...{ '+': 'add', '-': 'sub', '*': 'mul', '/': 'div', '%': 'rem', '<<': 'shl', '>>': 'shr' },
  ...{ '&': 'and', '|': 'or', '^': 'xor', '&&': 'and', '||': 'or' },
  ...{ '==': 'eq', '!=': 'ne', '<': 'lt', '<=': 'le', '>': 'gt', '>=': 'ge' },
}

/** The name of the instruction for a sign, and the type that has it. */
export function signed(sign: string, type: Type): { readonly type: Type; readonly name: string } {
  const name = names[sign] as string
  const bits = type.form !== 'scalar' && '&|^'.includes(sign)
  const whole = type.name.startsWith('i') && ['div', 'rem', 'shr', 'lt', 'le', 'gt', 'ge'].includes(name)
  return { type: bits ? v128 : type, name: whole ? `${name}_u` : name }
}

/** The type of two values side by side, or undefined if they do not go together. */
export function together(a: Type, b: Type): Type | undefined {
  const yields = ['number', 'any', 'bits']
  if (a === b) return a
  for (const form of yields) {
    if (form === 'bits' && (a.form === 'scalar' || b.form === 'scalar')) return undefined
    if (a.form === form) return b
    if (b.form === form) return a
  }
  return undefined
}
