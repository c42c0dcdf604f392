/** An environment with its devices, in which problems are measured one after the other. Isomorphic but for its maker. */

import type { ProblemSpec } from './problem.ts'
import type { Environment, Row } from './record.ts'

export interface Session {
  readonly environment: Environment
  /** Measures one problem; rows come together when it is done. */
  measure(spec: ProblemSpec, options: SessionOptions): Promise<readonly Row[]>
  dispose(): Promise<void>
}

interface SessionOptions {
  readonly seconds: number
  readonly signal?: AbortSignal | undefined
  readonly onProgress?: ((fraction: number) => void) | undefined
}
