/**
 * A device array of the reference: an ordinary typed array.
 *
 * @module
 */

import type { DeviceBuffer, Stretch } from '../../contract/backend.ts'
import { requireBufferLength } from '../../ground/arrays/buffer-length.ts'
import { movedTogether } from '../../ground/arrays/moved-together.ts'
import type { FloatArray } from '../../ground/checks.ts'
import type { Precision } from '../../ground/precision.ts'

export class ReferenceBuffer implements DeviceBuffer {
  readonly #all: FloatArray
  /** A view of its numbers. */
  data: FloatArray

  constructor(length: number, precision: Precision) {
    this.#all = precision === 'f64' ? new Float64Array(length) : new Float32Array(length)
    this.data = this.#all
  }

  get length(): number {
    return this.data.length
  }

  async resize(length: number): Promise<void> {
    this.data = this.#all.subarray(0, length)
  }

  async keep(stretches: readonly Stretch[]): Promise<void> {
    await this.resize(movedTogether(this.data, stretches))
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
