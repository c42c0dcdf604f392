/**
 * Reads a large array in parts: while one is copied into the caller's array, the device sends the next. So the memory that
 * the host can map stays small, and is used again.
 *
 * @module
 */
import type { GpuHost } from './host.ts'
import { type Lease, mapStaging } from './memory.ts'

/** Bytes of a part: few enough that the processor's caches still hold them when they are copied. */
export const partBytes: number = 1 << 22

/** The buffers for parts, which take turns. */
export async function partBuffers(lease: Lease, bytes: number = partBytes): Promise<readonly GPUBuffer[]> {
  return [await lease.staging(bytes), await lease.staging(bytes)]
}

/** Copies the first numbers of a buffer into an array, after all work submitted before has finished. */
export async function readInParts(
  host: GpuHost,
  from: GPUBuffer,
  into: Uint32Array,
  parts: readonly GPUBuffer[],
): Promise<void> {
  const each = Math.min(...parts.map(({ size }) => size)) / 4
  const request = (first: number) => {
    const staging = parts[(first / each) % parts.length] as GPUBuffer
    const length = Math.min(each, into.length - first)
    const submitted = host.guarded('read results', () => {
      const encoder = host.device.createCommandEncoder()
      encoder.copyBufferToBuffer(from, 4 * first, staging, 0, 4 * length)
      host.device.queue.submit([encoder.finish()])
    })
    return { staging, first, settled: Promise.allSettled([submitted, mapStaging(host, staging, 4 * length)]) }
  }
  let next = into.length > 0 ? request(0) : undefined
  while (next) {
    const { staging, first, settled } = next
    const [submitted, mapped] = await settled
    const last = first + each
    try {
      if (submitted.status === 'rejected') throw submitted.reason
      if (mapped.status === 'rejected') throw mapped.reason
      next = last < into.length ? request(last) : undefined
      into.set(new Uint32Array(mapped.value), first)
    } finally {
      if (mapped.status === 'fulfilled') staging.unmap()
    }
  }
}
