// Time limits of tests, hooks and their child processes. No test is about time, so the limits end only what hangs, even if
// the machine is many times slower than usual. Also says whether this is a deep run. For the config of every project.

import type {} from 'vitest'

declare module 'vitest' {
  interface ProvidedContext {
    /** Whether every environment, variant and plan runs everything. */
    deep: boolean
  }
}

/** Milliseconds, for tests that take seconds on two idle processors. */
export const patience = 300_000

/** For installing, packing or unpacking before the tests. */
const preparation = 600_000

export const everyProject = {
  testTimeout: patience,
  hookTimeout: preparation,
  /** `npm run deep` asks for it; see share.ts. */
  provide: { deep: process.env.DEEP !== undefined },
}
