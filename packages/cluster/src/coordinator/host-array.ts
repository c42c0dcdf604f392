/**
 * An array of the cluster's device. It lives in the coordinator's memory.
 *
 * @module
 */
import type { DeviceBuffer, FloatArray, PointSet, Precision } from '@manybody/core'

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

  write(data: FloatArray): Promise<void> {
    if (data.length !== this.length)
      return Promise.reject(new RangeError(`"data" expected length ${this.length}, got ${data.length}`))
    const copy = data.slice()
    return this.#order.run(() => this.data.set(copy))
  }

  read(into?: FloatArray): Promise<FloatArray> {
    return this.#order.run(() => {
      if (!into) return this.data.slice()
      into.set(this.data)
      return into
    })
  }

  dispose(): void {}
}

/** A set of points whose arrays are plain ones. */
export function plain(set: PointSet): PointSet & { readonly arrays: Readonly<Record<string, FloatArray>> } {
  const arrays = Object.entries(set.arrays).map(([name, array]) => [
    name,
    array instanceof HostArray ? array.data : (array as FloatArray),
  ])
  return { count: set.count, arrays: Object.fromEntries(arrays) }
}
