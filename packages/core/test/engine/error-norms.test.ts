// The scale of a tolerance: the terms of a target, or its result where terms cancel. And the targets that are measured.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  accelerations,
  coulomb,
  createEngine,
  type Engine,
  forces,
  gravity,
  pairPotential,
  potentials,
  reference,
  tree,
} from '../../src/index.ts'
import type { ArrayResults } from '../../src/problem/workloads/workload.ts'
import { fakeBackend } from '../support/fake-backends.ts'
import { numbersBetween, random } from '../support/random.ts'

const next = random(23)

let engine: Engine<'f64'>
beforeAll(async () => {
  engine = await createEngine({ backends: [reference()], precision: 'f64' })
})
afterAll(() => engine.dispose())

/** Charges that nearly cancel in pairs, and points around them. */
function nearlyNeutral(count: number, around: number) {
  const centres = numbersBetween(next, 3 * count, 0, 1)
  const position = Float64Array.from(centres, (x, n) => (n % 6 < 3 ? x : (centres[n - 3] as number) + 0.02 * next()))
  const charge = Float64Array.from({ length: count }, (_, n) => (n % 2 ? -1 : 1) * (1 + 0.01 * next()))
  const targets = { position: numbersBetween(next, 3 * around, -1, 2), charge: new Float64Array(around).fill(1) }
  return { targets, sources: { position, charge } }
}

const rms = (numbers: Float64Array) => Math.sqrt(numbers.reduce((sum, x) => sum + x * x, 0) / numbers.length)
const offBy = (a: Float64Array, b: Float64Array) => rms(a.map((x, n) => x - (b[n] as number))) / rms(b)

describe('where terms cancel', () => {
  const data = nearlyNeutral(1200, 300)
  const around = (options?: object) => potentials(coulomb(), options && { method: tree(options as never) })

  it('a tolerance of terms says how far off the results are', async () => {
    const exact = (await engine.run(around(), data)).potential
    const { potential, report } = await engine.run(around({ tolerance: 1e-3 }), data)
    const off = offBy(potential, exact)
    expect(report.error).toMatchObject({ of: 'terms', tolerance: 1e-3, ok: true })
    expect(report.error?.largest).toBeLessThanOrEqual(1e-3)
    expect(off).toBeGreaterThan(2e-2)
    expect(report.error?.ofResults).toBeGreaterThan(off / 2)
    expect(report.error?.ofResults).toBeLessThan(off * 2)
  })

  it('a tolerance of the result is met by the results', async () => {
    const exact = (await engine.run(around(), data)).potential
    const { potential, report } = await engine.run(around({ tolerance: 1e-2, of: 'result' }), data)
    expect(report.variant).toMatch(/^tree/)
    expect(report.error).toMatchObject({ of: 'result', tolerance: 1e-2, ok: true })
    expect(report.error?.ofResults).toBeLessThanOrEqual(1e-2)
    expect(offBy(potential, exact)).toBeLessThanOrEqual(1e-2)
    // The next run starts where this one ended.
    const again = await engine.run(around({ tolerance: 1e-2, of: 'result' }), data)
    expect(again.report.variant).toBe(report.variant)
  })

  it('runs all pairs where no tree is exact enough, and says so', async () => {
    const { potential, report } = await engine.run(around({ tolerance: 1e-9, of: 'result' }), data)
    expect(potential).toEqual((await engine.run(around(), data)).potential)
    expect(report.error).toMatchObject({ of: 'result', ofResults: 0, targets: 0 })
    expect(report.error?.note).toBe('all pairs: no setting that meets the tolerance is faster than all pairs')
  })

  it('is stored with the workload', async () => {
    const workload = around({ tolerance: 1e-2, of: 'result' })
    const { report } = await engine.run(JSON.parse(JSON.stringify(workload)) as typeof workload, data)
    expect(report.error).toMatchObject({ of: 'result', tolerance: 1e-2 })
  })

  it('verifies results within the tolerance, and rejects others', async () => {
    let factor = 1
    const distort = (results: ArrayResults) =>
      Object.fromEntries(Object.entries(results).map(([name, array]) => [name, array.map((x) => factor * x)]))
    await using wrong = await createEngine({
      backends: [fakeBackend('wrong', { distort, tree: true })],
      precision: 'f64',
    })
    const verified = async () => (await wrong.verify(around({ tolerance: 1e-2, of: 'result' }), data)).ok
    expect(await verified()).toBe(true)
    factor = 1.5
    expect(await verified()).toBe(false)
  })

  it.each(['sum', 'results', 1, null])('refuses a tolerance of %j', async (of) => {
    await expect(engine.run(around({ tolerance: 1e-2, of }), data)).rejects.toThrow(
      /"method.of" expected "terms" or "result", got/,
    )
  })
})

