/**
 * Known gaps of a backend: cases that it does not pass, each with the reason. Data, so that they are seen in review.
 *
 * A gap never hides progress: one that passes fails the run until it is removed, and so does one that names no case.
 *
 * @module
 */
import type { Precision } from '@manybody/core'

export interface Gap {
  /** The name of a case, or a pattern of names. */
  readonly case: string | RegExp
  /** Why the backend does not pass, in words that a user of it can act on. */
  readonly reason: string
  /** Only devices of this precision; both by default. */
  readonly precision?: Precision
}

/** The gap that a case falls into, if any. */
export function gapOf(gaps: readonly Gap[], name: string, precision: Precision): Gap | undefined {
  return gaps.find((gap) => matches(gap, name) && (gap.precision ?? precision) === precision)
}

/** Gaps that name none of the cases. */
export function idleGaps(gaps: readonly Gap[], names: readonly string[]): readonly Gap[] {
  return gaps.filter((gap) => !names.some((name) => matches(gap, name)))
}

function matches(gap: Gap, name: string): boolean {
  return typeof gap.case === 'string' ? gap.case === name : name.search(gap.case) >= 0
}
