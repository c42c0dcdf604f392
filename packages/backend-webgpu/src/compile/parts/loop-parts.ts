/**
 * The WGSL that fills the holes of the templates of the pair loop.
 *
 * @module
 */

import type { LoopShape } from '../../design/loop-shape.ts'
import type { LookTexts } from './looks.ts'
import type { PairTexts } from './pair-texts.ts'
import type { Sharing } from './slices.ts'

/** A template of the pair loop. */
export interface PairTemplate {
  readonly text: (parts: LoopParts) => string
  /** Bytes of workgroup memory for a tile. */
  readonly bytes: (texts: PairTexts, shape: LoopShape) => number
}

export interface LoopParts {
  readonly texts: PairTexts
  readonly look: LookTexts | undefined
  readonly shape: LoopShape
  readonly sharing: Sharing
  /** The targets of an invocation, `0, 1, ...`. */
  readonly each: readonly number[]
  /** Functions that the loop calls. */
  readonly functions: string
  /** Declares each target of the invocation, and the variables that gather its terms. */
  readonly targets: readonly string[]
  /** Whether sources are visited in blocks, with `open` before and `close` after each. */
  readonly inBlocks: boolean
  readonly open: readonly string[]
  readonly close: readonly string[]
  /** Visits the source in scope with each target. */
  readonly visit: readonly string[]
  /** Merges and writes the gathered terms of the targets. */
  readonly finish: readonly string[]
}
