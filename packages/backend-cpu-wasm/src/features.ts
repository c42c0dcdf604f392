/**
 * What this engine can do, found by validating modules of a few bytes.
 *
 * @module
 */
import { ModuleBuilder } from './wasm/module-builder.ts'
import { type Node, op, splat } from './wasm/nodes.ts'

function validates(value: Node): boolean {
  const module = new ModuleBuilder({ shared: false })
  module.define('f', {}, 'v128', (f) => f.return(value))
  return typeof WebAssembly === 'object' && WebAssembly.validate(module.encode())
}

const zero = splat('f32x4', 0)

/** 128-bit vectors: needed. */
export const simd = (): boolean => validates(op('f32x4.add', zero, zero))

/** Fused multiply-add. */
export const relaxedSimd = (): boolean => validates(op('f32x4.relaxed_madd', zero, zero, zero))
