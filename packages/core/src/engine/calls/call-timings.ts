/**
 * The times of a whole call, which add up to what its caller waited for.
 *
 * @module
 */
import type { Timings } from '../../contract/backend.ts'
import type { CallTimings } from '../run-types.ts'

/** When the engine did what, by `performance.now()`. */
export interface CallTimes {
  readonly start: number
  /** When the numbers were checked. */
  readonly checked: number
  /** Milliseconds of preparing the program, which `compile` names. */
  readonly preparing: number
  /** Whether the device computed while the numbers were checked, which then took no time. */
  readonly early: boolean
}

/** @param timings those of the program */
export function callTimings(timings: Timings, { start, checked, preparing, early }: CallTimes): CallTimings {
  const { upload, compute, readback } = timings
  const checks = early ? 0 : checked - start
  const named = checks + upload + compute + readback + preparing
  return { checks, binding: Math.max(0, performance.now() - start - named), ...timings }
}
