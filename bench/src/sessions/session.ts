/** An environment with its contenders, which measures one problem at a time. Types only. */

import type { ProblemSpec } from '../problem.ts'
import type { Environment, Row } from '../record.ts'

export interface Session {
  readonly environment: Environment
  /** For each contender, why it has no room for a problem of this size, or undefined. Makes no points. */
  refusals(spec: ProblemSpec): Promise<readonly (string | undefined)[]>
  /** Measures one problem, and returns its rows when it is done. */
  measure(spec: ProblemSpec, options: SessionOptions): Promise<readonly Row[]>
  dispose(): Promise<void>
}

/** How much time to take for a problem. */
export interface Pacing {
  /** Warm-up of an entry in milliseconds, unless the entry is slow. */
  readonly warm?: number
  /** The same for the first entry: an idle device takes long to return to its full clock rate. */
  readonly wake?: number
  /** The least length of a sample, in milliseconds. */
  readonly span?: number
  /** How many rounds to run; by default as many as the seconds allow. */
  readonly rounds?: number
  /** How many contenders are prepared and take turns at once; by default all. With many, the first results take long. */
  readonly together?: number
}

export interface SessionOptions extends Pacing {
  /** Seconds of sampling for all contenders together. */
  readonly seconds: number
  readonly signal?: AbortSignal | undefined
  readonly onProgress?: ((fraction: number) => void) | undefined
}
