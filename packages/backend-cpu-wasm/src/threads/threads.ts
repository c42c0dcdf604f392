/**
 * Describes the threads of a device, as features and as notes.
 *
 * @module
 */
import type { DeviceInfo } from '@manybody/core'
import type { AnyPool } from './pools.ts'
import { unsharedBecause } from './start-worker.ts'

const onCopies = (reason: string) => `workers compute on copies, because ${reason}; only large problems gain from them`

/** Adds what is known about the workers to the description of a device. */
export function withThreads(info: DeviceInfo, pool: AnyPool): DeviceInfo {
  const { hopeless } = pool
  const notes = info.notes ?? []
  if (hopeless !== undefined) {
    const limits = { ...info.limits, threads: 1 }
    return {
      ...info,
      limits,
      notes: [...notes, `one thread is used, because no worker could be started (${hopeless})`],
    }
  }
  const sources = [...new Set(pool.started.values())]
  return {
    ...info,
    features: [...info.features, 'threads', `${pool.memory}-memory`, ...sources.map((source) => `workers-${source}`)],
    notes: pool.memory === 'copied' ? [...notes, onCopies(unsharedBecause())] : notes,
  }
}
