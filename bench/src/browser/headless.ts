/**
 * What runs inside of the headless browser's page: a session, driven from Node through functions on the global object.
 */

import type { BackendSpec } from '../contenders/backend.ts'
import { localSession } from '../local-session.ts'
import type { ProblemSpec } from '../problem.ts'
import type { Environment, Row } from '../record.ts'
import type { Session } from '../session.ts'
import { browserEnvironment } from './environment.ts'

/** What the page offers to Node. */
export interface PageApi {
  open(specs: readonly BackendSpec[]): Environment
  measure(spec: ProblemSpec, seconds: number): Promise<readonly Row[]>
  /** Ends the measurement under way; it then gives what it has. */
  stop(): void
}

/** What Node offers to the page. */
export interface NodeApi {
  reportProgress(fraction: number): Promise<void>
}

let session: Session | undefined
let stopping = new AbortController()

const api: PageApi = {
  open(specs) {
    session = localSession(browserEnvironment(), specs)
    return session.environment
  },
  measure(spec, seconds) {
    if (!session) throw new Error('Cannot measure: the page has no session; call open first')
    stopping = new AbortController()
    const { reportProgress } = globalThis as unknown as NodeApi
    const onProgress = (fraction: number) => void reportProgress(fraction)
    return session.measure(spec, { seconds, signal: stopping.signal, onProgress })
  },
  stop: () => stopping.abort(),
}
Object.assign(globalThis, { manybodyBench: api })
