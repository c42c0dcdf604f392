/**
 * Known gaps of a backend: cases that it does not pass, each with the reason. They are data, so that reviews see them.
 *
 * A gap never hides progress: a gap that passes, or that matches no case, fails the run until it is removed.
 *
 * @module
 */
import type { Precision } from '@manybody/core'

export interface Gap {
  /** The name of a case, or a pattern of names. */
  readonly case: string | RegExp
  /** Why the backend does not pass, in words that its users can act on. */
  readonly reason: string
  /** Restricts the gap to devices of this precision; both by default. */
  readonly precision?: Precision
}

/** The gap that covers a case, if any. */
export function gapOf(gaps: readonly Gap[], name: string, precision: Precision): Gap | undefined {
  return gaps.find((gap) => matches(gap, name) && (gap.precision ?? precision) === precision)
}

/** Gaps that match none of the cases. */
export function idleGaps(gaps: readonly Gap[], names: readonly string[]): readonly Gap[] {
  return gaps.filter((gap) => !names.some((name) => matches(gap, name)))
}

function matches(gap: Gap, name: string): boolean {
  return typeof gap.case === 'string' ? gap.case === name : name.search(gap.case) >= 0
}
