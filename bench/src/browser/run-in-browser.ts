/** The benchmark in a visitor's own browser: the same problems, contenders and method, into the same record. */

import type { BackendSpec } from '../contenders/backend.ts'
import type { BenchmarkRecord } from '../record.ts'
import { localSession } from '../sessions/local-session.ts'
import { type Run, run } from '../sessions/run.ts'
import { browserEnvironment, browserMachine } from './environment.ts'

export interface BrowserRun extends Omit<Run, 'machine'> {
  readonly contenders: readonly BackendSpec[]
}

/** Calls `onRow` with the rows of each problem when it is done; the record holds all rows. */
export async function runInBrowser({ contenders, ...options }: BrowserRun): Promise<BenchmarkRecord> {
  const session = localSession(browserEnvironment(), contenders)
  try {
    return await run([session], { ...options, machine: browserMachine() })
  } finally {
    await session.dispose?.()
  }
}
