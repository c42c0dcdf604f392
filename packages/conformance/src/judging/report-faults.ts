/**
 * Checks the report of a run: the names of backend and device, the times of its parts, and the number of pairs.
 *
 * @module
 */
import type { DeviceInfo, Report, Shape, Workload } from '@manybody/core'

/** The request that a report must match. */
export interface Reported {
  readonly workload: Workload
  readonly shape: Shape
  /** Targets and sources that were visited. */
  readonly visited: { readonly targets: number; readonly sources: number }
  /** Pairs that may count: the pairs in given ranges, or all visited pairs. */
  readonly pairs?: number | undefined
  /** Milliseconds that the caller waited. */
  readonly waited: number
}

const accumulations: readonly Report['accumulation'][] = ['running', 'block', 'compensated', 'f64', 'none']

/** The faults of a report, one sentence each. */
export function reportFaults(report: Report, info: DeviceInfo, reported: Reported): readonly string[] {
  return [
    ...identityFaults(report, info),
    ...timingFaults(report, reported.waited),
    ...interactionFaults(report, reported),
  ]
}

function identityFaults(report: Report, info: DeviceInfo): readonly string[] {
  const faults = (['backend', 'kind', 'precision'] as const)
    .filter((name) => report[name] !== info[name])
    .map((name) => `report.${name} expected "${info[name]}", as device.info says, got "${report[name]}"`)
  if (report.device !== info.name)
    faults.push(`report.device expected "${info.name}", as device.info.name says, got "${report.device}"`)
  if (!report.variant) faults.push('report.variant expected the name of the loop that ran, got nothing')
  if (!accumulations.includes(report.accumulation))
    faults.push(`report.accumulation expected one of ${accumulations.join(', ')}, got "${report.accumulation}"`)
  return faults
}

function timingFaults({ timings }: Report, waited: number): readonly string[] {
  const faults = (['compile', 'upload', 'compute', 'readback'] as const)
    .filter((name) => !(timings[name] >= 0 && Number.isFinite(timings[name])))
    .map((name) => `report.timings.${name} expected milliseconds >= 0, got ${timings[name]}`)
  const spent = timings.upload + timings.compute + timings.readback
  // Allow twice the time and a bit, because device clocks tick coarsely: this finds wrong units, not small errors.
  if (spent > 2 * waited + 10)
    faults.push(`report.timings add up to ${spent} ms, but the caller waited ${waited.toFixed(1)} ms`)
  return faults
}

function interactionFaults(report: Report, { workload, visited, pairs }: Reported): readonly string[] {
  const { interactions, evaluated, interactionsPerSecond, timings } = report
  const expected = workload.loop === 'pair' ? visited.targets * visited.sources : visited.targets
  const faults: string[] = []
  if (interactions !== expected) faults.push(`report.interactions expected ${expected}, got ${interactions}`)
  if (!(evaluated >= 0 && evaluated <= interactions))
    faults.push(`report.evaluated expected 0 to report.interactions, ${interactions}, got ${evaluated}`)
  if (pairs !== undefined && evaluated > pairs)
    faults.push(`report.evaluated expected at most ${pairs}, the pairs in the given ranges, got ${evaluated}`)
  const seconds = timings.compute / 1000
  const most = seconds > 0 ? (1.01 * interactions) / seconds : Number.MAX_VALUE
  if (!(interactionsPerSecond >= 0 && interactionsPerSecond <= most))
    faults.push(
      `report.interactionsPerSecond expected at most interactions / compute time, ${most.toExponential(2)}, got ${interactionsPerSecond}`,
    )
  return faults
}
