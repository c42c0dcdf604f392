// isSingular: the one rule for coincident points, judged with the parameters of a run.

import { describe, expect, it } from 'vitest'
import { pairPotential, pairTerm } from '../../src/interactions/define.ts'
import { gaussian } from '../../src/interactions/gaussian.ts'
import { gravity } from '../../src/interactions/gravity.ts'
import type { Interaction } from '../../src/interactions/interaction.ts'
import { forces, potentials, sum } from '../../src/workloads/pair.ts'
import { isSingular, termOf } from '../../src/workloads/quantity.ts'
import type { PairWorkload } from '../../src/workloads/workload.ts'

const singular = (workload: PairWorkload, parameters: Record<string, number> = {}) =>
  isSingular(termOf(workload, 3), { ...workload.law.parameters, ...parameters })

describe('isSingular', () => {
  it('follows the parameters of the run', () => {
    expect(singular(forces(gravity()))).toBe(true)
    expect(singular(forces(gravity()), { softening: 0.1 })).toBe(false)
    expect(singular(forces(gravity({ softening: 1e-30 })))).toBe(true)
  })

  it('is false if the law is finite at zero distance', () => {
    expect(singular(potentials(gaussian()))).toBe(false)
    expect(singular(sum(pairTerm('r2')()))).toBe(false)
  })

  it('guards a radial force whose softening is an attribute, which may be 0', () => {
    const law: Interaction = pairPotential('-1/sqrt(r2 + size_i^2)')()
    expect(singular(forces(law))).toBe(true)
    expect(singular(potentials(law))).toBe(false)
  })
})
