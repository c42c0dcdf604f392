/** The functions that a page of the headless browser offers to Node on its global object: one session. */

import type { ProblemSpec } from '../problem.ts'
import type { Environment, Row } from '../record.ts'
import type { Session, SessionOptions } from '../sessions/session.ts'

export interface PageApi<Options> {
  open(options: Options): Environment
  refusals(spec: ProblemSpec): Promise<readonly (string | undefined)[]>
  measure(spec: ProblemSpec, options: PageOptions): Promise<readonly Row[]>
  /** Ends the current measurement. It then returns the rows that it has. */
  stop(): void
}

/** The options that can be sent to a page. */
type PageOptions = Omit<SessionOptions, 'signal' | 'onProgress'>

/** The functions of Node that the page can call. */
export interface NodeApi {
  reportProgress(fraction: number): Promise<void>
}

export function offer<Options>(open: (options: Options) => Session): void {
  let session: Session | undefined
  let stopping = new AbortController()
  const opened = (): Session => {
    if (!session) throw new Error('Cannot measure: the page has no session; call open first')
    return session
  }
  const api: PageApi<Options> = {
    open(options) {
      session = open(options)
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
}
