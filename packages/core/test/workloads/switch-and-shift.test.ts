// How a cutoff ends a potential: the switch with two continuous derivatives, and the shift at zero. Neither changes the forces further
// inside.

import { describe, expect, it } from 'vitest'
import { differentiate } from '../../src/language/differentiate.ts'
import { evaluate } from '../../src/language/evaluate.ts'
import { pairPotential, pairTerm } from '../../src/problem/interactions/define.ts'
import { lennardJones } from '../../src/problem/interactions/lennard-jones.ts'
import { forces, potentials, sum } from '../../src/problem/workloads/pair.ts'
import { parametersOf } from '../../src/problem/workloads/parameters.ts'
import { termOf } from '../../src/problem/workloads/quantity.ts'
import type { PairWorkload } from '../../src/problem/workloads/workload.ts'
import { referenceEngine } from '../support/reference-engine.ts'

const attributes = { sigma_i: 1, sigma_j: 1, epsilon_i: 1, epsilon_j: 1 }

/** The first component of a term, or its n-th derivative by r2, at a distance. */
function at(workload: PairWorkload, r: number, derivatives = 0): number {
  const term = termOf(workload, 3)
  let e = term.form === 'radial' ? term.coefficient : term.components[0]
  for (let n = 0; n < derivatives && e; n++) e = differentiate(e, 'r2')
  if (!e) throw new Error('expected a component')
  return evaluate(e, { ...attributes, ...parametersOf(workload), dx: r, dy: 0, dz: 0, r2: r * r })
}

const constantLaw = pairPotential('1', { name: 'one' })()
const options = { cutoff: 3, switchDistance: 2 }

describe('the switch', () => {
  const one = potentials(constantLaw, options)

  it('goes from 1 to 0 as 1 - 10x^3 + 15x^4 - 6x^5', () => {
    for (const x of [0, 0.1, 0.5, 0.9, 1])
      expect(at(one, 2 + x)).toBeCloseTo(1 - 10 * x ** 3 + 15 * x ** 4 - 6 * x ** 5, 13)
    expect([at(one, 0), at(one, 1), at(one, 2)]).toEqual([1, 1, 1])
    expect(at(one, 2.5)).toBeCloseTo(0.5, 14)
  })

  it.each([0, 1, 2])('has a continuous derivative of order %i at both ends', (derivatives) => {
    const step = 1e-7
    expect(at(one, 2 + step, derivatives)).toBeCloseTo(derivatives ? 0 : 1, 5)
    expect(at(one, 2 - step, derivatives)).toBe(derivatives ? 0 : 1)
    expect(at(one, 3 - step, derivatives)).toBeCloseTo(0, 5)
  })

  it('has a third derivative that jumps, which shows that the test above can fail', () => {
    expect(Math.abs(at(one, 2 + 1e-7, 3))).toBeGreaterThan(0.1)
  })

  it('multiplies energies and terms, and does not change them before it starts', () => {
    const [bare, switched] = [potentials(lennardJones()), potentials(lennardJones(), options)]
    expect(at(switched, 1.5)).toBe(at(bare, 1.5))
    expect(at(switched, 2.5)).toBeCloseTo(0.5 * at(bare, 2.5), 14)
    expect(at(sum(pairTerm('r')(), options), 2.5)).toBeCloseTo(1.25, 14)
  })

  it('gives the force of the switched energy', () => {
    const [energy, force] = [potentials(lennardJones(), options), forces(lennardJones(), options)]
    for (const r of [1.2, 2.1, 2.5, 2.9]) {
      const h = 1e-4
      const slope =
        (8 * (at(energy, r + h) - at(energy, r - h)) - at(energy, r + 2 * h) + at(energy, r - 2 * h)) / (12 * h)
      expect(Math.abs(at(force, r) * r - slope)).toBeLessThan(1e-8 * Math.max(1, Math.abs(slope)))
    }
  })
})

describe('the shift', () => {
  const [bare, shifted] = [potentials(lennardJones()), potentials(lennardJones(), { cutoff: 3, shift: true })]

  it('subtracts the energy at the cutoff from every energy', () => {
    expect(at(shifted, 3)).toBeCloseTo(0, 16)
    for (const r of [1, 1.5, 2.9]) expect(at(shifted, r)).toBeCloseTo(at(bare, r) - at(bare, 3), 14)
  })

  it('does not change forces', () => {
    for (const r of [1, 1.5, 2.9])
      expect(at(forces(lennardJones(), { cutoff: 3, shift: true }), r)).toBe(at(forces(lennardJones()), r))
  })

  it('is refused for an energy that depends on direction, before anything runs', async () => {
    await using engine = await referenceEngine()
    const dipole = pairPotential('dx^2/r2', { name: 'dipole' })()
    const run = engine.run(potentials(dipole, { cutoff: 3, shift: true }), { position: new Float64Array(6) })
    await expect(run).rejects.toThrow('"shift" expected a potential of the distance alone, got dipole')
  })
})

describe('the cutoff', () => {
  it('includes a pair exactly at it, and leaves out one beyond', async () => {
    await using engine = await referenceEngine()
    const position = Float64Array.of(0, 0, 0, 3, 0, 0, -3.0000001, 0, 0)
    const { potential } = await engine.run(potentials(constantLaw, { cutoff: 3 }), { position })
    expect(potential).toEqual(Float64Array.of(1, 1, 0))
  })
})
