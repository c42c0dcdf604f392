/**
 * An array that stays in the memory of the device: `length` numbers of its precision.
 *
 * @module
 */
import type { DeviceBuffer, FloatArray, Precision, Stretch } from '@manybody/core'
import { movedTogether, nonzeroIn, numbersAt, requireBufferLength } from '@manybody/core/backend'
import { HeldArray } from './held-array.ts'
import type { Memory } from './memory.ts'

/** Loaded with the first total. Where modules pass through a loader, importing one again takes longer than the sum. */
let loaded: typeof import('./sum-array.ts') | undefined

export interface DeviceArrayOptions {
  readonly memory: Memory
  readonly precision: Precision
  readonly length: number
  /** Runs a task after everything submitted before. */
  readonly inOrder: <T>(task: () => T | Promise<T>) => Promise<T>
  /** Whether nothing was submitted before, and the device is not lost. */
  readonly idle: () => boolean
}

export class DeviceArray extends HeldArray implements DeviceBuffer {
  readonly #options: DeviceArrayOptions

  constructor(options: DeviceArrayOptions) {
    super(options.memory, options.precision, options.length)
    this.#options = options
  }

  async write(data: FloatArray): Promise<void> {
    requireBufferLength(data, 'data', this.length)
    await this.writePart(data, 0)
  }

  writePart(data: FloatArray, first: number): Promise<void> | undefined {
    if (this.#options.idle()) return this.#put(data, first)
    // Copies the data now, because the caller may change it before the write runs.
    const now = data.slice()
    return this.#options.inOrder(() => this.#put(now, first))
  }

  #put(data: FloatArray, first: number): undefined {
    this.writes++
    this.numbers().set(data, first)
  }

  resize(length: number): Promise<void> | undefined {
    return this.#inOrder(() => {
      this.length = length
      return undefined
    })
  }

  keep(stretches: readonly Stretch[]): Promise<void> | undefined {
    return this.#inOrder(() => {
      this.writes++
      this.length = movedTogether(this.numbers(), stretches)
      return undefined
    })
  }

  async read(into?: FloatArray): Promise<FloatArray> {
    requireBufferLength(into, 'into', this.length)
    return this.#inOrder(() => {
      if (!into) return this.numbers().slice()
      into.set(this.numbers())
      return into
    })
  }

  /** Runs a short task at once if nothing was submitted before; otherwise in its turn. */
  #inOrder<T>(task: () => T): T | Promise<T> {
    return this.#options.idle() ? task() : this.#options.inOrder(task)
  }

  readAtOnce(into: FloatArray): boolean {
    requireBufferLength(into, 'into', this.length)
    if (!this.#options.idle()) return false
    into.set(this.numbers())
    return true
  }

  nonzero(): Promise<Uint32Array> {
    return this.#options.inOrder(() => nonzeroIn(this.numbers()))
  }

  readAt(points: Uint32Array, width: number): Promise<FloatArray> {
    return this.#options.inOrder(() => numbersAt(this.numbers(), points, width))
  }

  total(): Promise<number> {
    const { inOrder, memory, precision } = this.#options
    return inOrder(async () => {
      loaded ??= await import('./sum-array.ts')
      return await loaded.sumOfArray(memory, precision, this.address, this.length)
    })
  }
}
