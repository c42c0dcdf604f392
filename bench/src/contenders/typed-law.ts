/** Gravity as a user would type it. It should be as fast as the built-in law. */

import { accelerations, pairPotential } from '@manybody/core'
import { bind } from '@manybody/core/judge'
import type { Contender } from '../contender.ts'

const typed = pairPotential('-strength*mass_i*mass_j/sqrt(r2 + soft^2)', {
  name: 'typed by a user',
  inertia: 'mass',
  parameters: ['strength', 'soft'],
})

/** The contender with the law of gravity replaced by a typed one. */
export function withTypedLaw(contender: Contender): Contender {
  return {
    ...contender,
    prepare(problem) {
      const { G = 1, softening = 0 } = bind(problem.workload, problem.particles).bindings.parameters
      return contender.prepare({ ...problem, workload: accelerations(typed({ strength: G, soft: softening })) })
    },
  }
}
