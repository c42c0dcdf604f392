/** An environment that could not be opened. It refuses every problem with the reason; the other environments continue. */

import type { BackendSpec } from '../contenders/backend.ts'
import { refusedRows } from './refused-rows.ts'
import type { Session } from './session.ts'

export function absentSession(name: string, specs: readonly BackendSpec[], reason: string): Session {
  return {
    environment: { name, isolated: false, threads: 0, timerResolution: 0, versions: {} },
    measure: async (spec) => refusedRows(name, specs, spec, reason),
  }
}
