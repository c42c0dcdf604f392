/**
 * A shader as data: its text, the arrays that it binds in order, and the fields of its uniform block.
 *
 * @module
 */
import type { Size } from './spread.ts'

export type ScalarType = 'f32' | 'u32' | 'i32'

/** An array that a shader binds. `key` names its content: `targets.position`, `result.force`, `partial`. */
export interface Resource {
  readonly key: string
  /** If it holds several arrays one after the other: their keys. */
  readonly parts?: readonly string[]
  readonly access: 'read' | 'read_write'
  readonly type: ScalarType | 'vec2f' | 'vec4f' | 'vec4u' | 'atomic<u32>'
}

/** A number of the uniform block. It is the same for all invocations of a dispatch. */
export interface Field {
  readonly name: string
  readonly type: ScalarType
  /** A comment in the printed shader. */
  readonly note?: string
}

export interface Shader {
  readonly label: string
  readonly code: string
  readonly resources: readonly Resource[]
  readonly fields: readonly Field[]
  /** Number of invocations in a workgroup. */
  readonly workgroup: number
  /** Bytes of workgroup memory. */
  readonly memory: number
  readonly subgroups: boolean
}

/** One run of a shader. */
export interface Dispatch {
  readonly shader: Shader
  /** Values of the uniform block, by the names of its fields. */
  readonly values: Readonly<Record<string, number>>
  /** Workgroups along each axis. */
  readonly size: Size
}

/** The name of a bound array in WGSL. */
export const arrayName = (key: string): string => key.replaceAll('.', '_')

/**
 * The text for the driver, without names that callers chose: comments are removed, and arrays have numbered names. Line numbers
 * stay the same.
 */
export function driverText({ code, resources }: Pick<Shader, 'code' | 'resources'>): string {
  const numbered = new Map(resources.map(({ key }, n) => [arrayName(key), `bound${n}`]))
  return code.replace(/\/\/.*/g, '').replace(/[A-Za-z]\w*/g, (word) => numbered.get(word) ?? word)
}

/** How many bytes a uniform block has. */
export const uniformLength = (fields: readonly Field[]): number => Math.max(16, Math.ceil(fields.length / 4) * 16)

/** The bytes of a uniform block. */
export function uniformBytes(fields: readonly Field[], values: Readonly<Record<string, number>>): ArrayBuffer {
  const bytes = new ArrayBuffer(uniformLength(fields))
  const view = new DataView(bytes)
  for (const [index, { name, type }] of fields.entries()) {
    const value = values[name]
    if (value === undefined) throw new Error(`no value for uniform "${name}"`)
    if (type === 'f32') view.setFloat32(4 * index, value, true)
    else view.setUint32(4 * index, value, true)
  }
  return bytes
}
