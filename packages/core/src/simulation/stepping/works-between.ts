/**
 * Several works between steps as one. Of those that are due after a step, earlier ones work first.
 *
 * @module
 */
import type { BetweenSteps } from './walks.ts'

export function worksBetween(works: readonly BetweenSteps[], stepsNow: () => number): BetweenSteps {
  return {
    after: (steps) => Math.min(...works.map((work) => work.after(steps))),
    async look() {
      const steps = stepsNow()
      for (const work of works) if (work.after(steps - 1) === steps) await work.look()
    },
    requireFree(name) {
      for (const work of works) work.requireFree?.(name)
    },
  }
}
