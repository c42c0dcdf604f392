/**
 * How much work one submission may hold, so that no watchdog ends it and an abort is heard soon: learned from the
 * submissions before it.
 *
 * @module
 */
import type { DeviceKind } from '@manybody/core'

export interface Pacer {
  /** Interactions that fit one submission. */
  budget(): number
  observe(interactions: number, milliseconds: number): void
}

const submissionMilliseconds = 50
/** Interactions per millisecond to begin with: what a slow device of each kind does. */
const cautious: Readonly<Record<DeviceKind, number>> = { hardware: 2e6, software: 2e4, cpu: 2e4 }

export function pacer(kind: DeviceKind): Pacer {
  let rate = cautious[kind]
  return {
    budget: () => rate * submissionMilliseconds,
    observe(interactions, milliseconds) {
      // Small submissions measure their own overhead: they may raise the estimate, not lower it, and never far.
      const measured = interactions / Math.max(milliseconds, 0.05)
      if (measured > rate || milliseconds > submissionMilliseconds / 4)
        rate = Math.max(cautious[kind] / 64, Math.min(measured, 8 * rate))
    },
  }
}
