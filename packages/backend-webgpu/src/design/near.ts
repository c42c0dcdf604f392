/**
 * Facts for choosing between blocks of near points and all pairs, and the shader that lets a device choose in each round of a
 * sequence.
 *
 * @module
 */
import type { Shader } from './shader.ts'
import type { BoxSpace } from './space.ts'

export interface NearChoice {
  /** Blocks are faster below this share of all pairs. */
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

/** The names of two arrays with the words of both loops: as each loop needs them if it is chosen, and as the dispatches read them. */
export const givenBlocks = 'given'
export const chosenBlocks = 'chosen'

/** Farther than any point, but near enough that its product with `edges` or `kept` does not overflow. */
export const farthest = 1e30
