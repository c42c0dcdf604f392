/**
 * What a device says of its threads, in features and in sentences.
 *
 * @module
 */
import type { DeviceInfo } from '@manybody/core'
import type { AnyPool } from './pools.ts'
import { unsharedBecause } from './start-worker.ts'

const onCopies = (reason: string) => `workers compute on copies, as ${reason}; only large problems gain from them`

/** What is known of a device, with what its workers have come to. */
export function withThreads(info: DeviceInfo, pool: AnyPool): DeviceInfo {
  const { hopeless } = pool
  const notes = info.notes ?? []
  if (hopeless !== undefined) {
    const limits = { ...info.limits, threads: 1 }
    return { ...info, limits, notes: [...notes, `one thread: no worker could be started (${hopeless})`] }
  }
  const sources = [...new Set(pool.started.values())]
  return {
    ...info,
    features: [...info.features, 'threads', `${pool.memory}-memory`, ...sources.map((source) => `workers-${source}`)],
    notes: pool.memory === 'copied' ? [...notes, onCopies(unsharedBecause())] : notes,
  }
}
