/**
 * The buffers of a device: a pool of arrays for programs, uploads and readback. Every buffer has a multiple of 4 bytes and
 * is never empty, as WebGPU requires.
 *
 * @module
 */
import type { FloatArray } from '@manybody/core'
import { writeBytes } from '../../quirks/empty-write.ts'
import { isLong, quietly } from '../../quirks/polled-dawn.ts'
import type { GpuHost } from './host.ts'

/** The flags of `GPUBufferUsage` and `GPUMapMode`, which Node does not define globally. */
const usage = {
  ...{ mapRead: 0x1, mapWrite: 0x2, copySource: 0x4, copyTarget: 0x8, vertex: 0x20, uniform: 0x40 },
  ...{ storage: 0x80, query: 0x200 },
} as const
export const mapMode = { read: 1, write: 2 } as const

const arrayUsage: number = usage.storage | usage.copySource | usage.copyTarget
export const copySource: number = usage.copySource
/** Arrays that callers keep may also be drawn. */
export const keptUsage: number = arrayUsage | usage.vertex
const uniformUsage = usage.uniform | usage.copyTarget
export const stagingUsage: number = usage.mapRead | usage.copyTarget

type Kind = 'array' | 'uniform' | 'written' | 'staging' | 'upload' | 'queries'
const usageOf: Readonly<Record<Kind, number>> = {
  array: arrayUsage,
  uniform: uniformUsage,
  written: uniformUsage | usage.storage,
  staging: stagingUsage,
  upload: usage.mapWrite | usage.copySource,
  queries: usage.query | usage.copySource,
}

/** Buffers that are lent together. */
export interface Lease {
  array(bytes: number): Promise<GPUBuffer>
  uniform(bytes: ArrayBuffer): Promise<GPUBuffer>
  /** A buffer for uniform blocks that a shader writes. */
  written(bytes: number): Promise<GPUBuffer>
  /** A buffer to read results from. */
  staging(bytes: number): Promise<GPUBuffer>
  /** A buffer to write inputs through. */
  upload(bytes: number): Promise<GPUBuffer>
  queries(bytes: number): Promise<GPUBuffer>
  /** A separate lease from the same memory. */
  nested(): Lease
  /**
   * Keeps its buffers together until it wakes, unless the pool needs their room: then it destroys them and says so. It releases them
   * at once, and says so, if the pool has no room for all of them.
   */
  rest(ended: () => void): void
  wake(): void
  release(): void
}

export interface Memory {
  lease(): Lease
  dispose(): void
}

/** Bytes of unused buffers to keep. Beyond them, the buffers that were unused for longest are destroyed. */
const keptBytes = 1 << 29

/** Buffers that nobody uses now. */
interface Idle {
  readonly bytes: number
  destroy(): void
}

/** A pool that keeps the buffers of the latest uses. */
class Pool {
  /** The longest unused first. */
  readonly #idle = new Set<Idle>()
  readonly #most: number
  #bytes = 0

  /** @param most bytes of all */
  constructor(most: number) {
    this.#most = most
  }

