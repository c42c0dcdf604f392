/**
 * How much work one submission may contain, so that no watchdog ends it and an abort takes effect soon. It learns from
 * earlier submissions.
 *
 * @module
 */
import type { DeviceKind, Shape } from '@manybody/core'
import { workPerPair } from '@manybody/core/backend'

export interface SubmissionBudget {
  /** How many interactions fit one submission. */
  budget(): number
  /** Milliseconds that so many interactions surely take. */
  atLeast(interactions: number): number
  observe(interactions: number, milliseconds: number): void
}

const submissionMilliseconds = 50
/** The first estimate, in interactions per millisecond: the speed of a slow device of each kind. */
const cautious: Readonly<Record<DeviceKind, number>> = { hardware: 2e6, software: 2e4, cpu: 2e4 }
/**
 * The lowest estimate, however busy a device was. Runs that fit it are never cut, so their results are the same to the bit
 * every time. It is lower for hardware, which has a watchdog and may be slow with a long law.
 */
const least: Readonly<Record<DeviceKind, number>> = { hardware: cautious.hardware / 16, software: 2e4, cpu: 2e4 }

/** The share of its shortest time that work surely takes again. */
export const surely = 0.95

/** @param lengths of the vectors of a law: each component takes as long as a short law */
export function submissionBudget(kind: DeviceKind, lengths?: Shape['lengths']): SubmissionBudget {
  const work = workPerPair(lengths)
  const lowest = least[kind] / work
  let rate = cautious[kind] / work
  /** The most interactions in a millisecond; 0 before there was one. */
  let fastest = 0
  return {
    budget: () => rate * submissionMilliseconds,
    atLeast: (interactions) => (fastest > 0 ? (surely * interactions) / fastest : 0),
    observe(interactions, milliseconds) {
      // Small submissions measure mostly overhead, so they never lower the estimate. None may raise it more than eightfold.
      const measured = interactions / Math.max(milliseconds, 0.05)
      fastest = Math.max(fastest, measured)
      if (measured > rate || milliseconds > submissionMilliseconds / 4)
        rate = Math.max(lowest, Math.min(measured, 8 * rate))
    },
  }
}
