/**
 * An array that stays in the memory of the device: `length` numbers of its precision.
 *
 * @module
 */
import type { DeviceBuffer, FloatArray, Precision } from '@manybody/core'
import { requireBufferLength } from '@manybody/core/backend'
import type { Memory } from './memory.ts'

/** Loaded with the first total. Where modules pass through a loader, importing one again takes longer than the sum. */
let loaded: typeof import('./sum-array.ts') | undefined

export interface DeviceArrayOptions {
  readonly memory: Memory
  readonly precision: Precision
  readonly length: number
  /** Runs a task after everything submitted before. */
  readonly inOrder: <T>(task: () => T | Promise<T>) => Promise<T>
}

export class DeviceArray implements DeviceBuffer {
  readonly length: number
  /** Its address in the memory, in bytes. */
  readonly address: number
  /** How often the host has written the array. */
  writes = 0
  readonly #options: DeviceArrayOptions

  constructor(options: DeviceArrayOptions) {
    const { memory, precision, length } = options
    this.#options = options
    this.length = length
    this.address = memory.allocate(length * (precision === 'f64' ? 8 : 4))
    this.numbers().fill(0)
  }

  async write(data: FloatArray): Promise<void> {
    requireBufferLength(data, 'data', this.length)
    await this.writePart(data, 0)
  }

  async writePart(data: FloatArray, first: number): Promise<void> {
    // Copies the data now, because the caller may change it before the write runs.
    const now = data.slice()
    await this.#options.inOrder(() => {
      this.writes++
      this.numbers().set(now, first)
    })
  }

  async read(into?: FloatArray): Promise<FloatArray> {
    requireBufferLength(into, 'into', this.length)
    return this.#options.inOrder(() => {
      if (!into) return this.numbers().slice()
      into.set(this.numbers())
      return into
    })
  }

  total(): Promise<number> {
    const { inOrder, memory, precision } = this.#options
    return inOrder(async () => {
      loaded ??= await import('./sum-array.ts')
      return await loaded.sumOfArray(memory, precision, this.address, this.length)
    })
  }

  /** Whether the array is in this memory, so that its address is valid there. */
  isIn(memory: Memory): boolean {
    return this.#options.memory === memory
  }

  dispose(): void {
    this.#options.memory.free(this.address)
  }

  /** A view of its numbers. It becomes invalid when the memory grows. */
  numbers(): FloatArray {
    const { memory, precision } = this.#options
    return memory.numbers(precision, this.address, this.length)
  }
}
