// Every built-in law over its sampling ranges: energy and force against forms written by hand, and the force against
// central differences of the energy.

import { describe, expect, it } from 'vitest'
import { evaluate } from '../../src/language/evaluate.ts'
import { biotSavart } from '../../src/problem/interactions/biot-savart.ts'
import { accelerations, forces, potentials, sum, virial } from '../../src/problem/workloads/pair.ts'
import { type Term, termOf } from '../../src/problem/workloads/quantity.ts'
import type { PairWorkload } from '../../src/problem/workloads/workload.ts'
import { parametersIn, radialLaws, type Sample, sampleOf } from '../support/laws.ts'
import { between, random } from '../support/random.ts'

const axes = ['dx', 'dy', 'dz'] as const
const add = (terms: readonly number[]) => terms.reduce((total, x) => total + x, 0)
const size = (terms: readonly number[]) => terms.reduce((total, x) => total + Math.abs(x), 0)

/** A displacement of length `r`. */
function towards(next: () => number, r: number): readonly [number, number, number] {
  const [z, angle] = [between(next, -1, 1), between(next, 0, 2 * Math.PI)]
  const flat = Math.sqrt(1 - z * z)
  return [r * flat * Math.cos(angle), r * flat * Math.sin(angle), r * z]
}

function pairValues(sample: Sample, d: readonly [number, number, number]): Record<string, number> {
  const { r: _, ...rest } = sample
  return { ...rest, dx: d[0], dy: d[1], dz: d[2], r2: d[0] ** 2 + d[1] ** 2 + d[2] ** 2 }
}

function vectorOf(term: Term, values: Record<string, number>): readonly number[] {
  if (term.form === 'components') return term.components.map((e) => evaluate(e, values))
  const coefficient = evaluate(term.coefficient, values)
  return axes.map((d) => coefficient * (values[d] as number))
}

const scalarOf = (workload: PairWorkload, values: Record<string, number>) =>
  vectorOf(termOf(workload, 3), values)[0] as number

describe.each(radialLaws.map((entry) => [entry.law.law, entry] as const))('%s', (_, { law, energy, slope }) => {
  const next = random(42)
  const samples = Array.from({ length: 100 }, () => {
    const sample = sampleOf(law, next)
    return { sample, interaction: law(parametersIn(law, sample)), d: towards(next, sample.r as number) }
  })

  it('has the energy written by hand', () => {
    for (const { sample, interaction, d } of samples) {
      const terms = energy(sample)
      const got = scalarOf(potentials(interaction), pairValues(sample, d))
      expect(Math.abs(got - add(terms))).toBeLessThanOrEqual(2e-13 * size(terms))
    }
  })

  it('is radial, and has the force written by hand along the displacement', () => {
    for (const { sample, interaction, d } of samples) {
      const term = termOf(forces(interaction), 3)
      expect(term.form).toBe('radial')
      const terms = slope(sample)
      const got = vectorOf(term, pairValues(sample, d))
      for (const [axis, along] of d.entries())
        expect(Math.abs((got[axis] as number) - (add(terms) * along) / (sample.r as number))).toBeLessThanOrEqual(
          5e-13 * size(terms),
        )
    }
  })

  it('has the force that differences of its energy give', () => {
    for (const { sample, interaction, d } of samples) {
      const got = vectorOf(termOf(forces(interaction), 3), pairValues(sample, d))
      const h = 1e-4 * (sample.r as number)
      for (const axis of [0, 1, 2]) {
        const u = (steps: number) => {
          // A target that moves by h along an axis shortens the displacement to its source.
          const moved = d.map((along, k) => (k === axis ? along - steps * h : along)) as [number, number, number]
          return scalarOf(potentials(interaction), pairValues(sample, moved))
        }
        const difference = (8 * (u(1) - u(-1)) - (u(2) - u(-2))) / (12 * h)
        expect(Math.abs((got[axis] as number) + difference)).toBeLessThan(
          1e-7 * size(slope(sample)) + 1e-10 * (size(energy(sample)) / h),
        )
      }
    }
  })

  it('has the acceleration force / mass and the virial -F.d', () => {
    for (const { sample, interaction, d } of samples) {
      const values = { ...pairValues(sample, d), mass_i: 3.5, mass_j: -0.7 }
      const force = vectorOf(termOf(forces(interaction), 3), values)
      const tolerance = 1e-12 * size(force)
      for (const [axis, a] of vectorOf(termOf(accelerations(interaction), 3), values).entries())
        expect(Math.abs(3.5 * a - (force[axis] as number))).toBeLessThanOrEqual(tolerance)
      const along = force.reduce((total, f, axis) => total + f * (d[axis] as number), 0)
      const { r = 0 } = sample
      expect(Math.abs(scalarOf(virial(interaction), values) + along)).toBeLessThanOrEqual(tolerance * r)
    }
  })
})

describe('biot-savart', () => {
  it('is w x (x_i - x_j) / (4 pi s^3)', () => {
    const next = random(5)
    for (let n = 0; n < 100; n++) {
      const sample = sampleOf(biotSavart, next)
      const { wx_j: wx = 0, wy_j: wy = 0, wz_j: wz = 0, softening = 0, r = 0 } = sample
      const d = towards(next, r)
      const got = vectorOf(termOf(sum(biotSavart({ softening })), 3), pairValues(sample, d))
      const [x, y, z] = d.map((along) => -along) as [number, number, number]
      const s3 = 4 * Math.PI * Math.hypot(r, softening) ** 3
      const expected = [wy * z - wz * y, wz * x - wx * z, wx * y - wy * x]
      for (const [k, value] of expected.entries())
        expect(Math.abs((got[k] as number) - value / s3)).toBeLessThan((1e-13 * r * 2) / s3)
    }
  })

  it('turns the fluid counterclockwise about a vortex along +z', () => {
    // The target stands at +x of the vortex: its displacement to the source is -x, and it must move towards +y.
    const values = { wx_j: 0, wy_j: 0, wz_j: 1, softening: 0, dx: -1, dy: 0, dz: 0, r2: 1 }
    const [ux, uy, uz] = vectorOf(termOf(sum(biotSavart()), 3), values) as [number, number, number]
    expect([Math.abs(ux), uy, Math.abs(uz)]).toEqual([0, 1 / (4 * Math.PI), 0])
  })
})
