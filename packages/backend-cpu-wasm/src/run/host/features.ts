/**
 * Detects the features of this WebAssembly engine by validating small modules.
 *
 * @module
 */

const header = [0, 0x61, 0x73, 0x6d, 1, 0, 0, 0]
/** `i32.const 0`, then `i8x16.splat`. */
const zero = [0x41, 0, 0xfd, 0x0f]

/** A module with a function that returns a register: an operation on zeros. */
function returning(operation: readonly number[], operands: number): Uint8Array<ArrayBuffer> {
  const body = [0, ...Array.from({ length: operands }, () => zero).flat(), 0xfd, ...operation, 0x0b]
  const type = [1, 5, 1, 0x60, 0, 1, 0x7b]
  return Uint8Array.of(...header, ...type, 3, 2, 1, 0, 10, body.length + 2, 1, body.length, ...body)
}

const [addition, fusedAddition] = [returning([0xe4, 1], 2), returning([0x85, 2], 3)]

const validates = (module: Uint8Array<ArrayBuffer>): boolean =>
  typeof WebAssembly === 'object' && WebAssembly.validate(module)

/** Whether modules may be compiled. A Content-Security-Policy can forbid that and still let modules be validated. */
export function mayCompile(): boolean {
  try {
    return new WebAssembly.Module(Uint8Array.from(header)) instanceof WebAssembly.Module
  } catch {
    return false
  }
}

/** Whether the engine has 128-bit vectors, which this backend needs; engines have had them since 2021, Safari since 2023. */
export const simd = (): boolean => validates(addition)

/** Whether the engine has fused multiply-add. */
export const relaxedSimd = (): boolean => validates(fusedAddition)
