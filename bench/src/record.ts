/** The record of a run, as it is written to JSON and committed under bench/records. */

import type { DeviceKind, Precision } from 'manybody'
import type { Machine } from './machine.ts'
import type { Times } from './measure.ts'

export interface Result {
  readonly name: string
  readonly count: number
  readonly backend: string
  readonly device: string
  readonly kind: DeviceKind
  readonly variant: string
  readonly precision: Precision
  /** Targets times sources. */
  readonly interactions: number
  /** Of the median. */
  readonly interactionsPerSecond: number
  readonly times: Times
}

export interface Record {
  readonly date: string
  readonly command: string
  readonly machine: Machine
  readonly rounds: number
  readonly results: readonly Result[]
}
