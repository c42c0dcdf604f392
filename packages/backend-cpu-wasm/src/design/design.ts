/**
 * A program as plain data: the bytes of a module, the arrays that it reads and writes, and its phases. Designs need no device, and
 * may come from a file: `designs.ts` makes them, and `load.ts` compiles them. Types only.
 *
 * @module
 */

import type { Report } from '@manybody/core'
import type { NamedTape } from '@manybody/core/backend'

export type Side = 'target' | 'source'

/** Bytes of a coordinate in the records of points. */
export type CoordinateBytes = 4 | 8

/** One result array: the number of entries per target, and their type. */
export interface ResultLayout {
  readonly name: string
  readonly entries: number
  readonly type: 'number' | 'i32' | 'u32'
  /** The value if no source counts. Infinity is text, because JSON has no number for it. */
  readonly empty: number | 'Infinity' | '-Infinity'
  /** Whether each target has a list of its own. Each run sets the lengths. */
  readonly listed?: true
  /** Whether each number belongs to one source, so that a range of sources leaves the others as they are. */
  readonly columns?: true
}

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
  /** The side with the points that make up the units, or the proxies. */
  readonly over: Side | 'proxy'
  /** Whether each point meets all sources. */
  readonly pairs: boolean
  /** Estimated nanoseconds per point, or per pair. */
  readonly nanoseconds: number
  /** Whether the nanoseconds are for each part of the pairs that are visited once. */
  readonly perPart?: boolean
  /** Whether the phase puts points in order. */
  readonly orders?: boolean
  /** Whether only the search for pairs reads its results, so that rounds with lists that last go without it. */
  readonly forSearch?: boolean
  /**
   * Number of units, if they are not made of points: a number, or the pairs of blocks, the tasks that put points in order, or
   * the parts of the pairs that are visited once.
   */
  readonly units?: number | 'blocks' | 'tasks' | 'parts'
  /** The phase runs only if there are enough points for cuts at this level (`cutLevels`). */
  readonly level?: number
}

/** How a loop visits pairs or elements, and how it adds terms. Reports say it of every run. */
export type LoopReport = Pick<Report, 'variant' | 'accumulation' | 'chains'>

/** How prepared points of a side are stored. */
export interface PointStore {
  /** How many share a register; 1 if each has its own numbers. */
  readonly lanes: number
  /** Bytes of a point or of a register; 0 if nothing is stored. */
  readonly bytes: number
}

/** The totals of a part of the pairs, where each pair is visited once. The last phase collects them. */
export interface OnceStore {
  readonly blockPoints: number
  /** Bytes of the totals of a block. */
  readonly blockBytes: number
}

/** A module, with everything that the host needs to run it. */
export interface ProgramDesign extends LoopReport {
  readonly module: Uint8Array<ArrayBuffer>
  /** The names of the entries of its block in order, each of 8 bytes. */
  readonly block: readonly string[]
  /** Numbers of the block that are evaluated for each run. */
  readonly run: NamedTape
  readonly arrays: readonly InputArray[]
  readonly results: readonly ResultLayout[]
  readonly phases: readonly PhaseShape[]
  readonly scratchBytes: number
  /** Whether a set of the nodes of the sources' tree follows the scratch. */
  readonly nodeSet?: boolean | undefined
  /** Present if each pair is visited once. */
  readonly once?: OnceStore | undefined
  /** The time of a pair, in additions, if it is a loop over pairs. */
  readonly pairTime?: number
  /** Parameters of expressions in addition to the bound ones, such as those of a grid. */
  readonly parameters: Readonly<Record<string, number>>
  /** Whether a result can replace its own input directly, or only by a copy. */
  readonly inPlace: 'direct' | 'copy'
  /** Bytes of a coordinate in the records of points, if points are put in order. */
  readonly coordinateBytes?: CoordinateBytes | undefined
  /** Bytes of a prepared source, if proxies are additional sources. */
  readonly recordBytes?: number
  /** Prepared points, which only pair loops have. */
  readonly points?: Readonly<Record<Side, PointStore>>
}
