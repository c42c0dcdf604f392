/**
 * Arrays that stay on the device, which for this backend is the host.
 *
 * @module
 */
import type { DeviceBuffer, FloatArray, PointSet, Precision } from '@manybody/core'
import { requireBufferLength } from '@manybody/core/backend'

export class HostBuffer implements DeviceBuffer {
  readonly data: FloatArray

  constructor(
    readonly length: number,
    precision: Precision,
  ) {
    this.data = precision === 'f64' ? new Float64Array(length) : new Float32Array(length)
  }

  async write(data: FloatArray): Promise<void> {
    requireBufferLength(data, 'data', this.length)
    this.data.set(data)
  }

  async read(into?: FloatArray): Promise<FloatArray> {
    requireBufferLength(into, 'into', this.length)
    if (!into) return this.data.slice()
    into.set(this.data)
    return into
  }

  dispose(): void {}
}

/** The arrays of a point set, wherever they are. */
export function arraysOf({ arrays }: PointSet): Readonly<Record<string, FloatArray>> {
  return Object.fromEntries(
    Object.entries(arrays).map(([name, array]) => [
      name,
      array instanceof HostBuffer ? array.data : (array as FloatArray),
    ]),
  )
}
