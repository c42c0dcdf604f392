/**
 * The arrays of one run on the device. An array is uploaded once, even if it is bound several times, and freed with the
 * run. Device buffers are used in place.
 *
 * @module
 */
import type { DeviceBuffer, FloatArray, PointSet } from '@manybody/core'
import { WebglBuffer } from '../host/buffer.ts'
import type { Sheet } from '../host/host.ts'
import type { Sheets } from '../host/memory.ts'

export class Inputs {
  readonly #sheets: Sheets
  readonly #uploaded = new Map<ArrayLike<number>, Sheet>()
  readonly #temporary: Sheet[] = []
  upload = 0

  constructor(sheets: Sheets) {
    this.#sheets = sheets
  }

  /** A bound array as a flat sheet. */
  sheet(array: FloatArray | DeviceBuffer | Uint32Array | undefined): Sheet {
    if (array instanceof WebglBuffer) return array.sheet
    const numbers = array as ArrayLike<number> | undefined
    if (!numbers || numbers.length === 0) return this.#sheets.standIn
    let sheet = this.#uploaded.get(numbers)
    if (sheet === undefined) {
      const start = performance.now()
      sheet = this.#sheets.upload(numbers)
      this.#uploaded.set(numbers, sheet)
      this.upload += performance.now() - start
    }
    return sheet
  }

  /** Position and attributes of a set, as the textures of a pass. */
  points(set: PointSet, prefix: string, attributes: readonly string[]): Record<string, Sheet> {
    return Object.fromEntries([
      [`${prefix}Position`, this.sheet(set.arrays.position)],
      ...attributes.map((name, n) => [`${prefix}Attribute${n}`, this.sheet(set.arrays[name])] as const),
    ])
  }

  /** Registers a sheet to be freed with the run. */
  keep(sheet: Sheet): Sheet {
    this.#temporary.push(sheet)
    return sheet
  }

  dispose(): void {
    for (const { texture } of [...this.#uploaded.values(), ...this.#temporary]) texture.delete()
    this.#uploaded.clear()
    this.#temporary.length = 0
  }
}
