/**
 * What will run for a workload, as data: a module, the arrays that it reads and writes, and its phases. Designs need no
 * device: `designs.ts` makes them, `text.ts` prints them, and `compile.ts` compiles them. Types only.
 *
 * @module
 */
import type { Report } from '@manybody/core'
import type { PairBody } from '@manybody/core/backend'
import type { Binding } from '@manybody/core/expression'
import type { ModuleWriter } from '../expressions/module-writer.ts'
import type { ResultLayout } from '../folds/fold.ts'
import type { Side } from '../loops/points.ts'
import type { CoordinateBytes } from '../ranges/order-records.ts'

/** An array that a program reads, with its numbers per point. */
export interface InputArray {
  readonly side: Side
  readonly name: string
  readonly components: number
}

/** How a phase is divided into calls. */
export interface PhaseShape {
  readonly name: string
  /** Number of points or rows in one unit. */
  readonly points: number
  /** The most units in one call. */
  readonly callUnits: number
  /** The side whose points make up the units, or the proxies. */
  readonly over: Side | 'proxy'
  /** Whether each point meets all sources. */
  readonly pairs: boolean
  /** Estimated nanoseconds per point, or per pair. */
  readonly nanoseconds: number
  /** Whether it puts points in order. */
  readonly orders?: boolean
  /** Number of units, if it does not follow from the number of points. */
  readonly units?: number | undefined
}

/** How a loop visits pairs or elements, and how it adds terms: what reports say of every run. */
export type LoopReport = Pick<Report, 'variant' | 'accumulation' | 'chains'>

/** A module, with everything that the host needs to run it. */
export interface ProgramDesign extends LoopReport {
  readonly writer: ModuleWriter
  readonly run: readonly Binding[]
  readonly arrays: readonly InputArray[]
  readonly results: readonly ResultLayout[]
  readonly phases: readonly PhaseShape[]
  readonly scratchBytes: number
  /** Bytes at the start of each thread's scratch that hold its totals, until the last phase collects them. */
  readonly totals?: number | undefined
  /** What it computes of a pair, if it is a loop over pairs. */
  readonly pair?: PairBody
  /** Parameters of expressions in addition to the bound ones, such as those of a grid. */
  readonly parameters: Readonly<Record<string, number>>
  /** Whether a result can replace its own input directly, or only by a copy. */
  readonly inPlace: 'direct' | 'copy'
  /** Bytes of a coordinate in the records of points, if points are put in order. */
  readonly coordinateBytes?: CoordinateBytes | undefined
  /** Bytes of a prepared source, if proxies are further ones. */
  readonly recordBytes?: number
  /** Bytes of prepared points, which only pair loops have. */
  readonly pointBytes?: (side: Side, count: number) => number
}
