/**
 * The images of points in cells that are smaller than two cutoffs, on one device: for each sum over pairs, the arrays that it reads.
 *
 * @module
 */
import type { Device } from '../../contract/backend.ts'
import { cellsOf } from '../../problem/workloads/copied-cells.ts'
import type { Lengths } from '../../problem/workloads/vector-sets.ts'
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

  async allocate(
    pairs: readonly PairPart[],
    points: number,
    { dimension, lengths }: { readonly dimension: Dimension; readonly lengths: Lengths },
  ): Promise<void> {
    for (const pair of pairs) {
      if (!hasImages(pair)) continue
      const cells = cellsOf(pair.workload)
      const count = cells.length * points
      const widthOf = (name: string) => lengths[name] ?? 1
      const names = imagedArrays(pair, dimension)
      const widest = Math.max(1, ...names.map(widthOf))
      if (this.#device.info.precision === 'f32' && count * widest > mostWhole)
        throw new RangeError(
          `"cutoff" expected at most ${mostWhole} images of ${widest > 1 ? 'components' : 'points'}, because float32 counts no further, got ${count * widest}; use precision "f64", or a larger cell`,
        )
      const buffers: NamedBuffers = {}
      this.#of.set(pair, buffers)
      const cell = cells.flatMap((one) => one.slice(0, dimension))
      await fill(this.#device, buffers, {
        // The copies of a source follow each other.
        [imageNames.of]: Float64Array.from({ length: count }, (_, n) => Math.floor(n / cells.length)),
        ...Object.fromEntries(
          [...new Set(names.map(widthOf))]
            .filter((width) => width > 1)
            .map((width) => [imageNames.ofComponents(width), componentsOf(count, cells.length, width)]),
        ),
        [imageNames.cell]: Float64Array.from({ length: count * dimension }, (_, n) => cell[n % cell.length] as number),
        position: new Float32Array(count * dimension),
        ...Object.fromEntries(names.map((name) => [name, new Float32Array(count * widthOf(name))])),
      })
    }
  }

  dispose(): void {
    for (const buffers of this.#of.values()) for (const buffer of Object.values(buffers)) buffer.dispose()
    this.#of.clear()
  }
}

/** For each component of each image, its place among the components of all points. */
const componentsOf = (images: number, cells: number, width: number): Float64Array =>
  Float64Array.from({ length: images * width }, (_, n) => width * Math.floor(n / (cells * width)) + (n % width))
