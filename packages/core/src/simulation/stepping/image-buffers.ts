/**
 * The images of points in cells that are smaller than two cutoffs, on one device: for each sum over pairs, the arrays that it reads.
 *
 * @module
 */
import type { Device } from '../../contract/backend.ts'
import { cellsOf } from '../../problem/workloads/copied-cells.ts'
import type { Dimension } from '../../problem/workloads/workload.ts'
import { hasImages, imagedArrays, imageNames } from '../forces/cell-images.ts'
import type { PairPart } from '../forces/pair-part.ts'
import { fill, type NamedBuffers } from './buffers.ts'
import { mostWhole } from './end-arrays.ts'

export class ImageBuffers {
  readonly #device: Device
  readonly #of = new Map<PairPart, NamedBuffers>()

  constructor(device: Device) {
    this.#device = device
  }

  of(pair: PairPart): NamedBuffers | undefined {
    return this.#of.get(pair)
  }

  async allocate(pairs: readonly PairPart[], points: number, dimension: Dimension): Promise<void> {
    for (const pair of pairs) {
      if (!hasImages(pair)) continue
      const cells = cellsOf(pair.workload)
      const count = cells.length * points
      if (this.#device.info.precision === 'f32' && count > mostWhole)
        throw new RangeError(
          `"cutoff" expected at most ${mostWhole} images of points, because float32 counts no further, got ${count}; use precision "f64", or a larger cell`,
        )
      const buffers: NamedBuffers = {}
      this.#of.set(pair, buffers)
      const cell = cells.flatMap((one) => one.slice(0, dimension))
      await fill(this.#device, buffers, {
        // The copies of a source follow each other.
        [imageNames.of]: Float64Array.from({ length: count }, (_, n) => Math.floor(n / cells.length)),
        [imageNames.cell]: Float64Array.from({ length: count * dimension }, (_, n) => cell[n % cell.length] as number),
        position: new Float32Array(count * dimension),
        ...Object.fromEntries(imagedArrays(pair, dimension).map((name) => [name, new Float32Array(count)])),
      })
    }
  }

  dispose(): void {
    for (const buffers of this.#of.values()) for (const buffer of Object.values(buffers)) buffer.dispose()
    this.#of.clear()
  }
}
