/**
 * Adds up the numbers of an array in float64, as fast as memory gives them.
 *
 * @module
 */
import type { Precision } from '@manybody/core'
import { added } from '@manybody/core/backend'
import type { Memory } from './memory.ts'

interface Sum {
  readonly add: (first: number, end: number) => number
  /** It adds whole groups of this many numbers. */
  readonly group: number
}

const sums = new WeakMap<Memory, Sum>()

/** The sum of `length` numbers at an address. */
export async function sumOfArray(
  memory: Memory,
  precision: Precision,
  address: number,
  length: number,
): Promise<number> {
  const sum = sums.get(memory) ?? (await compiled(memory, precision))
  sums.set(memory, sum)
  const numbers = memory.numbers(precision, address, length)
  const whole = length - (length % sum.group)
  return sum.add(address, address + whole * numbers.BYTES_PER_ELEMENT) + added(numbers.subarray(whole))
}

async function compiled({ memory, shared }: Memory, precision: Precision): Promise<Sum> {
  const { sumGroup, sumModule } = await import('../../compile/wasm/sum-module.ts')
  const module = new WebAssembly.Module(sumModule(precision, shared))
  const instance = new WebAssembly.Instance(module, { env: { memory } })
  return { add: instance.exports.sum as Sum['add'], group: sumGroup }
}
