// The one rule for coincident points: which guard a run needs, by its parameters and by the structure of the law.

import { describe, expect, it } from 'vitest'
import { pairPotential, pairTerm } from '../../src/problem/interactions/define.ts'
import { gaussian } from '../../src/problem/interactions/gaussian.ts'
import { gravity } from '../../src/problem/interactions/gravity.ts'
import type { Interaction } from '../../src/problem/interactions/interaction.ts'
import { needsGuard } from '../../src/problem/workloads/bodies/coincident.ts'
import type { Guard } from '../../src/problem/workloads/bodies/guard.ts'
import { accelerations, forces, potentials, sum } from '../../src/problem/workloads/pair.ts'
import type { PairWorkload } from '../../src/problem/workloads/workload.ts'

const singular = (workload: PairWorkload, parameters: Record<string, number> = {}): Guard =>
  needsGuard(workload, 3, { ...workload.law.parameters, ...parameters })

describe('the guard of a run', () => {
  it('follows the parameters of the run', () => {
    expect(singular(forces(gravity()))).toBe(true)
    expect(singular(forces(gravity()), { softening: 0.1 })).toBe(false)
    expect(singular(forces(gravity({ softening: 1e-30 })))).toBe(true)
  })

  it('is true if a step of a radial force leaves the range of float32, because 0 times infinity is NaN', () => {
    const law = pairPotential('k*sqrt(r2 + size^2)', { parameters: { k: 1, size: 0.1 } })()
    expect(singular(forces(law))).toBe(false)
    // The square of the size is 0 in float32.
    expect(singular(forces(law), { size: 1e-20 })).toBe(true)
    // The product is small, and the cube of the distance is not.
    expect(singular(forces(gravity()), { G: 1e-12, softening: 1e-12 })).toBe(true)
  })

  it('follows the unit of length of the run', () => {
    const soft = accelerations(gravity({ softening: 1e-6 }))
    expect(singular(soft)).toBe(false)
    expect(singular(soft, { lengthUnit: 2 ** 35 })).toBe(true)
  })

  it('is false if the law is finite at zero distance', () => {
    expect(singular(potentials(gaussian()))).toBe(false)
    expect(singular(sum(pairTerm('r2')()))).toBe(false)
  })

  it('guards a radial force whose softening is an attribute, which may be 0', () => {
    const law: Interaction = pairPotential('-1/sqrt(r2 + size_i^2)')()
    expect(singular(forces(law))).toBe(true)
    expect(singular(potentials(law))).toBe('per-pair')
  })
})
