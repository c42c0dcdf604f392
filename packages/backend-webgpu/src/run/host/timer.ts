/**
 * Measures time on the device itself, if the device has timestamps.
 *
 * @module
 */
import type { GpuHost } from './host.ts'
import type { Lease } from './memory.ts'

export interface Timer {
  /** The descriptor of a pass that starts the clock, stops it, or both. */
  pass(marks?: { readonly begins: boolean; readonly ends: boolean }): GPUComputePassDescriptor
  queries(lease: Lease): Promise<GPUBuffer | undefined>
  /** Copies both timestamps, 16 bytes, to the staging buffer at `offset`. */
  resolve(encoder: GPUCommandEncoder, queries: GPUBuffer | undefined, staging: GPUBuffer, offset: number): void
  /** Milliseconds, or undefined without a reliable timestamp. */
  read(bytes: ArrayBuffer, offset: number): number | undefined
  dispose(): void
}

export function timer({ device }: GpuHost): Timer {
  const set = device.features.has('timestamp-query')
    ? device.createQuerySet({ type: 'timestamp', count: 2 })
    : undefined
  return {
    pass({ begins, ends } = { begins: true, ends: true }) {
      if (!set || !(begins || ends)) return {}
      const writes = {
        ...(begins ? { beginningOfPassWriteIndex: 0 } : {}),
        ...(ends ? { endOfPassWriteIndex: 1 } : {}),
      }
      return { timestampWrites: { querySet: set, ...writes } }
    },
    queries: async (lease) => (set ? lease.queries(16) : undefined),
    resolve(encoder, queries, staging, offset) {
      if (!set || !queries) return
      encoder.resolveQuerySet(set, 0, 2, queries, 0)
      encoder.copyBufferToBuffer(queries, 0, staging, offset, 16)
    },
    read(bytes, offset) {
      if (!set) return undefined
      const [start = 0n, end = 0n] = new BigUint64Array(bytes, offset, 2)
      // Coarse clocks give 0 for short work, and some drivers reset their clock. Callers then use wall time.
      return end > start ? Number(end - start) / 1e6 : undefined
    },
    dispose: () => set?.destroy(),
  }
}
