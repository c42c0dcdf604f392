/** An environment with its contenders, which measures one problem at a time. Types only. */

import type { ProblemSpec } from '../problem.ts'
import type { Environment, Row } from '../record.ts'

export interface Session {
  readonly environment: Environment
  /** For each contender, why it has no room for a problem of this size, or undefined. Makes no points. */
  refusals(spec: ProblemSpec): Promise<readonly (string | undefined)[]>
  /** Measures one problem; rows come together when it is done. */
  measure(spec: ProblemSpec, options: SessionOptions): Promise<readonly Row[]>
  dispose(): Promise<void>
}

/** How much time is taken for a problem. */
export interface Pacing {
  /** Milliseconds that an entry warms up, unless it is slow. */
  readonly warm?: number
  /** The same for the first one: a device that idled takes long to be at its clock again. */
  readonly wake?: number
  /** Milliseconds that one sample lasts at least. */
  readonly span?: number
  /** How often all take turns; left out, as often as the seconds allow. */
  readonly rounds?: number
  /** How many are prepared and take turns at once; all, if it is left out. Many wait long, and leave nothing meanwhile. */
  readonly together?: number
}

export interface SessionOptions extends Pacing {
  /** Of sampling, for all contenders together. */
  readonly seconds: number
  readonly signal?: AbortSignal | undefined
  readonly onProgress?: ((fraction: number) => void) | undefined
}
