/**
 * Contenders of a measurement: manybody backends and rivals. Types only.
 *
 * Everything but the call itself happens in `prepare`, outside of all timing.
 */

import type { Dimension, Particles, Report, Shape, Workload } from '@manybody/core'
import type { Who } from './record.ts'

/** A problem without its points. */
export interface Sketch {
  readonly name: string
  /** The law as the user typed it, if so. */
  readonly expression?: string
  /** The computation in words: `accelerations`, `nearest(8)`. */
  readonly task: string
  readonly workload: Workload
  readonly shape: Shape
  readonly targets: number
  /** 0 where there are no pairs. */
  readonly sources: number
  /** Terms of one call: targets times sources for pairs, points or cells else. */
  readonly interactions: number
  readonly dimension: Dimension
  /** The length of the vector `x` of each point, which then has no position. */
  readonly features?: number | undefined
  readonly seed: number
  /** Whether the law amplifies rounding, as high powers of the distance do. Float32 then gets a higher floor. */
  readonly steep: boolean
}

/** A workload over points, the same for all contenders. Arrays must not be changed. */
export interface Problem extends Sketch {
  readonly particles: Particles
}

export interface Contender {
  /** Unique among the contenders of a problem. */
  readonly name: string
  /** Whether somebody else wrote it. */
  readonly rival?: boolean
  /** A contender is compared within each round with those before it in its group. */
  readonly group?: string
  /** Describes it in the rows of problems that it cannot run. */
  readonly about?: Partial<Who>
  /** Why it has no memory for a problem; answers without allocating. Absent if it has memory for all problems. */
  refusal?(sketch: Sketch): Promise<string | undefined>
  /** Sets up and compiles. @throws Error with the reason if it cannot run this problem */
  prepare(problem: Problem): Promise<Entry>
}

/** A contender that is ready to run one problem. */
export interface Entry {
  /** Facts about the latest run. */
  readonly who: Who
  /** Milliseconds that `prepare` took to compile. */
  readonly compile?: number
  /** How it adds terms. Its error bound depends on this. */
  readonly accuracy: Pick<Report, 'accumulation' | 'precision'>
  /** The detail that the method leaves out by design, as Barnes-Hut does. Its error is then printed, not judged. */
  readonly approximate?: string
  /** The error that 99 % of its targets may have at most, if it is not exact. */
  readonly tolerance?: number | undefined
  /** The largest error and the computed pairs that the latest run reported, if it had a tolerance. */
  readonly told?: number | undefined
  readonly evaluated?: number | undefined
  /** Whether only `compute`, on its own clock, counts as its time. Such a contender is a process that nobody would call from JavaScript. */
  readonly ownClock?: true
  /** Whether its arrays stay on the device, and runs follow each other without the host. */
  readonly resident?: true
  /** One whole call; resolves when its device has finished and the results are in JavaScript. */
  run(): Promise<CallParts | undefined>
  /** Times many runs at once, for at least this number of milliseconds. Without it, calls are timed one by one. */
  sample?(milliseconds: number): Promise<Sample>
  /** Results of the latest run by name, `[targets, width]`. */
  results(): Promise<Results>
  dispose(): void
}

export interface Sample {
  /** Milliseconds of one call. */
  readonly call: number
  /** The means of its parts, if the entry measures them separately. */
  readonly parts: CallParts | undefined
}

export type Results = Readonly<Record<string, ArrayLike<number>>>

/** Milliseconds of the parts of one call. */
export interface CallParts {
  readonly upload: number
  readonly compute: number
  readonly readback: number
  /** The computation on the device's own clock. */
  readonly device?: number
}
