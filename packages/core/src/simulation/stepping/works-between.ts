/**
 * Several works between steps as one. Of those that are due after a step, earlier ones work first. If one fails, the others still work, because
 * that step does not come again.
 *
 * @module
 */
import type { BetweenSteps } from './walks.ts'

export function worksBetween(works: readonly BetweenSteps[], stepsNow: () => number): BetweenSteps {
  return {
    after: (steps) => Math.min(...works.map((work) => work.after(steps))),
    async look() {
      const steps = stepsNow()
      const failures: unknown[] = []
      for (const work of works)
        if (work.after(steps - 1) === steps) await work.look().catch((error) => failures.push(error))
      if (failures.length > 0) throw failures[0]
    },
    requireFree(name) {
      for (const work of works) work.requireFree?.(name)
    },
  }
}
