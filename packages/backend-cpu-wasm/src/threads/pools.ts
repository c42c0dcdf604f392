/**
 * The pools of this process or page: one for each source of worker code, shared by all devices.
 *
 * @module
 */
import { CopyPool } from './copies.ts'
import { SharedPool } from './pool.ts'
import { threadMemory, type WorkerSource } from './start-worker.ts'

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

export function leavePool({ source }: AnyPool): void {
  const known = pools.get(source)
  if (!known || --known.users > 0) return
  known.pool.end()
  pools.delete(source)
}
