/**
 * Writes a large array in parts: while the device takes one part, the host fills the next. The pool lends the memory of the
 * parts again. In contrast, `queue.writeBuffer` takes new memory for every large array, and the system must clear its pages
 * first.
 *
 * @module
 */
import type { GpuHost } from './host.ts'
import { type Lease, mapForWriting } from './memory.ts'
import { partBytes } from './read-in-parts.ts'

/** Arrays of at least this many bytes are worth the additional submissions of parts. */
export const largeBytes: number = 1 << 20

/** Copies an array to the start of a buffer. The device takes it before any work that is submitted afterwards. */
export async function writeInParts(
  host: GpuHost,
  from: ArrayBufferView<ArrayBuffer>,
  into: GPUBuffer,
  lease: Lease,
  bytesOfPart: number = partBytes,
): Promise<void> {
  const bytes = new Uint8Array(from.buffer, from.byteOffset, from.byteLength)
  const count = Math.ceil(bytes.length / bytesOfPart)
  const lent = lease.nested()
  const parts: GPUBuffer[] = []
  try {
    for (let n = 0; n < Math.min(2, count); n++) parts.push(await lent.upload(bytesOfPart))
    const mapped = parts.map((part) => mappedLater(host, part))
    for (let n = 0; n < count; n++) {
      const which = n % parts.length
      const part = parts[which] as GPUBuffer
      const to = new Uint8Array(await (mapped[which] as Promise<ArrayBuffer>))
      const some = bytes.subarray(n * bytesOfPart, (n + 1) * bytesOfPart)
      to.set(some)
      part.unmap()
      const encoder = host.device.createCommandEncoder()
      encoder.copyBufferToBuffer(part, 0, into, n * bytesOfPart, some.length)
      host.device.queue.submit([encoder.finish()])
      if (n + parts.length < count) mapped[which] = mappedLater(host, part)
    }
  } finally {
    // A part that a failure left mapped could not be mapped again.
    for (const part of parts) part.unmap()
    lent.release()
  }
}

/** Awaited later or, if another part fails first, never. */
function mappedLater(host: GpuHost, part: GPUBuffer): Promise<ArrayBuffer> {
  const mapped = mapForWriting(host, part)
  mapped.catch(() => {})
  return mapped
}
