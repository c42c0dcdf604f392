/**
 * A compiled design that all threads have. Placements run it.
 *
 * @module
 */
import type { ProgramDesign } from '../../design/design.ts'
import type { GridDesign } from '../../design/grid-layout.ts'
import type { Phases } from '../threads/claims.ts'
import type { ThreadChooser } from '../threads/thread-chooser.ts'

/** A design of any kind, as far as loading needs it. */
export type LoadedDesign = Pick<GridDesign, 'module'> & { readonly phases: readonly { readonly name: string }[] }

export interface LoadedProgram<Design extends LoadedDesign = ProgramDesign> {
  readonly design: Design
  readonly phases: Phases
  /** The name of each of them. */
  readonly names: readonly string[]
  /** Its number in the pool; 0 without a pool. */
  readonly id: number
  readonly milliseconds: number
  /** The chooser of each phase, by the number of the phase. */
  readonly choosers: readonly ThreadChooser[]
}

/** A module of sums through a grid. */
export type LoadedGrid = LoadedProgram<GridDesign>

/** The index of a phase among the functions of its module. */
export function phaseIndex({ names }: Pick<LoadedProgram, 'names'>, name: string): number {
  return names.indexOf(name)
}
