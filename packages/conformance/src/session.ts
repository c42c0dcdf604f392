/**
 * A backend under test. It is probed once, and one device is opened for each precision that it claims.
 *
 * @module
 */
import type { Backend, Device, OpenOptions, Precision, Probe } from '@manybody/core'
import { judgeCheck } from './checks/check.ts'
import { deviceChecks } from './checks/device-checks.ts'
import { type Gap, gapOf } from './gaps.ts'
import { type Judgement, judge } from './judging/judge.ts'
import { type CaseResult, outcomeOf } from './outcome.ts'
import { suite } from './suite.ts'

/** The probe of a backend. A probe that throws is reported as a fault. */
export async function probed(backend: Backend, options: OpenOptions): Promise<Probe> {
  try {
    return await backend.probe(options)
  } catch (error) {
    return { available: false, reason: `probe threw, which it must not: ${messageOf(error)}` }
  }
}

/** `f32`, and `f64` if the features name it. */
export function precisionsOf(probe: Probe): readonly Precision[] {
  if (!probe.available) return []
  return probe.features.includes('f64') ? ['f32', 'f64'] : ['f32']
}

/** A named case or check. */
export interface Trial {
  readonly name: string
  judge(device: Device, backend: Backend): Promise<Judgement>
}

/** Every case, then the checks of the device itself. The last check disposes of the device. */
export function trials(): readonly Trial[] {
  return [
    ...suite().map((one) => ({ name: one.name, judge: (device: Device) => judge(device, one) })),
    ...deviceChecks.map((check) => ({
      name: check.name,
      judge: (device: Device, backend: Backend) => judgeCheck(check, device, backend),
    })),
  ]
}

/** Judges one case or check. An error that it throws is a fault like any other. */
export async function attempt(
  trial: Trial,
  backend: Backend,
  device: Device,
  gaps: readonly Gap[],
): Promise<CaseResult> {
  const { name } = trial
  const { precision } = device.info
  const start = performance.now()
  let judgement: Judgement
  try {
    judgement = await trial.judge(device, backend)
  } catch (error) {
    judgement = { faults: [`threw ${messageOf(error)}`], error: Number.POSITIVE_INFINITY, bound: 0 }
  }
  return outcomeOf(
    { name, precision, judgement, milliseconds: performance.now() - start },
    gapOf(gaps, name, precision),
  )
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error)
}
