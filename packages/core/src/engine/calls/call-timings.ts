/**
 * The times of a whole call, which add up to what its caller waited for.
 *
 * @module
 */
import type { Timings } from '../../backend.ts'
import type { CallTimings } from '../run-types.ts'

/** When the engine did what, by `performance.now()`. */
export interface CallTimes {
  readonly start: number
  /** When the numbers were checked. */
  readonly checked: number
  /** When the program was there. */
  readonly prepared: number
  /** Whether the device computed while the numbers were checked, which then took no time. */
  readonly early: boolean
}

/** @param timings those of the program */
export function callTimings(timings: Timings, { start, checked, prepared, early }: CallTimes): CallTimings {
  const { upload, compute, readback } = timings
  const checks = early ? 0 : checked - start
  const named = checks + upload + compute + readback + (prepared - checked)
  return { checks, binding: Math.max(0, performance.now() - start - named), ...timings }
}
