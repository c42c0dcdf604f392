/**
 * Detects the features of this WebAssembly engine by validating small modules.
 *
 * @module
 */
import { ModuleBuilder } from '../wasm/module-builder.ts'
import { type Node, op, splat, type WasmType } from '../wasm/nodes.ts'

function validates(type: WasmType, value: Node): boolean {
  const module = new ModuleBuilder({ shared: false })
  module.define('f', {}, type, (code) => code.return(value))
  return typeof WebAssembly === 'object' && WebAssembly.validate(module.encode())
}

/** A module without content. */
const empty = Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0)

/** Whether modules may be compiled. A Content-Security-Policy can forbid that, although it lets modules be validated. */
export function mayCompile(): boolean {
  try {
    return new WebAssembly.Module(empty) instanceof WebAssembly.Module
  } catch {
    return false
  }
}

const zero = splat('f32x4', 0)

/** Whether the engine has 128-bit vectors, which this backend needs; engines have had them since 2021, Safari since 2023. */
export const simd = (): boolean => validates('v128', op('f32x4.add', zero, zero))

/** Whether the engine has fused multiply-add. */
export const relaxedSimd = (): boolean => validates('v128', op('f32x4.relaxed_madd', zero, zero, zero))
