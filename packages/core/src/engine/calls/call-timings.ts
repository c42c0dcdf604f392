/**
 * The times of a whole call. They add up to the time that its caller waited.
 *
 * @module
 */
import type { Timings } from '../../contract/backend.ts'
import type { CallTimings } from '../run-types.ts'

/** The moments of a call, by `performance.now()`. */
export interface CallTimes {
  readonly start: number
  /** When the numbers were checked. */
  readonly checked: number
  /** Milliseconds spent preparing the program; `compile` reports this part. */
  readonly preparing: number
  /** Whether the device computed while the numbers were checked. The check then took no time of its own. */
  readonly early: boolean
}

/** @param timings the program's timings */
export function callTimings(timings: Timings, { start, checked, preparing, early }: CallTimes): CallTimings {
  const { upload, compute, readback } = timings
  const checks = early ? 0 : checked - start
  const named = checks + upload + compute + readback + preparing
  return { checks, binding: Math.max(0, performance.now() - start - named), ...timings }
}
