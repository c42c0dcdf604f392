/**
 * The record of a run: the measurements, the machine and the errors. All figures come from records.
 *
 * Times are milliseconds of wall time unless a field says otherwise. A row holds a figure only if its answer was right.
 */

import type { DeviceKind, Dimension, Precision, Report } from '@manybody/core'

/** The commands that leave a record. */
export const kinds = [
  'compare',
  'sweep',
  'scale',
  'transfer',
  'workloads',
  'rivals',
  'choice',
  'near',
  'tree',
  'mesh',
  'gpu',
  'calls',
] as const
export type Kind = (typeof kinds)[number]

export interface BenchmarkRecord {
  /** The command as typed: `npm run bench -- compare --sizes 1024`. */
  readonly command: string
  readonly kind: Kind
  /** The start of the run, in ISO 8601. */
  readonly date: string
  /** Why rows are missing, in words: `interrupted`. */
  readonly partial?: string
  readonly machine: Machine
  readonly environments: readonly Environment[]
  /** Whether the backends compute correctly on this machine; only if the command tests that. */
  readonly judged?: readonly JudgedBackend[]
  readonly rows: readonly Row[]
}

/** The verdict on a backend from the conformance suite and random laws on this machine. */
export type JudgedBackend =
  | ({ readonly backend: string } & Refused)
  | {
      readonly backend: string
      readonly device: string
      /** Cases of the suite, and how many passed. */
      readonly cases: number
      readonly passed: number
      /** Random laws that ran, over few points and over up to 33,000. */
      readonly laws: { readonly few: number; readonly many: number }
      /** Random problems that ran by blocks of near points. Absent if the backend has no blocks, and in older records. */
      readonly blocks?: number
      /** Sums with a tolerance that ran, and how many of them a tree computed. Absent if the backend has no trees. */
      readonly tolerances?: { readonly sums: number; readonly trees: number }
      /** Runs of random laws of vectors. Absent in older records. */
      readonly vectors?: number
      /** Sums through grids that ran. Absent in older records. */
      readonly grids?: number
      /** Simulations that ran. Absent in older records. */
      readonly simulations?: number
      /** The faults, one sentence each. */
      readonly faults: readonly string[]
    }

/** The class of machine: the facts that a reader needs for a comparison, and nothing that identifies the machine. */
export interface Machine {
  readonly cpu: string
  readonly cores: number
  /** Absent if a browser does not tell. */
  readonly memoryGiB?: number
  readonly platform: string
  /** Processes that wanted to run, over the minute before the benchmark. */
  readonly load?: number
  /** The graphics driver, where the system names one. */
  readonly driver?: string
}

/** Where JavaScript ran. */
export interface Environment {
  /** `Node 20.20.2`, `Chromium 147 (headless)`: unique in a record. */
  readonly name: string
  /** Whether memory can be shared between threads. */
  readonly isolated: boolean
  /** Threads that may run at once. */
  readonly threads: number
  /** The smallest step of its clock, measured, in milliseconds. */
  readonly timerResolution: number
  readonly versions: Readonly<Record<string, string>>
}

export interface Row {
  /** `Environment.name`. */
  readonly environment: string
  readonly problem: ProblemInfo
  readonly contender: Who
  /** Terms of one call: targets times sources for pairs, points or cells else. */
  readonly interactions: number
  readonly outcome: Measured | Refused
}

export interface ProblemInfo {
  /** The name of the law or the file: `gravity`. */
  readonly name: string
  /** The law as the user typed it, if so. */
  readonly expression?: string
  /** The computation: `accelerations`, `nearest(8)`. */
  readonly workload: string
  readonly targets: number
  /** 0 if there are no pairs. */
  readonly sources: number
  readonly dimension: Dimension
  /** The length of a point's vector, if it has one instead of a position. */
  readonly features?: number
  readonly seed: number
}

/** A contender, and the device that it ran on. */
export interface Who {
  /** `cpu-wasm`, `gpu.js webasm`, `C, AVX2`. */
  readonly name: string
  readonly rival: boolean
  /** The adapter or processor, as its driver calls it. */
  readonly device: string
  readonly kind: DeviceKind
  readonly precision: Precision
  /** The shape of the loop that ran, in the backend's words. */
  readonly variant?: string
  /** The requested sizes, as in a sweep. */
  readonly sizes?: Readonly<Record<string, number>>
  readonly threads?: number
  readonly limits?: Readonly<Record<string, number | undefined>>
  readonly driver?: string
}

/** The times and the error of a right answer. */
export interface Measured {
  /** One whole call, from JavaScript to JavaScript. */
  readonly call: Times
  /** Present if the call is a loop in another process, which times it: the time to reach that process is not included. */
  readonly ownClock?: true
  /** Present if arrays stay on the device and runs follow each other without the host: a call is the mean of such runs. */
  readonly resident?: true
  /** Milliseconds of the first call. Absent in older records, except of trees. */
  readonly first?: number
  /** The computed pairs of a sum with a tolerance. */
  readonly evaluated?: number
  /** Parts of the call, if they can be told apart; `compile` came before it. */
  readonly parts?: TimedParts
  /** The computation on the device's own clock, if that is reliable. */
  readonly device?: Times
  /** The rate of the median call. */
  readonly interactionsPerSecond: number
  readonly error: ErrorFigures
  /** The same rounds next to those of other contenders, by their names. Only records of `choice` have it. */
  readonly beside?: Readonly<Record<string, Beside>>
}

/** Two contenders compared within each round: medians over all rounds. */
export interface Beside {
  /** The time divided by that of the other. */
  readonly ratio: number
  /** The milliseconds beyond those of the other. */
  readonly longer: number
}

export interface TimedParts {
  /** Absent in records that were converted from another format, as are quantiles of errors. */
  readonly compile?: number
  readonly upload: Times
  readonly compute: Times
  readonly readback: Times
}

/** Distance from the float64 reference over a sample of targets, in units of the sum of absolute terms. */
export interface ErrorFigures {
  readonly max: number
  readonly median?: number
  readonly p99?: number
  /** The largest error according to the report of the run, for a sum with a tolerance. */
  readonly told?: number
  /** How terms were added, which decides the bound. */
  readonly accumulation: Report['accumulation']
  /**
   * The largest allowed error for this way of adding terms; null for a method that is approximate by design. A tolerance bounds the 99th
   * percentile instead.
   */
  readonly bound: number | null
  /** The detail that such a method leaves out. Its error is printed, not judged. */
  readonly approximate?: string
  /** Targets that were compared. */
  readonly sampled: number
}

/** Why there is no figure: a wrong answer, a missing device, a problem that it cannot run. */
export interface Refused {
  readonly refused: string
}

export interface Times {
  /** How many there were; 0 in records that were converted from another format. */
  readonly samples: number
  readonly median: number
  readonly lowerQuartile: number
  readonly upperQuartile: number
}

export const isMeasured = (outcome: Measured | Refused): outcome is Measured => 'call' in outcome
