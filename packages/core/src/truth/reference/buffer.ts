/**
 * A device array of the reference: an ordinary typed array.
 *
 * @module
 */

import type { DeviceBuffer } from '../../contract/backend.ts'
import { requireBufferLength } from '../../ground/arrays/buffer-length.ts'
import type { FloatArray } from '../../ground/checks.ts'
import type { Precision } from '../../ground/precision.ts'

export class ReferenceBuffer implements DeviceBuffer {
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

  async writePart(data: FloatArray, first: number): Promise<void> {
    this.data.set(data, first)
  }

  async read(into?: FloatArray): Promise<FloatArray> {
    requireBufferLength(into, 'into', this.length)
    if (!into) return this.data.slice()
    into.set(this.data)
    return into
  }

  dispose(): void {}
}
