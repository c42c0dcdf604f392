// How long tests, hooks and what they start may take: no test is about time, so that only what hangs is ended, also where
// the machine is many times slower than usual. And whether this is a deep run. For the config of every project.

import type {} from 'vitest'

declare module 'vitest' {
  interface ProvidedContext {
    /** Whether every environment, variant and plan runs everything. */
    deep: boolean
  }
}

/** Milliseconds; what takes seconds on two idle processors. */
export const patience = 120_000

/** For what is installed, packed or unpacked before the tests. */
const preparation = 600_000

export const everyProject = {
  testTimeout: patience,
  hookTimeout: preparation,
  /** `npm run deep` asks for it; see share.ts. */
  provide: { deep: process.env.DEEP !== undefined },
}
