/**
 * What this engine can do, found by validating modules of a few bytes.
 *
 * @module
 */
import { ModuleBuilder } from '../wasm/module-builder.ts'
import { type Node, op, splat, type ValueType } from '../wasm/nodes.ts'

function validates(type: ValueType, value: Node): boolean {
  const module = new ModuleBuilder({ shared: false })
  module.define('f', {}, type, (f) => f.return(value))
  return typeof WebAssembly === 'object' && WebAssembly.validate(module.encode())
}

const zero = splat('f32x4', 0)

/** Conversions that never trap, as old as the bulk operations on memory: needed. */
export const basic = (): boolean =>
  validates('i32', op('i32.trunc_sat_f32_s', { kind: 'constant', type: 'f32', value: 0 }))

/** 128-bit vectors; without them numbers are computed one at a time. */
export const simd = (): boolean => validates('v128', op('f32x4.add', zero, zero))

/** Fused multiply-add. */
export const relaxedSimd = (): boolean => validates('v128', op('f32x4.relaxed_madd', zero, zero, zero))
