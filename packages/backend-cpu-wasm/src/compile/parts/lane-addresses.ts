/**
 * An address for each lane from whole numbers that are floats. A conversion takes seven instructions. Instead, a large number is added
 * that leaves the nearest whole number in the low bits, and all lanes are scaled and moved at once.
 *
 * @module
 */
import type { FunctionBuilder } from '../wasm/function-builder.ts'
import { laned, type Node } from '../wasm/nodes.ts'
import type { Vector } from '../wasm/vector.ts'

/** Added to a number below 2^22, they leave its nearest whole number in the low 32 bits; `bits` are those of 0. */
export const rounding: Readonly<Record<4 | 8, { readonly add: number; readonly bits: number }>> = {
  4: { add: 1.5 * 2 ** 23, bits: 0x4b400000 },
  8: { add: 1.5 * 2 ** 52, bits: 0 },
}

/** One address for each lane, of a register that has them in the low bits of its lanes. */
export function laneAddresses({ lanes }: Vector, code: FunctionBuilder, addresses: Node): readonly Node[] {
  const all = code.let('v128', 'place', addresses)
  return Array.from({ length: lanes }, (_, lane) =>
    code.let('i32', 'entry', laned('i32x4.extract_lane', [(lane * 4) / lanes], all)),
  )
}
