/**
 * The times of a whole call. They add up to the time that its caller waited.
 *
 * @module
 */
import type { Timings } from '../../contract/backend.ts'
import type { CallTimings } from '../run-types.ts'

/** A call by `performance.now()`. */
export interface CallTimes {
  readonly start: number
  /** Milliseconds of checks while no device computed. */
  readonly checks: number
  /** Milliseconds spent preparing the program; `compile` reports this part. */
  readonly preparing: number
}

/** @param timings the program's timings */
export function callTimings(timings: Timings, { start, checks, preparing }: CallTimes): CallTimings {
  const { compile, upload, compute, readback } = timings
  const named = checks + upload + compute + readback + preparing
  return { checks, binding: Math.max(0, performance.now() - start - named), compile, upload, compute, readback }
}
