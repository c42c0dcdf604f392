/**
 * An array on the device: a flat sheet that stages read and replace.
 *
 * @module
 */
import type { DeviceBuffer, FloatArray, Stretch } from '@manybody/core'
import { movedTogether, requireBufferLength } from '@manybody/core/backend'
import { withInfinity } from '../../design/infinity.ts'
import { flatTexels, rowLength } from '../../design/layout.ts'
import { blamingLoss } from './blame.ts'
import type { GlHost, Sheet } from './host.ts'
import type { Sheets } from './memory.ts'

export class WebglBuffer implements DeviceBuffer {
  #sheet: Sheet

  constructor(
    readonly host: GlHost,
    readonly sheets: Sheets,
    public length: number,
  ) {
    this.#sheet = sheets.upload(new Float32Array(Math.max(1, length)))
  }

  get sheet(): Sheet {
    return this.#sheet
  }

  /** Takes ownership of a flat sheet, and frees the previous one. */
  replace(sheet: Sheet): void {
    this.#sheet.texture.delete()
    this.#sheet = sheet
  }

  async write(data: FloatArray): Promise<void> {
    requireBufferLength(data, 'data', this.length)
    await blamingLoss(this.host, () => {
      if (this.length) this.replace(this.sheets.upload(data))
    })
  }

  async writePart(data: FloatArray, first: number): Promise<void> {
    await blamingLoss(this.host, () => {
      if (data.length === 0) return
      const texels = flatTexels(first, data.length)
      // The texels at the ends hold other numbers, too.
      const numbers = this.host.readTexels(this.#sheet, texels)
      numbers.set(data, first - 4 * (rowLength * texels.row + texels.column))
      this.host.rewrite(this.#sheet, texels, numbers)
    })
  }

  async resize(length: number): Promise<void> {
    if (length === this.length) return
    const numbers = new Float32Array(length)
    numbers.set((await this.read()).subarray(0, length))
    this.length = length
    await this.write(numbers)
  }

  async keep(stretches: readonly Stretch[]): Promise<void> {
    const numbers = await this.read()
    this.length = movedTogether(numbers, stretches)
    await this.write(numbers.subarray(0, this.length))
  }

  async read(into?: FloatArray): Promise<FloatArray> {
    requireBufferLength(into, 'into', this.length)
    return blamingLoss(this.host, () => {
      this.host.check()
      if (this.length === 0) return into ?? new Float32Array(0)
      const packed = this.host.read(this.#sheet, this.length)
      const numbers = this.#sheet.unbounded ? packed.map(withInfinity) : packed
      into?.set(numbers)
      return into ?? numbers
    })
  }

  dispose(): void {
    this.#sheet.texture.delete()
  }
}
