/**
 * Memory for the large arrays of an expected run. It is mapped before the run, so that the arrays can be written without
 * waiting. It is mapped again after each run.
 *
 * @module
 */
import type { GpuHost } from './host.ts'
import { type Lease, mapMode } from './memory.ts'

/** An array, and the buffer that receives it at its start. */
export interface Write {
  readonly from: ArrayBufferView<ArrayBuffer>
  readonly into: GPUBuffer
}

/** Larger ones would take too much memory between runs. */
const mostBytes = 1 << 26

export class ReadyUpload {
  readonly #host: GpuHost
  readonly #buffer: GPUBuffer
  #mapped: ArrayBuffer | undefined
  #mapping = false

  private constructor(host: GpuHost, buffer: GPUBuffer) {
    this.#host = host
    this.#buffer = buffer
  }

  /** Undefined for too many bytes, or without memory for them. */
  static async of(host: GpuHost, bytes: number, lease: Lease): Promise<ReadyUpload | undefined> {
    if (bytes > mostBytes) return undefined
    const buffer = await lease.upload(bytes).catch(() => undefined)
    return buffer && new ReadyUpload(host, buffer)
  }

  /** Whether the memory is mapped, and the device still there: the memory of a lost device is empty. */
  get ready(): boolean {
    return this.#mapped !== undefined && this.#mapped.byteLength > 0
  }

  /** Maps the memory once the device has taken its last contents. If that fails, the next run writes its arrays in parts. */
  async prepare(): Promise<void> {
    if (this.#mapping || this.ready) return
    this.#mapping = true
    try {
      await this.#buffer.mapAsync(mapMode.write)
      this.#mapped = this.#buffer.getMappedRange()
    } catch {
      // The device is lost, or the memory was released first.
    } finally {
      this.#mapping = false
    }
  }

  /** Copies arrays to their buffers, before any work that is submitted afterwards. Only if it is ready. */
  write(writes: readonly Write[]): void {
    if (!this.#mapped) throw new Error('the memory is not mapped')
    const encoder = this.#host.device.createCommandEncoder()
    let at = 0
    for (const { from, into } of writes) {
      new Uint8Array(this.#mapped, at, from.byteLength).set(
        new Uint8Array(from.buffer, from.byteOffset, from.byteLength),
      )
      encoder.copyBufferToBuffer(this.#buffer, at, into, 0, from.byteLength)
      at += from.byteLength
    }
    this.release()
    this.#host.device.queue.submit([encoder.finish()])
  }

  /** Unmaps the memory. Otherwise nobody could map it again. */
  release(): void {
    this.#mapped = undefined
    this.#buffer.unmap()
  }
}
