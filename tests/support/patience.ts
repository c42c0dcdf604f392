// Time limits of tests, hooks and their child processes. No test is about time: the limits only end tests that hang, even if the machine is
// many times slower than usual. This file also tells whether the run is a deep one, and how processes treat freed memory. For the config of
// every project.

import type {} from 'vitest'
import { patience } from '../../tools/patience.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Whether every environment, variant and plan runs everything. */
    deep: boolean
  }
}

/** Milliseconds for installing, packing or unpacking before the tests. */
const preparation = 600_000

/**
 * Makes the C library keep freed memory. Compilers of shaders and of JavaScript free megabytes and need them again at once: half of all
 * page faults.
 */
const env = { GLIBC_TUNABLES: `glibc.malloc.trim_threshold=${2 ** 30}:glibc.malloc.mmap_threshold=${2 ** 25}` }

export const everyProject = {
  env,
  testTimeout: patience,
  hookTimeout: preparation,
  /** `npm run deep` asks for it; see share.ts. */
  provide: { deep: process.env.DEEP !== undefined },
}
