/**
 * Turns the finding of a case into its outcome, given the known gaps.
 *
 * @module
 */
import type { Precision } from '@manybody/core'
import type { Gap } from './gaps.ts'
import type { Judgement } from './judging/judge.ts'

export interface CaseResult {
  readonly name: string
  readonly precision: Precision
  /** `gap`: it did not pass, as declared. */
  readonly outcome: 'passed' | 'failed' | 'gap'
  /** The faults, one sentence each; for a gap, its reason first. */
  readonly faults: readonly string[]
  /** The largest error of a number, and the largest allowed one; 0 if nothing was measured. */
  readonly error: number
  readonly bound: number
  readonly milliseconds: number
}

/** The name of a case, and its finding. */
export type Shown = Pick<CaseResult, 'name' | 'precision' | 'milliseconds'> & { readonly judgement: Judgement }

export function outcomeOf({ judgement, ...named }: Shown, gap: Gap | undefined): CaseResult {
  const { refusal, error, bound } = judgement
  const refused = refusal === undefined ? [] : [`refused: ${refusal}`]
  const faults = [...refused, ...judgement.faults]
  const result = { ...named, error, bound }
  if (gap === undefined) return { ...result, outcome: faults.length ? 'failed' : 'passed', faults }
  if (faults.length) return { ...result, outcome: 'gap', faults: [gap.reason, ...faults] }
  const remedy = `passes, but is declared as a gap ("${gap.reason}"): remove the gap`
  return { ...result, outcome: 'failed', faults: [remedy] }
}
