/**
 * The data that a loop over pairs reads, as arrays of the host.
 *
 * @module
 */
import type { Exclusions, SourceRanges } from '../../../ground/arrays/bindings.ts'
import type { FloatArray } from '../../../ground/checks.ts'

/** The points and numbers of one run; `targets` and `sources` hold `position` and attributes. */
export interface PairData {
  readonly targets: Readonly<Record<string, FloatArray>>
  readonly sources: Readonly<Record<string, FloatArray>>
  readonly parameters: Readonly<Record<string, number>>
  /** All tables of the run in one array, as a device gets them. */
  readonly tables?: FloatArray | undefined
  /** The number of components of each vector that the law reads. */
  readonly lengths?: Readonly<Record<string, number>> | undefined
  readonly exclusions?: Exclusions | undefined
  readonly ranges?: SourceRanges | undefined
}