  keep(idle: Idle): void {
    if (idle.bytes > this.#most) {
      idle.destroy()
      return
    }
    this.#idle.add(idle)
    this.#bytes += idle.bytes
    for (const oldest of this.#idle) {
      if (this.#bytes <= this.#most) break
      this.take(oldest)
      oldest.destroy()
    }
  }

  take(idle: Idle): void {
    if (this.#idle.delete(idle)) this.#bytes -= idle.bytes
  }

  empty(): void {
    for (const idle of this.#idle) {
      this.take(idle)
      idle.destroy()
    }
  }
}

export function createMemory(host: GpuHost, most: number = keptBytes): Memory {
  const pool = new Pool(most)
  /** Idle buffers by kind and size, the longest unused first. */
  const free = new Map<string, (Idle & { readonly buffer: GPUBuffer })[]>()

  const take = async (kind: Kind, bytes: number): Promise<GPUBuffer> => {
    const size = sizeClass(bytes)
    const known = free.get(`${kind} ${size}`)?.pop()
    if (!known) return createBuffer(host, `${kind} of ${size} bytes`, size, usageOf[kind])
    pool.take(known)
    return known.buffer
  }
  const give = (kind: Kind, buffer: GPUBuffer): void => {
    const key = `${kind} ${buffer.size}`
    const alike = free.get(key) ?? []
    free.set(key, alike)
    const destroy = () => {
      alike.shift()
      destroyBuffer(host, buffer)
    }
    const idle = { bytes: buffer.size, buffer, destroy }
    alike.push(idle)
    pool.keep(idle)
  }

  const lease = (): Lease => {
    const lent: [Kind, GPUBuffer][] = []
    /** Bytes of all lent buffers. Reading the size of a buffer is a call into Dawn. */
    let lentBytes = 0
    let resting: Idle | undefined
    const lend = async (kind: Kind, bytes: number): Promise<GPUBuffer> => {
      const buffer = await take(kind, bytes)
      lent.push([kind, buffer])
      lentBytes += buffer.size
      return buffer
    }
    const takeAll = () => {
      lentBytes = 0
      return lent.splice(0)
    }
    return {
      array: (bytes) => lend('array', bytes),
      uniform: async (bytes) => {
        const buffer = await lend('uniform', bytes.byteLength)
        writeBytes(host.device.queue, buffer, bytes)
        return buffer
      },
      written: (bytes) => lend('written', bytes),
      staging: (bytes) => lend('staging', bytes),
      upload: (bytes) => lend('upload', bytes),
      queries: (bytes) => lend('queries', bytes),
      nested: lease,
      rest(ended) {
        if (lentBytes > most) {
          this.release()
          ended()
          return
        }
        resting = {
          bytes: lentBytes,
          destroy() {
            for (const [, buffer] of takeAll()) destroyBuffer(host, buffer)
            ended()
          },
        }
        pool.keep(resting)
      },
      wake() {
        if (resting) pool.take(resting)
        resting = undefined
      },
      release() {
        this.wake()
        for (const [kind, buffer] of takeAll()) give(kind, buffer)
      },
    }
  }

  return { lease, dispose: () => pool.empty() }
}

/** Rounds up to one of eight sizes per power of two, so that similar runs share buffers. Large sizes stay exact. */
function sizeClass(bytes: number): number {
  if (bytes > 1 << 26) return Math.ceil(bytes / 4) * 4
  const step = Math.max(16, 2 ** (Math.floor(Math.log2(Math.max(1, bytes))) - 3))
  return Math.max(16, Math.ceil(bytes / step) * step)
}

/** @throws RangeError if the device does not allow a buffer of this size */
export async function createBuffer(host: GpuHost, label: string, size: number, flags: number): Promise<GPUBuffer> {
  if (size > host.limits.maxBufferSize)
    throw new RangeError(
      `Cannot allocate ${label}: the device allows at most ${host.limits.maxBufferSize} bytes per buffer; compute fewer targets at a time`,
    )
  const buffer = await host.guarded(`allocate ${label}`, () => host.device.createBuffer({ label, size, usage: flags }))
  host.buffers.add(buffer)
  return buffer
}

export function destroyBuffer(host: GpuHost, buffer: GPUBuffer): void {
  host.buffers.delete(buffer)
  buffer.destroy()
}

/** The numbers as WebGPU needs them. Arrays of a run are Float32Arrays already and are not copied. */
export function toFloat32(data: FloatArray): Float32Array<ArrayBuffer> {
  return data instanceof Float32Array && data.buffer instanceof ArrayBuffer
    ? (data as Float32Array<ArrayBuffer>)
    : Float32Array.from(data)
}

/**
 * The first bytes of a staging buffer, after all work submitted before has finished. They are there until it is unmapped.
 *
 * @param atLeast milliseconds that the work takes
 */
export function mapStaging(host: GpuHost, staging: GPUBuffer, bytes: number, atLeast = 0): Promise<ArrayBuffer> {
  const map = () => mapped(host, staging, mapMode.read, Math.max(4, bytes))
  return host.polled && isLong(atLeast) ? quietly(atLeast).then(map) : map()
}

/** The bytes of an upload buffer, once the device has taken its last contents. They may be written until it is unmapped. */
export function mapForWriting(host: GpuHost, upload: GPUBuffer): Promise<ArrayBuffer> {
  return mapped(host, upload, mapMode.write, upload.size)
}

async function mapped(host: GpuHost, buffer: GPUBuffer, mode: number, bytes: number): Promise<ArrayBuffer> {
  try {
    await buffer.mapAsync(mode, 0, bytes)
  } catch (error) {
    return host.blame(error)
  }
  host.check()
  return buffer.getMappedRange(0, bytes)
}

/** A copy of the first bytes of a staging buffer. */
export async function readStaging(host: GpuHost, staging: GPUBuffer, bytes: number): Promise<ArrayBuffer> {
  const mapped = await mapStaging(host, staging, bytes)
  const copy = mapped.slice(0, bytes)
  staging.unmap()
  return copy
}
