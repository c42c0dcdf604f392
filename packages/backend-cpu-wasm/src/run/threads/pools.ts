/**
 * The pools of this process or page: one for each source of worker code, shared by all devices.
 *
 * @module
 */
import { CopyPool } from './copies.ts'
import { type DeviceMemory, SharedPool } from './pool.ts'
import type { WorkerSource } from './start-worker.ts'
import { threadMemory } from './thread-memory.ts'

export type AnyPool = SharedPool | CopyPool

const pools = new Map<WorkerSource | undefined, { readonly pool: AnyPool; users: number }>()

/** Returns the pool. The device must call `leavePool` when it is disposed of. */
export function joinPool(source?: WorkerSource): AnyPool {
  const known = pools.get(source)
  if (known) known.users++
  const pool = known?.pool ?? (threadMemory() === 'shared' ? new SharedPool(source) : new CopyPool(source))
  if (!known) pools.set(source, { pool, users: 1 })
  return pool
}

/** @param memory the memory of the device, which no run uses any more; undefined if it got none */
export function leavePool(pool: AnyPool, memory?: DeviceMemory): void {
  if (memory) pool.leave(memory)
  // A worker that failed may still be in a call, and write.
  if (memory && pool.memory === 'shared' && pool.failures.size === 0) pool.spares.push(memory.memory)
  const known = pools.get(pool.source)
  if (!known || --known.users > 0) return
  known.pool.end()
  pools.delete(pool.source)
}
