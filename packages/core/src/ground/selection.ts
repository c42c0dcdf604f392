/**
 * Which backend was chosen, and why each other candidate was not.
 *
 * @module
 */
import type { DeviceKind } from './report.ts'

/** The outcome for one candidate. */
export interface Verdict {
  readonly backend: string
  readonly outcome: 'chosen' | 'available' | 'rejected' | 'unavailable' | 'lost'
  /** In words that a person can act on. */
  readonly reason: string
  readonly device?: string
  readonly kind?: DeviceKind
}

/** The verdicts in order of preference; prints as a table. */
export class Selection {
  constructor(
    readonly verdicts: readonly Verdict[],
    /** Notes about `require` and `forbid` words that matched nothing: sentences for a person. */
    readonly notes: readonly string[] = [],
  ) {}

  get chosen(): string | undefined {
    return this.verdicts.find((v) => v.outcome === 'chosen')?.backend
  }

  toString(): string {
    const rows = this.verdicts.map(({ backend, outcome, device = '-', reason }) => [
      outcome === 'chosen' ? '*' : ' ',
      backend,
      outcome,
      device,
      reason,
    ])
    const width = (column: number) => Math.max(...rows.map((row) => row[column]?.length ?? 0))
    const line = (row: readonly string[]) => row.map((cell, column) => cell.padEnd(width(column))).join('  ')
    return [...rows.map((row) => line(row).trimEnd()), ...this.notes].join('\n')
  }
}