it('simulates with a tolerance of the result', async () => {
  const count = 600
  // Charges of both signs are everywhere, and none is close enough to stand out.
  const charge = numbersBetween(next, count, -1, 1)
  const mass = new Float64Array(count).fill(1)
  const particles = { position: numbersBetween(next, 3 * count, 0, 1), charge, mass }
  const law = pairPotential('charge_i*charge_j/sqrt(r2 + 0.1)', { name: 'soft charges', inertia: 'mass' })()
  const errors = []
  for (const of of ['terms', 'result'] as const) {
    const method = tree({ tolerance: 1e-2, of })
    const simulation = await engine.simulate({ law, domain: { method }, particles, dt: 1e-3 })
    await simulation.step(2)
    const acceleration = (await simulation.read('acceleration')) as Float64Array
    const position = (await simulation.read('position')) as Float64Array
    const exact = (await engine.run(accelerations(law), { position, charge, mass })).acceleration
    const [error] = await simulation.forceErrors()
    expect(error).toMatchObject({ of, tolerance: 1e-2, ok: true })
    errors.push(offBy(acceleration, exact))
    const resumed = await engine.resume(await simulation.snapshot())
    expect((await resumed.forceErrors())[0]).toMatchObject({ of })
  }
  expect(errors[1]).toBeLessThanOrEqual(1e-2)
  expect(errors[0]).toBeGreaterThan(1e-2)
})

describe('a point that outweighs all others', () => {
  const count = 900
  const heavy = 333
  const position = numbersBetween(next, 3 * count, -1, 1).map((x, n) => (Math.floor(n / 3) === heavy ? 0.05 : x))
  const mass = new Float64Array(count).fill(1)
  mass[heavy] = 1e4

  it('is measured, besides a sample of all', async () => {
    const { report } = await engine.run(accelerations(gravity(), { method: tree({ tolerance: 2e-2 }) }), {
      position,
      mass,
    })
    const even = { position, mass: new Float64Array(count).fill(1) }
    const other = await engine.run(accelerations(gravity(), { method: tree({ tolerance: 2e-2 }) }), even)
    expect(report.error?.targets).toBe((other.report.error?.targets ?? 0) + 8)
  })

  it('is not exact unknown to the report', async () => {
    const afterTree = ({ acceleration }: ArrayResults) => {
      if (acceleration) acceleration[3 * heavy] = (acceleration[3 * heavy] as number) + 300
    }
    const backends = [fakeBackend('forgets the heaviest', { tree: true, afterTree })]
    await using wrong = await createEngine({ backends, precision: 'f64' })
    const pull = accelerations(gravity(), { method: tree({ tolerance: 2e-2 }) })
    const { report, acceleration } = await wrong.run(pull, { position, mass })
    expect(report.error?.note).toMatch(/^all pairs: no setting that meets the tolerance/)
    expect(acceleration).toEqual((await engine.run(accelerations(gravity()), { position, mass })).acceleration)
  })

  it('has no more weight than others in means', async () => {
    const charge = mass.map((m, n) => (n % 2 ? 1 : -1) * m)
    const push = forces(coulomb(), { method: tree({ tolerance: 2e-2 }) })
    const { report, force } = await engine.run(push, { position, charge })
    const exact = (await engine.run(forces(coulomb()), { position, charge })).force
    const light = (all: Float64Array) => all.filter((_, n) => Math.floor(n / 3) !== heavy)
    const off = offBy(light(force), light(exact))
    expect(report.error?.ofResults).toBeGreaterThan(off / 2)
    expect(report.error?.ofResults).toBeLessThan(off * 2)
  })
})
