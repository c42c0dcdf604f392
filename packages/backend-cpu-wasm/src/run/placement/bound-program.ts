/**
 * A program together with its memory: all that a job reads. Types only.
 *
 * @module
 */
import type { PhaseShape } from '../../design/design.ts'
import type { Copies } from '../threads/job.ts'
import type { Arrangement } from './arrangement.ts'
import type { LastingLists } from './lasting.ts'
import type { LoadedProgram } from './loaded-program.ts'
import type { MemoryLayout } from './memory-layout.ts'
import type { Regions } from './regions.ts'
import type { RangesOfCaller } from './request.ts'

/** What only some placements need. */
export interface PlacementParts extends RangesOfCaller {
  copiesOf(bound: BoundProgram, phase: PhaseShape, units: number): Copies
}

export interface BoundProgram {
  readonly program: LoadedProgram
  readonly layout: MemoryLayout
  readonly regions: Regions
  /** The addresses and counts that the module reads. */
  readonly addresses: Readonly<Record<string, number>>
  /** The points in blocks, if the program visits blocks. */
  readonly arrangement?: Arrangement | undefined
  /** The Verlet lists of a stage, if its sequence carries their state. */
  readonly lasting?: LastingLists | undefined
  readonly parts?: PlacementParts | undefined
}
