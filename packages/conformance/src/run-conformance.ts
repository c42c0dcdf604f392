/**
 * Runs the whole suite against a backend and reports the outcome, without a test runner.
 *
 * @module
 */
import type { Backend, Device, DeviceInfo, OpenOptions, Precision } from '@manybody/core'
import { type Gap, idleGaps } from './gaps.ts'
import type { CaseResult } from './outcome.ts'
import { attempt, messageOf, precisionsOf, probed, type Trial, trials } from './session.ts'

export interface ConformanceOptions {
  /** Cases that the backend is known not to pass. */
  readonly gaps?: readonly Gap[]
  /** Whether an unavailable backend fails. */
  readonly required?: boolean
  /** Options for `probe` and `open`. The suite chooses the precision. */
  readonly open?: Omit<OpenOptions, 'precision'>
}

export interface RunConformanceOptions extends ConformanceOptions {
  /** Only cases with matching names. */
  readonly only?: RegExp
}

export interface ConformanceReport {
  readonly backend: string
  readonly outcome: 'passed' | 'failed' | 'unavailable'
  /** Why the backend is not available, and faults outside the cases. */
  readonly reasons: readonly string[]
  /** The devices that ran, one for each precision. */
  readonly devices: readonly DeviceInfo[]
  readonly results: readonly CaseResult[]
}

/** Runs every case in every precision that the backend has. Never throws. */
export async function runConformance(
  backend: Backend,
  options: RunConformanceOptions = {},
): Promise<ConformanceReport> {
  const { gaps = [], required = false, only = /(?:)/ } = options
  const probe = await probed(backend, options.open ?? {})
  const report = { backend: backend.name, devices: [], results: [] }
  if (!probe.available)
    return { ...report, outcome: required ? 'failed' : 'unavailable', reasons: [`unavailable: ${probe.reason}`] }

  const all = trials()
  const reasons = idleFaults(gaps, all)
  const devices: DeviceInfo[] = []
  const results: CaseResult[] = []
  const chosen = all.filter(({ name }) => name.search(only) >= 0)
  for (const precision of precisionsOf(probe)) {
    const device = await opened(backend, precision, options)
    if (typeof device === 'string') {
      reasons.push(device)
      continue
    }
    devices.push(device.info)
    for (const trial of chosen) results.push(await attempt(trial, backend, device, gaps))
    device.dispose()
  }
  const failed = reasons.length > 0 || results.some(({ outcome }) => outcome === 'failed')
  return { backend: backend.name, outcome: failed ? 'failed' : 'passed', reasons, devices, results }
}

/** One line for each gap that names no case. */
export function idleFaults(gaps: readonly Gap[], all: readonly Trial[]): string[] {
  const names = all.map(({ name }) => name)
  return idleGaps(gaps, names).map((gap) => `the gap ${gap.case} ("${gap.reason}") names no case: remove it`)
}

/** The device, or why it could not be opened. */
export async function opened(
  backend: Backend,
  precision: Precision,
  { open }: ConformanceOptions,
): Promise<Device | string> {
  try {
    const device = await backend.open({ ...open, precision })
    if (device.info.precision === precision) return device
    const { precision: got } = device.info
    device.dispose()
    return `open expected a device of precision ${precision}, as asked, got ${got}`
  } catch (error) {
    return `open with precision ${precision} failed, though probe says available: ${messageOf(error)}`
  }
}
