/**
 * A check of a device's other duties besides computing cases: buffers, sequences, aborts, disposal.
 *
 * @module
 */
import type { Backend, Device } from '@manybody/core'
import type { Judgement } from '../judging/judge.ts'

export interface Check {
  readonly name: string
  /** The faults, one sentence each. */
  faults(device: Device, backend: Backend): Promise<readonly string[]>
}

/** The tolerance of numbers compared in a check, relative to the largest. */
export const tolerance = { f32: 1e-5, f64: 1e-12 } as const

export async function judgeCheck(check: Check, device: Device, backend: Backend): Promise<Judgement> {
  return { faults: await check.faults(device, backend), error: 0, bound: 0 }
}

/** A fault unless the condition holds. */
export function unless(condition: boolean, fault: string): readonly string[] {
  return condition ? [] : [fault]
}

/** A fault if two arrays differ by more than the tolerance of the device. */
export function differing(
  what: string,
  out: ArrayLike<number>,
  expected: ArrayLike<number>,
  allowed: number,
): readonly string[] {
  const largest = Array.from(expected).reduce((most, x) => Math.max(most, Math.abs(x)), 0)
  const at = Array.from(expected).findIndex((x, n) => !(Math.abs(x - (out[n] ?? Number.NaN)) <= allowed * largest))
  if (out.length !== expected.length) return [`${what} expected length ${expected.length}, got ${out.length}`]
  return at < 0 ? [] : [`${what} expected ${expected[at]} at ${at}, got ${out[at]}`]
}
