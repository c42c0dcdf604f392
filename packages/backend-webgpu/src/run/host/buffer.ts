/**
 * An array that stays on the device until the caller disposes of it. This file loads with the first of them.
 *
 * @module
 */
import type { DeviceBuffer, FloatArray, NativeBuffer, Stretch } from '@manybody/core'
import { movedTogether, numbersAt, requireBufferLength } from '@manybody/core/backend'
import { writeBytes } from '../../quirks/empty-write.ts'
import { HeldArray } from './held-array.ts'
import type { GpuHost } from './host.ts'
import { createBuffer, destroyBuffer, keptUsage, type Memory, mapStaging, readStaging, toFloat32 } from './memory.ts'
import { nonzeroPlaces } from './nonzero.ts'
import { totalIn } from './total.ts'

/** More stretches of numbers than this are moved or picked on the host. */
const mostCopies = 1024

/** So many numbers are written without waiting for the answer whether there was memory for them: it takes longer than the write. */
const mostUnguarded = 1 << 14

export class GpuArray extends HeldArray implements DeviceBuffer {
  readonly #host: GpuHost
  readonly #memory: Memory

  private constructor(host: GpuHost, memory: Memory, length: number, buffer: GPUBuffer) {
    super(buffer, length)
    this.#host = host
    this.#memory = memory
  }

  static async create(host: GpuHost, memory: Memory, length: number): Promise<GpuArray> {
    const size = Math.max(4, 4 * length)
    return new GpuArray(host, memory, length, await createBuffer(host, `array of ${length} numbers`, size, keptUsage))
  }

  get gpu(): NativeBuffer {
    return { buffer: this.buffer, device: this.#host.device }
  }

  async write(data: FloatArray): Promise<void> {
    requireBufferLength(data, 'data', this.length)
    await this.#host.guarded('write device array', () => {
      writeBytes(this.#host.device.queue, this.buffer, toFloat32(data))
      this.lists?.forget(this.#host)
    })
  }

  writePart(data: FloatArray, first: number): Promise<void> | undefined {
    const write = () => {
      writeBytes(this.#host.device.queue, this.buffer, toFloat32(data), 4 * first)
      this.lists?.forget(this.#host)
    }
    if (data.length > mostUnguarded) return this.#host.guarded('write device array', write)
    this.#host.check()
    write()
    return undefined
  }

  resize(length: number): undefined {
    this.length = length
  }

  async keep(stretches: readonly Stretch[]): Promise<void> {
    const length = stretches.reduce((sum, [first, last]) => sum + last - first, 0)
    const [head] = stretches
    // A stretch at the start stays where it is.
    const end = head?.[0] === 0 ? head[1] : 0
    const others = end > 0 ? stretches.slice(1) : stretches
    if (others.length > mostCopies) {
      const numbers = await this.read()
      await this.writePart(numbers.subarray(0, movedTogether(numbers, stretches)), 0)
    } else if (others.length > 0) {
      const lease = this.#memory.lease()
      try {
        const moved = await lease.array(4 * (length - end))
        await this.#host.together((encoder) => {
          let at = 0
          for (const [first, last] of others) {
            encoder.copyBufferToBuffer(this.buffer, 4 * first, moved, at, 4 * (last - first))
            at += 4 * (last - first)
          }
          encoder.copyBufferToBuffer(moved, 0, this.buffer, 4 * end, at)
        })
      } finally {
        lease.release()
      }
    }
    this.length = length
    this.lists?.forget(this.#host)
  }

  async read(into?: FloatArray): Promise<FloatArray> {
    requireBufferLength(into, 'into', this.length)
    const bytes = 4 * this.length
    const whole = (encoder: GPUCommandEncoder, staging: GPUBuffer) =>
      encoder.copyBufferToBuffer(this.buffer, 0, staging, 0, Math.max(4, bytes))
    return this.#copied(bytes, whole, into)
  }

  /** Reads what `copy` writes into a buffer for the host. */
  async #copied(
    bytes: number,
    copy: (encoder: GPUCommandEncoder, staging: GPUBuffer) => void,
    into?: FloatArray,
  ): Promise<FloatArray> {
    this.#host.check()
    const lease = this.#memory.lease()
    try {
      const staging = await lease.staging(Math.max(4, bytes))
      await this.#host.guarded('read device array', () => {
        const encoder = this.#host.device.createCommandEncoder()
        copy(encoder, staging)
        this.#host.device.queue.submit([encoder.finish()])
      })
      if (!into) return new Float32Array(await readStaging(this.#host, staging, bytes))
      const mapped = new Float32Array(await mapStaging(this.#host, staging, bytes), 0, into.length)
      try {
        into.set(mapped)
      } finally {
        staging.unmap()
      }
      return into
    } finally {
      lease.release()
    }
  }

  nonzero(): Promise<Uint32Array> {
    return nonzeroPlaces(this.#host, this.#memory, this.buffer, this.length)
  }

  async readAt(points: Uint32Array, width: number): Promise<FloatArray> {
    if (points.length > mostCopies) return numbersAt(await this.read(), points, width)
    return this.#copied(4 * width * points.length, (encoder, staging) => {
      for (const [n, point] of points.entries())
        encoder.copyBufferToBuffer(this.buffer, 4 * width * point, staging, 4 * width * n, 4 * width)
    })
  }

  total(): Promise<number> {
    return totalIn(this.#host, this.#memory, this.buffer, this.length)
  }

  dispose(): void {
    this.lists?.dispose()
    destroyBuffer(this.#host, this.buffer)
  }
}
