/**
 * Adds up the numbers of an array in float64, two at a time and in several chains: as fast as memory gives them.
 *
 * @module
 */
import type { Precision } from '@manybody/core'
import { integers, ModuleBuilder } from './module-builder.ts'
import { at, get, laned, type Node, op, set } from './nodes.ts'

/** Each addition waits for the one before in its chain, and a chain takes two numbers. */
const chains = 8
/** The module adds whole groups of this many numbers. */
export const sumGroup: number = 2 * chains

/** The sum of the numbers between two addresses, in whole groups of `sumGroup`. */
export function sumModule(precision: Precision, shared: boolean): Uint8Array<ArrayBuffer> {
  const module = new ModuleBuilder({ shared })
  // Loading half a register is faster than moving the upper half of one, because both use the processor's only shuffle unit.
  const [bytes, load] =
    precision === 'f64'
      ? [16, (offset: number, place: Node) => at('v128.load', offset, place)]
      : [8, (offset: number, place: Node) => op('f64x2.promote_low_f32x4', at('v128.load64_zero', offset, place))]
  module.define('sum', integers('first', 'end'), 'f64', (code, { first, end }) => {
    const sums = Array.from({ length: chains }, () => code.local('v128', 'sum'))
    for (const sum of sums) code.emit(set(sum, code.constant('f64x2', 0)))
    code.for('place', first, end, chains * bytes, (place) => {
      for (const [n, sum] of sums.entries()) code.emit(set(sum, op('f64x2.add', get(sum), load(n * bytes, place))))
    })
    const all = code.let(
      'v128',
      'all',
      sums.map(get).reduce((a, b) => op('f64x2.add', a, b)),
    )
    code.return(op('f64.add', laned('f64x2.extract_lane', [0], all), laned('f64x2.extract_lane', [1], all)))
  })
  return module.encode()
}
