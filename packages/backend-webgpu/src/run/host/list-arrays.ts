/**
 * The arrays of Verlet lists on a device. All stages that carry the same positions share them: a simulation has several sequences with
 * the same force. Stages with other numbers, or with other arrays, are other owners of the lists. A device builds them again for each.
 *
 * @module
 */
import { carriedBytes, mostBytes } from '../../design/verlet-layout.ts'
import { writeBytes } from '../../quirks/empty-write.ts'
import type { GpuHost } from './host.ts'
import type { Lease, Memory } from './memory.ts'

type Arrays = Readonly<Record<string, GPUBuffer>>

export interface OwnedLists {
  readonly arrays: Arrays
  /** The number that lists carry while they are those of this owner. */
  readonly owner: number
}

/** How much larger an array becomes, at least, if it must grow. Earlier sequences keep the old one. */
const growth = 1.5

export class ListArrays {
  readonly #leases: Lease[] = []
  readonly #memory: Memory
  readonly #carried: GPUBuffer
  #arrays: Arrays = {}
  /** Numbers of owners, by what they compute. */
  readonly #owners = new Map<string, number>()
  #owned = 0

  constructor(host: GpuHost, memory: Memory, carried: GPUBuffer) {
    this.#memory = memory
    this.#carried = carried
    this.forget(host)
  }

  /**
   * Arrays with at least these bytes; undefined if the device has no memory for them.
   *
   * @param key what the owner computes, with all numbers. The first owner may go on from carried positions. A later one begins at fresh
   *   positions, because its lists may not have been short enough at carried ones
   */
  async of(host: GpuHost, bytes: Readonly<Record<string, number>>, key: string): Promise<OwnedLists | undefined> {
    const arrays = await this.#withRoom(host, bytes)
    if (!arrays) return undefined
    if (arrays !== this.#arrays) this.#owners.clear()
    this.#arrays = arrays
    const known = this.#owners.get(key)
    if (known !== undefined) return { arrays, owner: known }
    const owner = ++this.#owned
    if (owner > 1) this.#clear(host, 'held')
    this.#owners.set(key, owner)
    return { arrays, owner }
  }

  /** The next round builds its lists anew, at the carried positions if these still hold. */
  forget(host: Pick<GpuHost, 'device'>): void {
    this.#clear(host, 'built')
  }

  dispose(): void {
    for (const lease of this.#leases) lease.release()
  }

  #clear({ device }: Pick<GpuHost, 'device'>, word: 'held' | 'built'): void {
    writeBytes(device.queue, this.#carried, new Uint32Array(1), carriedBytes[word])
  }

  /** The arrays, with larger ones in the place of those that are too small. */
  async #withRoom(host: GpuHost, bytes: Readonly<Record<string, number>>): Promise<Arrays | undefined> {
    const small = Object.entries(bytes).filter(([key, size]) => !((this.#arrays[key]?.size ?? 0) >= size))
    if (small.length === 0) return this.#arrays
    const lease = this.#memory.lease()
    const arrays: Record<string, GPUBuffer> = { ...this.#arrays }
    try {
      for (const [key, size] of small) {
        const old = this.#arrays[key]?.size ?? 0
        arrays[key] = await lease.array(Math.min(Math.max(size, growth * old), Math.max(size, mostBytes)))
      }
    } catch (error) {
      lease.release()
      host.check()
      if (!(error instanceof RangeError) && !String(error).includes('out of memory')) throw error
      return undefined
    }
    this.#leases.push(lease)
    return arrays
  }
}
