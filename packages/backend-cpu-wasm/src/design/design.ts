/**
 * A program as plain data: the bytes of a module, the arrays that it reads and writes, and its phases. Designs need no device, and
 * may come from a file: `designs.ts` makes them, and `compile.ts` compiles them. Types only.
 *
 * @module
 */
import type { Report } from '@manybody/core'
import type { Binding } from '@manybody/core/expression'

export type Side = 'target' | 'source'

/** Bytes of a coordinate in the records of points. */
export type CoordinateBytes = 4 | 8

/** One result array: the number of entries per target, and their type. */
export interface ResultLayout {
  readonly name: string
  readonly entries: number
  readonly type: 'number' | 'i32' | 'u32'
  /** The value if no source counts. JSON has no infinity, so that is text. */
  readonly empty: number | 'Infinity' | '-Infinity'
  /** Whether each target has a list, whose length a run is told. */
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
  /** The side whose points make up the units, or the proxies. */
  readonly over: Side | 'proxy'
  /** Whether each point meets all sources. */
  readonly pairs: boolean
  /** Estimated nanoseconds per point, or per pair. */
  readonly nanoseconds: number
  /** Whether these are for each thread. */
  readonly perThread?: boolean
  /** Whether it puts points in order. */
  readonly orders?: boolean
  /** Number of units, if points are not divided: also the pairs of blocks, the tasks that put points in order, or the threads. */
  readonly units?: number | 'blocks' | 'tasks' | 'threads'
  /** It runs only if there are so many points that they are cut at this level (`cutLevels`). */
  readonly level?: number
}

/** How a loop visits pairs or elements, and how it adds terms: what reports say of every run. */
export type LoopReport = Pick<Report, 'variant' | 'accumulation' | 'chains'>

/** How prepared points of a side are stored. */
export interface PointStore {
  /** How many share a register; 1 if each has its own numbers. */
  readonly lanes: number
  /** Bytes of a point or of a register; 0 if nothing is stored. */
  readonly bytes: number
}

/**
 * The totals of a thread where each pair is visited once. They are at the start of its scratch, behind which `scratchBytes` follow,
 * until the last phase collects them.
 */
export interface OnceStore {
  readonly blockPoints: number
  /** Bytes of the totals of a block. */
  readonly blockBytes: number
}

/** A module, with everything that the host needs to run it. */
export interface ProgramDesign extends LoopReport {
  readonly module: Uint8Array<ArrayBuffer>
  /** The names of its functions in order. Each phase is one of them. */
  readonly functions: readonly string[]
  /** The names of the entries of its block in order, each of 8 bytes. */
  readonly block: readonly string[]
  /** Numbers of the block that are evaluated for each run. */
  readonly run: readonly Binding[]
  readonly arrays: readonly InputArray[]
  readonly results: readonly ResultLayout[]
  readonly phases: readonly PhaseShape[]
  readonly scratchBytes: number
  /** Whether a set of the nodes of the sources' tree follows the scratch. */
  readonly nodeSet?: boolean | undefined
  /** Present if each pair is visited once. */
  readonly once?: OnceStore | undefined
  /** What a pair takes, in additions, if it is a loop over pairs. */
  readonly pairTime?: number
  /** Parameters of expressions in addition to the bound ones, such as those of a grid. */
  readonly parameters: Readonly<Record<string, number>>
  /** Whether a result can replace its own input directly, or only by a copy. */
  readonly inPlace: 'direct' | 'copy'
  /** Bytes of a coordinate in the records of points, if points are put in order. */
  readonly coordinateBytes?: CoordinateBytes | undefined
  /** Bytes of a prepared source, if proxies are further ones. */
  readonly recordBytes?: number
  /** Prepared points, which only pair loops have. */
  readonly points?: Readonly<Record<Side, PointStore>>
}
