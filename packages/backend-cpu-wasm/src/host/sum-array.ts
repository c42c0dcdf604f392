/**
 * Adds up the numbers of an array in float64, two at a time and in several chains: as fast as memory gives them.
 *
 * @module
 */
import type { Precision } from '@manybody/core'
import { added } from '@manybody/core/backend'
import { integers, ModuleBuilder } from '../wasm/module-builder.ts'
import { at, get, laned, type Node, op, set } from '../wasm/nodes.ts'
import type { Memory } from './memory.ts'

/** Each addition waits for the one before in its chain, and a chain takes two numbers. */
const chains = 8
const atOnce = 2 * chains

type Sum = (first: number, end: number) => number

const sums = new WeakMap<Memory, Sum>()

/** The sum of `length` numbers at an address. */
export function sumOfArray(memory: Memory, precision: Precision, address: number, length: number): number {
  const sum = sums.get(memory) ?? compiled(memory, precision)
  sums.set(memory, sum)
  const numbers = memory.numbers(precision, address, length)
  const whole = length - (length % atOnce)
  return sum(address, address + whole * numbers.BYTES_PER_ELEMENT) + added(numbers.subarray(whole))
}

function compiled({ memory, shared }: Memory, precision: Precision): Sum {
  const module = new WebAssembly.Module(sumModule(precision, shared).encode())
  return new WebAssembly.Instance(module, { env: { memory } }).exports.sum as Sum
}

/** The sum of the numbers between two addresses, in whole groups of `atOnce`. */
function sumModule(precision: Precision, shared: boolean): ModuleBuilder {
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
  return module
}
