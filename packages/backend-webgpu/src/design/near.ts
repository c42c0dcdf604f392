/**
 * Facts for choosing between near points, by blocks or by cells, and all pairs, and the shader that lets a device choose in each round of a
 * sequence.
 *
 * @module
 */
import type { nearShareOf } from '@manybody/core/near'
import type { FieldValues } from './design.ts'
import type { Shader } from './shader.ts'
import type { BoxSpace } from './space.ts'

export interface NearChoice {
  /** Blocks are faster below this share of all pairs. */
  readonly mostShare: number
  /** Estimates the share of all pairs that are near. Its code loads with the loops over near points. */
  readonly shareOf: typeof nearShareOf
  /** Number of sources that targets keep; undefined if they keep all within a cutoff. */
  readonly kept: number | undefined
  /** Whether a target meets few of many equal points. */
  readonly fewEqual: boolean
  /** Present if rounds of a sequence may choose, too, which costs some time whatever they choose. */
  readonly chooser?: Chooser
  /** Whether rounds always take it: dispatches over all pairs in vain would take longer than they may save. */
  readonly alone?: boolean
  /** Present if cells may be faster than both. */
  readonly cells?: CellsChoice
}

/** When cells are faster than all pairs. Where they suit the parameters of a run, they are faster than blocks, too. */
export interface CellsChoice extends Omit<NearChoice, 'cells'> {
  readonly suit: (parameters: FieldValues) => boolean
  /** How many numbers rounds of a sequence carry for Verlet lists, if these make them faster. */
  readonly carries: number | undefined
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
