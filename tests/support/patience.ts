// How long tests, hooks and what they start may take: no test is about time, so that only what hangs is ended, also where
// the machine is many times slower than usual.

const minutes = 10

/** Milliseconds. */
export const patience: number = 60_000 * minutes

/** For the config of every project. */
export const patient = { testTimeout: patience, hookTimeout: patience } as const
