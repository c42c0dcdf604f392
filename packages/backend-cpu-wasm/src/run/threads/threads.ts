/**
 * The number of threads of a device, and their description as features and as notes.
 *
 * @module
 */
import type { DeviceInfo } from '@manybody/core'
import type { AnyPool } from './pools.ts'
import { threadMemory, unsharedBecause } from './thread-memory.ts'

/** Each thread has one bit of a 32-bit word. */
const mostThreads = 31

/** How many of these threads can be used here. */
export function threadsOf(wanted: number): number {
  return threadMemory() === 'none' ? 1 : Math.max(1, Math.min(wanted, mostThreads))
}

const onCopies = (reason: string) => `workers compute on copies, because ${reason}; only large problems gain from them`

/** The description of a device that should have several threads, but cannot. */
export function onOneThread(info: DeviceInfo, reason: string): DeviceInfo {
  return {
    ...info,
    limits: { ...info.limits, threads: 1 },
    notes: [...(info.notes ?? []), `one thread is used, because ${reason}`],
  }
}

/** Adds the state of the workers to the description of a device. */
export function withThreads(info: DeviceInfo, pool: AnyPool): DeviceInfo {
  const { failures, started, silent, size } = pool
  const [reason] = failures.values()
  if (failures.size === size && reason !== undefined)
    return onOneThread(
      info,
      started.size > 0 ? `all workers have ended (${reason})` : `no worker could be started (${reason})`,
    )
  const notes = [
    ...(pool.memory === 'copied' ? [onCopies(unsharedBecause())] : []),
    ...(failures.size > 0 ? [`${failures.size} of ${size} workers ended or did not start (${reason})`] : []),
    ...(silent > 0 ? [`${silent} of ${size} workers have not answered since they were told to start`] : []),
  ]
  const sources = [...new Set(started.values())]
  return {
    ...info,
    features: [...info.features, 'threads', `${pool.memory}-memory`, ...sources.map((source) => `workers-${source}`)],
    notes: [...(info.notes ?? []), ...notes],
  }
}
