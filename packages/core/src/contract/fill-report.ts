/**
 * How backends fill in the report of a program's latest run.
 *
 * @module
 */

import type { DeviceInfo, Report, Timings } from '../ground/report.ts'
import { ruleOf } from '../problem/reductions/table.ts'
import type { Workload } from '../problem/workloads/workload.ts'

/** The parts of a report that do not depend on a run. */
export type ProgramReport = Pick<Report, 'variant' | 'accumulation' | 'chains'>

/** The report of a program that has not run yet, or had nothing to do. */
export function reportOf(
  { backend, name, kind, precision }: DeviceInfo,
  { variant, accumulation, chains }: ProgramReport,
): Report {
  return {
    backend,
    device: name,
    kind,
    variant,
    precision,
    accumulation,
    ...(chains ? { chains } : {}),
    timings: { compile: 0, upload: 0, compute: 0, readback: 0 },
    interactions: 0,
    evaluated: 0,
    interactionsPerSecond: 0,
  }
}

/** The report after a run; right after compiling, it has only that time. By default every interaction was evaluated. */
export function reportAfter(
  report: Report,
  interactions: number,
  timings: Partial<Timings> = {},
  evaluated: number = interactions,
): Report {
  return refilled({ ...report, timings: { ...report.timings } }, interactions, timings, evaluated)
}

/** Writes the numbers of a run into the report of another, for runs so short that a new object would count. */
export function refilled(
  report: Filled,
  interactions: number,
  { compile = report.timings.compile, upload = 0, compute = 0, readback = 0 }: Partial<Timings>,
  evaluated: number = interactions,
): Report {
  const { timings } = report
  timings.compile = compile
  timings.upload = upload
  timings.compute = compute
  timings.readback = readback
  report.interactions = interactions
  report.evaluated = evaluated
  report.interactionsPerSecond = compute > 0 ? (1000 * interactions) / compute : 0
  return report
}

/** A report that is filled again after each run. */
export type Filled = Writable<Omit<Report, 'timings'>> & { readonly timings: Writable<Timings> }

type Writable<T> = { -readonly [Name in keyof T]: T[Name] }

/** How the terms of a workload are added. Extremes, counts, lists, matrices, maps and stencils add nothing that is rounded. */
export function accumulationIn(workload: Workload, how: Report['accumulation']): Report['accumulation'] {
  return workload.loop === 'pair' && ruleOf(workload).ordered ? how : 'none'
}
