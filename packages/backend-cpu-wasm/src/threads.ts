/**
 * What a device says of its threads, in features and in sentences.
 *
 * @module
 */
import type { DeviceInfo } from '@manybody/core'
import type { AnyPool } from './pools.ts'

const onCopies =
  'workers compute on copies, as memory cannot be shared (in a page: without cross-origin isolation); only large problems gain from them'

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
    notes: pool.memory === 'copied' ? [...notes, onCopies] : notes,
  }
}
