/**
 * What will run for a workload, as data: a module, the arrays that it reads and gives, and its phases. No design needs a
 * device: `designs.ts` makes them, the text prints them, and `compile.ts` compiles them. Types only.
 *
 * @module
 */
import type { Binding } from '@manybody/core/expression'
import type { ModuleWriter } from '../expressions/module-writer.ts'
import type { ResultLayout } from '../folds/fold.ts'
import type { Side } from '../loops/points.ts'

/** An array that a program reads, and how many numbers of it each point has. */
export interface InputArray {
  readonly side: Side
  readonly name: string
  readonly components: number
}

/** How a phase is cut into calls. */
export interface PhaseShape {
  readonly name: string
  /** Points or rows in one unit. */
  readonly points: number
  /** Most units in one call. */
  readonly callUnits: number
  /** What its units are made of. */
  readonly over: Side
  /** Whether each point meets all sources. */
  readonly pairs: boolean
  /** Estimated nanoseconds for each point, or for each pair. */
  readonly nanoseconds: number
  /** How many units there are, where that does not follow from the points. */
  readonly units?: number
}

/** A module with all that the host needs to know to run it. */
export interface ProgramDesign {
  readonly writer: ModuleWriter
  readonly run: readonly Binding[]
  readonly arrays: readonly InputArray[]
  readonly results: readonly ResultLayout[]
  readonly phases: readonly PhaseShape[]
  readonly scratchBytes: number
  /** Bytes at the start of a thread's scratch where its results add up, until a last phase collects them. */
  readonly totals?: number | undefined
  /** Registers of targets in the inner loop of pairs; 1 elsewhere. */
  readonly registers: number
  /** Numbers that expressions read besides those that are bound. */
  readonly parameters: Readonly<Record<string, number>>
  /** Whether a result may take the place of what it is computed from at once, or only by a copy. */
  readonly inPlace: 'direct' | 'copy'
  /** Targets of a unit of pairs, if points are read in the order of places. */
  readonly blockTargets?: number
  /** Bytes of prepared points, which only pair loops have. */
  readonly pointBytes?: (side: Side, count: number) => number
}
