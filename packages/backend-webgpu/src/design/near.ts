/**
 * When a run visits blocks of near points instead of all pairs, and the shader by which a device decides that in each round of
 * a sequence.
 *
 * @module
 */
import type { Shader } from './shader.ts'
import type { BoxSpace } from './space.ts'

export interface NearChoice {
  /** The share of all pairs up to which blocks are faster. */
  readonly mostShare: number
  /** Number of sources that targets keep; undefined if they keep all within a cutoff. */
  readonly kept: number | undefined
  /** Present if rounds of a sequence may choose, too, which costs some time whatever they choose. */
  readonly chooser?: Chooser
}

export interface Chooser {
  readonly shader: Shader
  readonly space: BoxSpace
}

/** The words of both loops: as they are if their loop is chosen, and as the dispatches read them. */
export const givenBlocks = 'given'
export const chosenBlocks = 'chosen'

/** Farther than any point, but near enough that its product with `edges` or `kept` does not overflow. */
export const farthest = 1e30
