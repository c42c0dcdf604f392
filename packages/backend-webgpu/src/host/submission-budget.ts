/**
 * How much work one submission may hold, so that no watchdog ends it and an abort is heard soon: learned from the
 * submissions before it.
 *
 * @module
 */
import type { DeviceKind } from '@manybody/core'

export interface SubmissionBudget {
  /** Interactions that fit one submission. */
  budget(): number
  observe(interactions: number, milliseconds: number): void
}

const submissionMilliseconds = 50
/** Interactions per millisecond to begin with: what a slow device of each kind does. */
const cautious: Readonly<Record<DeviceKind, number>> = { hardware: 2e6, software: 2e4, cpu: 2e4 }
/**
 * What a device is trusted to do however busy it was: runs of this much are never cut, and so have the same bits each time.
 * A watchdog waits for hardware alone, which may be slow with a long law.
 */
const least: Readonly<Record<DeviceKind, number>> = { hardware: cautious.hardware / 16, software: 2e4, cpu: 2e4 }

export function submissionBudget(kind: DeviceKind): SubmissionBudget {
  let rate = cautious[kind]
  return {
    budget: () => rate * submissionMilliseconds,
    observe(interactions, milliseconds) {
      // Small submissions measure their own overhead: they may raise the estimate, not lower it, and never far.
      const measured = interactions / Math.max(milliseconds, 0.05)
      if (measured > rate || milliseconds > submissionMilliseconds / 4)
        rate = Math.max(least[kind], Math.min(measured, 8 * rate))
    },
  }
}
