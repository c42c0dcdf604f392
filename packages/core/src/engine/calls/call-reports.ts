/**
 * The reports of calls, as users get them: that of the device with the times of the whole call. Each call has its own object. Lists and
 * other parts that repeated calls share are copies of the device's, and frozen. The times add up to the time that the caller waited.
 *
 * @module
 */
import type { Timings } from '../../contract/backend.ts'
import type { Executed } from '../results/executed.ts'
import type { CallTimings, RunReport } from '../run-types.ts'

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

export function wholeReport(
  report: Executed['report'],
  timings: CallTimings,
  recoveries: readonly string[],
  notes: readonly string[],
): RunReport {
  const whole: RunReport = { recoveries, ...report, timings }
  return notes.length > 0 ? { ...whole, notes: [...(report.notes ?? []), ...notes] } : whole
}

/** The reports of a call that is repeated. Copies of one with the same names take half the memory of those put together. */
export class CallReports {
  readonly #notes: readonly string[]
  /** The report of the device, and the whole one that calls get copies of. */
  #before: { readonly report: Executed['report']; readonly whole: RunReport } | undefined

  /** @param notes why other devices could not run it */
  constructor(notes: readonly string[]) {
    this.#notes = notes
  }

  /** @param report the same object as before only if its numbers alone are different */
  of(report: Executed['report'], timings: CallTimings): RunReport {
    if (this.#before?.report !== report) {
      const whole = structuredClone(wholeReport(report, timings, [], this.#notes))
      for (const part of Object.values(whole)) Object.freeze(part)
      this.#before = { report, whole }
    }
    const { interactions, evaluated, interactionsPerSecond } = report
    return { ...this.#before.whole, timings, interactions, evaluated, interactionsPerSecond }
  }
}
