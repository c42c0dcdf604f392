/**
 * An array of the cluster's device. It lives in the coordinator's memory.
 *
 * @module
 */
import type { DeviceBuffer, FloatArray, PointSet, Precision } from '@manybody/core'
import { requireBufferLength } from '@manybody/core/backend'

/** Runs tasks one after the other, so that writes, runs and reads happen in the order in which they were submitted. */
export class InOrder {
  #last: Promise<unknown> = Promise.resolve()

  run<T>(task: () => T | Promise<T>): Promise<T> {
    const result = this.#last.then(task)
    this.#last = result.catch(() => {})
    return result
  }
}

export class HostArray implements DeviceBuffer {
  readonly data: FloatArray
  readonly #order: InOrder

  constructor(
    readonly length: number,
    precision: Precision,
    order: InOrder,
  ) {
    this.data = precision === 'f64' ? new Float64Array(length) : new Float32Array(length)
    this.#order = order
  }

  async write(data: FloatArray): Promise<void> {
    requireBufferLength(data, 'data', this.length)
    const copy = data.slice()
    await this.#order.run(() => this.data.set(copy))
  }

  async read(into?: FloatArray): Promise<FloatArray> {
    requireBufferLength(into, 'into', this.length)
    return this.#order.run(() => {
      if (!into) return this.data.slice()
      into.set(this.data)
      return into
    })
  }

  dispose(): void {}
}

/** Arrays of the device as plain ones. */
export function plainArrays(arrays: Readonly<Record<string, FloatArray | DeviceBuffer>>): Record<string, FloatArray> {
  const entries = Object.entries(arrays)
  return Object.fromEntries(
    entries.map(([name, array]) => [name, array instanceof HostArray ? array.data : (array as FloatArray)]),
  )
}

/**
 * A set of points whose arrays are plain ones.
 *
 * @param read the attributes to keep besides positions; all by default
 */
export function plain(
  { count, arrays }: PointSet,
  read?: readonly string[],
): PointSet & { readonly arrays: Readonly<Record<string, FloatArray>> } {
  const kept = Object.entries(arrays).filter(([name]) => !read || name === 'position' || read.includes(name))
  return { count, arrays: plainArrays(Object.fromEntries(kept)) }
}
