/**
 * The buffers of a device: a pool of arrays for programs, uploads and readback. Every buffer has a multiple of 4 bytes and
 * is never empty, as WebGPU requires.
 *
 * @module
 */
import type { FloatArray } from '@manybody/core'
import { writeBytes } from '../quirks/empty-write.ts'
import type { GpuHost } from './host.ts'

/** The flags of `GPUBufferUsage` and `GPUMapMode`, which Node does not define globally. */
const usage = { mapRead: 0x1, copySource: 0x4, copyTarget: 0x8, uniform: 0x40, storage: 0x80, query: 0x200 } as const
const mapModeRead = 1

export const arrayUsage: number = usage.storage | usage.copySource | usage.copyTarget
const uniformUsage = usage.uniform | usage.copyTarget
const stagingUsage = usage.mapRead | usage.copyTarget

type Kind = 'array' | 'uniform' | 'staging' | 'queries'
const usageOf: Readonly<Record<Kind, number>> = {
  array: arrayUsage,
  uniform: uniformUsage,
  staging: stagingUsage,
  queries: usage.query | usage.copySource,
}

/** Buffers that are lent for one run and returned together. */
export interface Lease {
  array(bytes: number): Promise<GPUBuffer>
  uniform(bytes: ArrayBuffer): Promise<GPUBuffer>
  staging(bytes: number): Promise<GPUBuffer>
  queries(bytes: number): Promise<GPUBuffer>
  /** A separate lease from the same memory. */
  nested(): Lease
  release(): void
}

export interface Memory {
  lease(): Lease
  dispose(): void
}

/** Bytes of free buffers to keep; buffers beyond them are destroyed. */
const keptBytes = 1 << 29

export function createMemory(host: GpuHost): Memory {
  const free = new Map<string, GPUBuffer[]>()
  let kept = 0

  const take = async (kind: Kind, bytes: number): Promise<GPUBuffer> => {
    const size = sizeClass(bytes)
    const known = free.get(`${kind} ${size}`)?.pop()
    if (known) {
      kept -= size
      return known
    }
    return createBuffer(host, `${kind} of ${size} bytes`, size, usageOf[kind])
  }
  const give = (kind: Kind, buffer: GPUBuffer): void => {
    const key = `${kind} ${buffer.size}`
    if (kept + buffer.size > keptBytes) buffer.destroy()
    else {
      kept += buffer.size
      free.set(key, [...(free.get(key) ?? []), buffer])
    }
  }

  const lease = (): Lease => {
    const lent: [Kind, GPUBuffer][] = []
    const lend = async (kind: Kind, bytes: number): Promise<GPUBuffer> => {
      const buffer = await take(kind, bytes)
      lent.push([kind, buffer])
      return buffer
    }
    return {
      array: (bytes) => lend('array', bytes),
      uniform: async (bytes) => {
        const buffer = await lend('uniform', bytes.byteLength)
        writeBytes(host.device.queue, buffer, bytes)
        return buffer
      },
      staging: (bytes) => lend('staging', bytes),
      queries: (bytes) => lend('queries', bytes),
      nested: lease,
      release() {
        for (const [kind, buffer] of lent.splice(0)) give(kind, buffer)
      },
    }
  }

  return {
    lease,
    dispose() {
      for (const buffers of free.values()) for (const buffer of buffers) buffer.destroy()
      free.clear()
      kept = 0
    },
  }
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
  return host.guarded(`allocate ${label}`, () => host.device.createBuffer({ label, size, usage: flags }))
}

/** The numbers as WebGPU needs them. Arrays of a run are Float32Arrays already and are not copied. */
export function toFloat32(data: FloatArray): Float32Array<ArrayBuffer> {
  return data instanceof Float32Array && data.buffer instanceof ArrayBuffer
    ? (data as Float32Array<ArrayBuffer>)
    : Float32Array.from(data)
}

/** The first bytes of a staging buffer, after all work submitted before has finished. */
export async function readStaging(host: GpuHost, staging: GPUBuffer, bytes: number): Promise<ArrayBuffer> {
  try {
    await staging.mapAsync(mapModeRead, 0, Math.max(4, bytes))
  } catch (error) {
    return host.blame(error)
  }
  host.check()
  const copy = staging.getMappedRange(0, Math.max(4, bytes)).slice(0, bytes)
  staging.unmap()
  return copy
}
