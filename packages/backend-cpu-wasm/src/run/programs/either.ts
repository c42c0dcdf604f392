/**
 * A stage of a sequence with two loops. In each round, the current points decide which loop runs, so a sequence does the same
 * whenever it starts from the same state.
 *
 * @module
 */

import type { Bindings } from '@manybody/core'
import { type Job, onThisThread } from '../threads/job.ts'

/** One stage of a sequence. */
export interface Staged {
  /** Its jobs in order. */
  jobs(): readonly Job[]
  /** Takes other parameters and tables, which need no other module. */
  renumber(bindings: Bindings): void
  dispose(): void
}

/** The stage that runs `one`, or `other` if the points say so. */
export function either(one: Staged, other: Staged, takesOther: () => boolean): Staged {
  let taken = false
  const decide = onThisThread(() => {
    taken = takesOther()
  }, deciding)
  const unless = (skip: () => boolean, stage: Staged) =>
    stage.jobs().map((job): Job => ({ ...job, skip: () => skip() || job.skip?.() === true }))
  return {
    jobs: () => [decide, ...unless(() => taken, one), ...unless(() => !taken, other)],
    renumber(bindings) {
      one.renumber(bindings)
      other.renumber(bindings)
    },
    dispose: () => {
      one.dispose()
      other.dispose()
    },
  }
}

/** Milliseconds of a decision. */
const deciding = 0.05
