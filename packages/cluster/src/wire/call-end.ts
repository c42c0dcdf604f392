/**
 * What a worker says at the end of a call, checked before anything is done with it.
 *
 * @module
 */
import type { Report } from '@manybody/core'
import type { Message } from './message.ts'

export type WorkerReport = Pick<Report, 'variant' | 'accumulation' | 'chains'> & { readonly compile: number }

export interface CallEnd {
  readonly report: WorkerReport
  /** Milliseconds in the device's runs. */
  readonly time: number
  readonly evaluated: number
}

const accumulations: readonly unknown[] = [
  'running',
  'block',
  'compensated',
  'f64',
  'none',
] satisfies Report['accumulation'][]

const isCount = (value: unknown): value is number => typeof value === 'number' && value >= 0 && value < 2 ** 53

/** Undefined if it is malformed. */
export function endOf({ time, report }: Message['header']): CallEnd | undefined {
  if (!isCount(time) || typeof report !== 'object' || report === null) return undefined
  const { variant, accumulation, chains, evaluated, compile } = report as Readonly<Record<string, unknown>>
  if (typeof variant !== 'string' || variant.length > 200 || !accumulations.includes(accumulation)) return undefined
  if (!(chains === undefined || (Array.isArray(chains) && chains.every(isCount)))) return undefined
  if (!isCount(evaluated) || !isCount(compile)) return undefined
  return { report: report as WorkerReport, time, evaluated }
}
