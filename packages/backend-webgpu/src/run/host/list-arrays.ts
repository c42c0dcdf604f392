/**
 * The arrays of Verlet lists on a device. All stages that carry the same positions share them: a simulation has several sequences with
 * the same force.
 *
 * @module
 */
import { builtByte } from '../../design/verlet-layout.ts'
import { writeBytes } from '../../quirks/empty-write.ts'
import type { GpuHost } from './host.ts'
import type { Lease, Memory } from './memory.ts'

type Arrays = Readonly<Record<string, GPUBuffer>>

export class ListArrays {
  readonly #lease: Lease
  readonly #carried: GPUBuffer
  #arrays: Arrays = {}

  constructor(memory: Memory, carried: GPUBuffer) {
    this.#lease = memory.lease()
    this.#carried = carried
  }

  /**
   * Arrays with at least these bytes; undefined if the device has no memory for them. The next round that uses them builds its lists anew, because the parameters may be others.
   *
   * Where arrays are too small, all are replaced. Earlier sequences keep theirs, and must not run again.
   */
  async of(host: GpuHost, bytes: Readonly<Record<string, number>>): Promise<Arrays | undefined> {
    const sizes = Object.entries(bytes)
    if (sizes.some(([key, size]) => !((this.#arrays[key]?.size ?? 0) >= size))) {
      const arrays: Record<string, GPUBuffer> = {}
      try {
        for (const [key, size] of sizes) arrays[key] = await this.#lease.array(size)
      } catch {
        host.check()
        return undefined
      }
      this.#arrays = arrays
    }
    this.forget(host)
    return this.#arrays
  }

  /** The next round builds its lists anew, at the carried positions if these still hold. */
  forget({ device }: Pick<GpuHost, 'device'>): void {
    writeBytes(device.queue, this.#carried, new Uint32Array(1), builtByte)
  }

  dispose(): void {
    this.#lease.release()
  }
}
