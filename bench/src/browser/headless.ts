/**
 * What runs inside of the headless browser's page: a session, driven from Node through functions on the global object.
 */

import type { BackendSpec } from '../contenders/backend.ts'
import { localSession } from '../local-session.ts'
import type { ProblemSpec } from '../problem.ts'
import type { Environment, Row } from '../record.ts'
import type { Session, SessionOptions } from '../session.ts'
import { browserEnvironment } from './environment.ts'

/** What the page offers to Node. */
export interface PageApi {
  open(specs: readonly BackendSpec[]): Environment
  refusals(spec: ProblemSpec): Promise<readonly (string | undefined)[]>
  measure(spec: ProblemSpec, options: PageOptions): Promise<readonly Row[]>
  /** Ends the measurement under way; it then gives what it has. */
  stop(): void
}

/** What of the options can cross to a page. */
export type PageOptions = Omit<SessionOptions, 'signal' | 'onProgress'>

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
  refusals: (spec) => opened().refusals(spec),
  measure(spec, options) {
    stopping = new AbortController()
    const { reportProgress } = globalThis as unknown as NodeApi
    const onProgress = (fraction: number) => void reportProgress(fraction)
    return opened().measure(spec, { ...options, signal: stopping.signal, onProgress })
  },
  stop: () => stopping.abort(),
}

function opened(): Session {
  if (!session) throw new Error('Cannot measure: the page has no session; call open first')
  return session
}

Object.assign(globalThis, { manybodyBench: api })
