// A point that meets no term of others, through a mesh: what its sum is, and what its error is relative to.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Engine, forces, mesh, pairForce, pairPotential, periodic, potentials } from '../../src/index.ts'
import { numbersBetween, random } from '../support/random.ts'
import { referenceEngine } from '../support/reference-engine.ts'

const next = random(61)
const method = mesh({ tolerance: 1e-6 })

let engine: Engine<'f64'>
beforeAll(async () => {
  engine = await referenceEngine()
})
afterAll(() => engine.dispose())

describe.each([
  [2, periodic([1, 1])],
  [3, periodic([1, 1, 1])],
] as const)('a point without other points in %d-D', (dimension, box) => {
  const place = Float64Array.of(0.2, 0.3, 0.4).subarray(0, dimension)
  const law = pairPotential('q_i*q_j/r')()
  it.each([
    ['a box', { boundary: box }],
    ['open space', {}],
  ] as const)('has no force, without an error: %s', async (_, where) => {
    const workload = forces(law, { ...where, method })
    const { force, report } = await engine.run(workload, { dimension, position: place, q: [1] } as const)
    expect(force).toEqual(new Float64Array(dimension))
    expect(report.error).toMatchObject({ ok: true, largest: 0, rms: 0, ofResults: 0, note: 'every sum is 0' })
  })
  it('has the potential of its images, with its error', async () => {
    const workload = potentials(law, { boundary: box, method })
    const { potential, report } = await engine.run(workload, { dimension, position: place, q: [1] } as const)
    expect(potential[0]).toBeCloseTo(dimension === 2 ? -3.90026492 : -2.83729748, 5)
    expect(report.error?.ok).toBe(true)
    expect(report.error?.largest).toBeGreaterThan(0)
  })
  it.each([
    ['a box', { boundary: box }],
    ['open space', {}],
  ] as const)('is measured by points without weight around it: %s', async (_, where) => {
    const pull = pairForce('q_j/r^3')()
    const position = numbersBetween(next, dimension * 20, 0, 1)
    const q = Float64Array.from({ length: 20 }, (_, n) => (n === 0 ? 1 : 0))
    const workload = forces(pull, { ...where, method })
    const { report } = await engine.run(workload, { dimension, position, q } as const)
    expect(report.error).toMatchObject({ ok: true })
    expect(report.error?.note ?? '').not.toContain('Infinity')
  })
})
