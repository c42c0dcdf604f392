/**
 * What every program says of its latest run.
 *
 * @module
 */
import type { DeviceInfo, Report, Timings } from '@manybody/core'

/** The report of a program that has not run. */
export function firstReport(info: DeviceInfo, variant: string, accumulation: Report['accumulation']): Report {
  return {
    backend: info.backend,
    device: info.name,
    kind: info.kind,
    variant,
    precision: 'f32',
    accumulation,
    timings: { compile: 0, upload: 0, compute: 0, readback: 0 },
    interactions: 0,
    interactionsPerSecond: 0,
  }
}

/** The report of a program that has compiled, in milliseconds. */
export const compiledReport = (report: Report, compile: number): Report => ({
  ...report,
  timings: { ...report.timings, compile },
})

/** The report after a run that had nothing to do. */
export const idleReport = (report: Report): Report => reportOf(report, 0, { upload: 0, compute: 0, readback: 0 })

/** The report after a run. */
export function reportOf(report: Report, interactions: number, timings: Omit<Timings, 'compile'>): Report {
  const { compute } = timings
  return {
    ...report,
    timings: { compile: report.timings.compile, ...timings },
    interactions,
    interactionsPerSecond: compute > 0 ? interactions / (compute / 1000) : 0,
  }
}
