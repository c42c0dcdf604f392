/**
 * Expressions of float64 numbers. Proxies are computed in float64, whatever the precision of the loop.
 *
 * @module
 */
import type { FunctionBuilder } from '../wasm/function-builder.ts'
import { at, type Node, op } from '../wasm/nodes.ts'
import type { Vector } from '../wasm/vector.ts'

export const f64 = (value: number): Node => ({ kind: 'constant', type: 'f64', value })
export const sum = (a: Node, b: Node): Node => op('f64.add', a, b)
export const difference = (a: Node, b: Node): Node => op('f64.sub', a, b)
export const product = (a: Node, b: Node): Node => op('f64.mul', a, b)
export const quotient = (a: Node, b: Node): Node => op('f64.div', a, b)

/** Adds to a number in memory. */
export const add = (code: FunctionBuilder, offset: number, address: Node, value: Node): void =>
  code.emit(at('f64.store', offset, address, sum(at('f64.load', offset, address), value)))

/** Loads a number of the device. */
export const loadNumber = ({ bytes }: Vector, offset: number, address: Node): Node =>
  bytes === 8 ? at('f64.load', offset, address) : op('f64.promote_f32', at('f32.load', offset, address))

/** Stores a number of the device. */
export const storeNumber = ({ bytes }: Vector, offset: number, address: Node, value: Node): Node =>
  bytes === 8 ? at('f64.store', offset, address, value) : at('f32.store', offset, address, op('f32.demote_f64', value))
