/**
 * A condition under which a shader does anything, in WGSL: a round of a sequence may leave out work of an earlier one.
 *
 * @module
 */
import type { Field, Resource } from '../../design/shader.ts'
import { type RoundWord, roundsArray, roundWord } from '../../design/verlet-layout.ts'
import { wgsl } from '../../design/wgsl.ts'

export interface When {
  readonly resources: readonly Resource[]
  readonly fields: readonly Field[]
  /** Statements at the start. */
  readonly start: string
}

export const always: When = { resources: [], fields: [], start: '' }

/** In rounds that say so. */
export const whenRound = (word: RoundWord): When => ({
  resources: [roundsArray('read')],
  fields: [],
  start: wgsl`if (${roundWord(word)} == 0u) { return; }`,
})
