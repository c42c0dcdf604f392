/**
 * A compiled design that all threads have. Placements run it.
 *
 * @module
 */
import type { ProgramDesign } from '../../design/design.ts'
import type { Phases } from '../threads/claims.ts'
import type { ThreadChooser } from '../threads/thread-chooser.ts'

export interface LoadedProgram {
  readonly design: ProgramDesign
  readonly phases: Phases
  /** The name of each of them. */
  readonly names: readonly string[]
  /** Its number in the pool; 0 without a pool. */
  readonly id: number
  readonly milliseconds: number
  /** The chooser of each phase, by the number of the phase. */
  readonly choosers: readonly ThreadChooser[]
}

/** The index of a phase among the functions of its module. */
export function phaseIndex({ names }: LoadedProgram, name: string): number {
  return names.indexOf(name)
}
