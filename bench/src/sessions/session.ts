/** An environment with its contenders, which measures one problem at a time. Types only. */

import type { ProblemSpec } from '../problem.ts'
import type { Environment, Row } from '../record.ts'
import type { Pacing } from '../timing/pacing.ts'

export interface Session {
  readonly environment: Environment
  /** For each contender, why it has no room for a problem of this size, or undefined. Makes no points. Absent if they have room for all. */
  refusals?(spec: ProblemSpec): Promise<readonly (string | undefined)[]>
  /** Measures one problem, and returns its rows when it is done. */
  measure(spec: ProblemSpec, options: SessionOptions): Promise<readonly Row[]>
  dispose?(): Promise<void>
}

export interface SessionOptions extends Pacing {
  /** Seconds of sampling for all contenders together. */
  readonly seconds: number
  readonly signal?: AbortSignal | undefined
  readonly onProgress?: ((fraction: number) => void) | undefined
}
