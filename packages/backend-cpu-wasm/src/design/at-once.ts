/**
 * What a file holds for callers that cannot wait: a sum over pairs in one precision, for any number of points. Types only.
 *
 * @module
 */
import type { Precision } from '@manybody/core'
import type { TreeFacts } from '@manybody/core/far'
import type { FiledDesign } from './compiled.ts'

export interface CompiledAtOnce {
  readonly precision: Precision
  /** The loop over all pairs, or over those within a cutoff. */
  readonly all: FiledDesign
  /** Present if the sum may be approximated. */
  readonly tree?: Pick<TreeFacts, 'weights'> & { readonly design: FiledDesign }
}
