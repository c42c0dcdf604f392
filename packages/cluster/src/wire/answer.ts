/**
 * Parses and checks the answers of workers in a run.
 *
 * @module
 */
import type { Report } from '@manybody/core'
import { type Message, messageIn } from './message.ts'
import { printable } from './worker-info.ts'

export type WorkerReport = Pick<Report, 'variant' | 'accumulation' | 'chains'> & { readonly compile: number }

export interface CallEnd {
  readonly report: WorkerReport
  /** Milliseconds that the device's runs took. */
  readonly time: number
  readonly evaluated: number
}

/** Why a worker cannot end a call. */
export interface Failure {
  readonly reason: string
  /** The hash of an array that the server does not have. */
  readonly missing?: string
  /** Whether the worker can never run this job. */
  readonly unsupported?: boolean
}

export type RunAnswer =
  /** The worker is there, but lacks these calls. */
  | { readonly kind: 'there'; readonly lacks: readonly string[] }
  | { readonly kind: 'failed'; readonly task: string; readonly failure: Failure }
  /** The next bytes of the results. */
  | { readonly kind: 'part'; readonly task: string; readonly at: number; readonly bytes: Uint8Array }
  /** The last bytes. */
  | {
      readonly kind: 'done'
      readonly task: string
      readonly at: number
      readonly bytes: Uint8Array
      readonly end: CallEnd
    }

const accumulations: readonly unknown[] = [
  'running',
  'block',
  'compensated',
  'f64',
  'none',
] satisfies Report['accumulation'][]

/** The most characters of a reason. Reasons go into errors and notes. */
const longestReason = 2000

const isCount = (value: unknown): value is number => typeof value === 'number' && value >= 0 && value < 2 ** 53
const isText = (value: unknown): value is string => typeof value === 'string'

/** Returns undefined for a malformed answer. */
export function answerIn(data: Uint8Array): RunAnswer | undefined {
  const message = messageIn(data)
  if (!message) return undefined
  const { header, bytes } = message
  const { kind, task, at } = header
  if (kind === 'there') {
    const { lacks } = header
    return Array.isArray(lacks) && lacks.every(isText) ? { kind, lacks } : undefined
  }
  if (!isText(task)) return undefined
  if (kind === 'failed') return { kind, task, failure: failureIn(header) }
  if (!isCount(at)) return undefined
  if (kind === 'part') return { kind, task, at, bytes }
  const end = kind === 'done' ? endIn(header) : undefined
  return end && { kind: 'done', task, at, bytes, end }
}

function failureIn({ reason, missing, unsupported }: Message['header']): Failure {
  return {
    reason: isText(reason) ? printable(reason.slice(0, longestReason)) : 'it gave no reason',
    ...(isText(missing) && { missing }),
    ...(unsupported === true && { unsupported }),
  }
}

function endIn({ time, report }: Message['header']): CallEnd | undefined {
  if (!isCount(time) || typeof report !== 'object' || report === null) return undefined
  const { variant, accumulation, chains, evaluated, compile } = report as Readonly<Record<string, unknown>>
  if (!isText(variant) || variant.length > 200 || !accumulations.includes(accumulation)) return undefined
  if (!(chains === undefined || (Array.isArray(chains) && chains.length <= 16 && chains.every(isCount))))
    return undefined
  if (!isCount(evaluated) || !isCount(compile)) return undefined
  const known = { variant: printable(variant), accumulation: accumulation as WorkerReport['accumulation'], compile }
  return { report: { ...known, ...(chains !== undefined && { chains }) }, time, evaluated }
}
