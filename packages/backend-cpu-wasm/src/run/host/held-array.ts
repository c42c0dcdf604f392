/**
 * Numbers that stay in the memory of a device, for whoever runs programs over them. `DeviceArray` is what users get of them.
 *
 * @module
 */
import type { FloatArray, Precision } from '@manybody/core'
import type { Memory } from './memory.ts'

export class HeldArray {
  /** Its address in the memory, in bytes. */
  readonly address: number
  /** How often the host has written the array. */
  writes = 0
  readonly #memory: Memory
  readonly #precision: Precision

  constructor(
    memory: Memory,
    precision: Precision,
    public length: number,
  ) {
    this.#memory = memory
    this.#precision = precision
    this.address = memory.allocate(length * (precision === 'f64' ? 8 : 4))
    this.numbers().fill(0)
  }

  /** Whether the array is in this memory, so that its address is valid there. */
  isIn(memory: Memory): boolean {
    return this.#memory === memory
  }

  /** A view of its numbers. It becomes invalid when the memory grows. */
  numbers(): FloatArray {
    return this.#memory.numbers(this.#precision, this.address, this.length)
  }

  dispose(): void {
    this.#memory.free(this.address)
  }
}
