/** The code inside the page of the headless browser: it runs the backends, and offers one session to Node on the global object. */

import type { BackendSpec } from '../contenders/backend.ts'
import type { ProblemSpec } from '../problem.ts'
import type { Environment, Row } from '../record.ts'
import { localSession } from '../sessions/local-session.ts'
import type { Session, SessionOptions } from '../sessions/session.ts'
import { browserEnvironment } from './environment.ts'

export interface PageApi {
  open(specs: readonly BackendSpec[]): Environment
  refusals(spec: ProblemSpec): Promise<readonly (string | undefined)[]>
  /** Takes the options that can be sent to a page. */
  measure(spec: ProblemSpec, options: Omit<SessionOptions, 'signal' | 'onProgress'>): Promise<readonly Row[]>
  /** Ends the current measurement. It then returns the rows that it has. */
  stop(): void
}

/** The functions of Node that the page can call. */
export interface NodeApi {
  reportProgress(fraction: number): Promise<void>
}

let session: Session | undefined
let stopping = new AbortController()
const opened = (): Session => {
  if (!session) throw new Error('Cannot measure: the page has no session; call open first')
  return session
}

const api: PageApi = {
  open(specs) {
    session = localSession(browserEnvironment(), specs)
    return session.environment
  },
  refusals: async (spec) => (await opened().refusals?.(spec)) ?? [],
  measure(spec, options) {
    stopping = new AbortController()
    const { reportProgress } = globalThis as unknown as NodeApi
    const onProgress = (fraction: number) => void reportProgress(fraction)
    return opened().measure(spec, { ...options, signal: stopping.signal, onProgress })
  },
  stop: () => stopping.abort(),
}
Object.assign(globalThis, { manybodyBench: api })
