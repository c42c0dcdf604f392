/**
 * How many threads a device has, and how it describes them, as features and as notes.
 *
 * @module
 */
import type { DeviceInfo } from '@manybody/core'
import type { AnyPool } from './pools.ts'
import { threadMemory, unsharedBecause } from './start-worker.ts'

/** Each thread has one bit of a 32-bit word. */
const mostThreads = 31

/** How many of these threads can be used here. */
export function threadsOf(wanted: number): number {
  return threadMemory() === 'none' ? 1 : Math.max(1, Math.min(wanted, mostThreads))
}

const onCopies = (reason: string) => `workers compute on copies, because ${reason}; only large problems gain from them`

/** The description of a device that should have several threads, and cannot. */
export function onOneThread(info: DeviceInfo, reason: string): DeviceInfo {
  return {
    ...info,
    limits: { ...info.limits, threads: 1 },
    notes: [...(info.notes ?? []), `one thread is used, because ${reason}`],
  }
}

/** Adds what is known about the workers to the description of a device. */
export function withThreads(info: DeviceInfo, pool: AnyPool): DeviceInfo {
  const { hopeless } = pool
  if (hopeless !== undefined) return onOneThread(info, `no worker could be started (${hopeless})`)
  const notes = info.notes ?? []
  const sources = [...new Set(pool.started.values())]
  return {
    ...info,
    features: [...info.features, 'threads', `${pool.memory}-memory`, ...sources.map((source) => `workers-${source}`)],
    notes: pool.memory === 'copied' ? [...notes, onCopies(unsharedBecause())] : notes,
  }
}
