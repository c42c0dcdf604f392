// Sums through a mesh in open space: no image acts, so every sum agrees with that over all pairs. Random problems on the processor
// (`tests/node/random/meshes.test.ts`) have laws and sets of many kinds.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  coulomb,
  type Engine,
  energy,
  forces,
  gravity,
  mesh,
  type PairWorkload,
  pairTerm,
  potentials,
  type SumOptions,
  sum,
  virial,
} from '../../src/index.ts'
import { numbersBetween, random } from '../support/random.ts'
import { referenceEngine } from '../support/reference-engine.ts'

const next = random(31)
const count = 400
const unit = numbersBetween(next, 3 * count, 0, 1)
const attributes = {
  charge: Float64Array.from({ length: count }, (_, n) => (n % 2 ? -1 : 1)),
  q: numbersBetween(next, count, -1, 1),
}

let engine: Engine<'f64'>
beforeAll(async () => {
  engine = await referenceEngine()
})
afterAll(() => engine.dispose())

/** The sums of a run through a mesh, and those over all pairs. */
async function both(make: (options: SumOptions) => PairWorkload, tolerance: number, points: object) {
  const found = await engine.run(make({ method: mesh({ tolerance }) }), points as never)
  const exact = await engine.run(make({}), points as never)
  const [name] = make({}).results as readonly [string]
  const [got, expected] = [found, exact].map((one) => (one as unknown as Record<string, Float64Array>)[name]) as [
    Float64Array,
    Float64Array,
  ]
  return { report: found.report, got, expected }
}

describe('a sum in open space', () => {
  const position = unit.map((x) => 2 * x - 1)
  const method = mesh({ tolerance: 1e-8 })

  it('has the error that all pairs tell', async () => {
    const { report, got, expected } = await both((o) => forces(coulomb(), o), 1e-4, { position, ...attributes })
    let largest = 0
    for (let i = 0; i < count; i++) {
      let size = 0
      for (let j = 0; j < count; j++) {
        const d = [0, 1, 2].map((axis) => (position[3 * j + axis] as number) - (position[3 * i + axis] as number))
        if (j !== i) size += 1 / d.reduce((all, x) => all + x * x, 0)
      }
      const off = [0, 1, 2].map((axis) => (got[3 * i + axis] as number) - (expected[3 * i + axis] as number))
      largest = Math.max(largest, Math.hypot(...off) / size)
    }
    expect(report.error?.targets).toBe(count)
    expect(report.error?.largest).toBeCloseTo(largest, 12)
  })

  it('has energies and virials', async () => {
    const points = { position, ...attributes }
    const found = await engine.run(energy(coulomb(), { method }), points)
    const exact = await engine.run(energy(coulomb()), points)
    expect(Math.abs(found.energy - exact.energy)).toBeLessThan(1e-6 * Math.abs(exact.energy))
    const pressure = await engine.run(virial(coulomb(), { method }), points)
    expect(pressure.virial).toBeCloseTo(found.energy, 4)
  })

  it('acts between two sets, which may lie apart', async () => {
    const targets = { position: Float64Array.of(5, 5, 5, -1, 0, 2, 0.1, 0.2, 0.3) }
    const sources = { position, q: attributes.q }
    const law = pairTerm('q_j/r')()
    const { value } = await engine.run(sum(law, { method }), { targets, sources })
    const { value: exact } = await engine.run(sum(law), { targets, sources })
    for (const [n, x] of exact.entries()) expect(value[n]).toBeCloseTo(x, 5)
  })

  it('leaves out excluded pairs, and points at one place whose term is infinite', async () => {
    const points = { position: position.slice(), charge: attributes.charge }
    points.position.copyWithin(3, 0, 3)
    const exclusions = [
      [0, 5],
      [7, 2],
    ] as const
    const found = await engine.run(potentials(coulomb(), { method, exclusions }), points)
    const exact = await engine.run(potentials(coulomb(), { exclusions }), points)
    for (const [n, x] of exact.potential.entries()) expect(found.potential[n]).toBeCloseTo(x, 4)
  })

  it('includes a point itself where that is asked for', async () => {
    const soft = pairTerm('q_j/sqrt(r2 + 0.01)')()
    const points = { position, q: attributes.q }
    const found = await engine.run(sum(soft, { method, self: 'include' }), points)
    const exact = await engine.run(sum(soft, { self: 'include' }), points)
    for (const [n, x] of exact.value.entries()) expect(found.value[n]).toBeCloseTo(x, 4)
  })

  it('may be over one point, over points at one place, or over none', async () => {
    const workload = forces(coulomb(), { method })
    const at = (places: readonly number[]) =>
      engine.run(workload, {
        position: Float64Array.from(places),
        charge: new Float64Array(places.length / 3).fill(1),
      })
    expect((await at([])).force).toHaveLength(0)
    for (const x of (await at([3, 4, 5])).force) expect(Math.abs(x)).toBeLessThan(1e-12)
    for (const x of (await at([1, 1, 1, 1, 1, 1, 1, 1, 1])).force) expect(Math.abs(x)).toBeLessThan(1e-12)
    const two = await at([0, 0, 0, 0, 0, 2])
    expect(two.force[2]).toBeCloseTo(-0.25, 8)
    expect(two.force[5]).toBeCloseTo(0.25, 8)
  })

  it('is verified by the reference', async () => {
    const points = { position, charge: attributes.charge }
    const verified = await engine.verify(potentials(coulomb(), { method: mesh({ tolerance: 1e-5 }) }), points)
    expect(verified.ok).toBe(true)
  })

  it('refuses laws that are not smooth', async () => {
    const points = { position, q: attributes.q }
    const term = (text: string) => engine.run(sum(pairTerm(text)(), { method }), points)
    await expect(term('q_j*sin(40*r)/r')).rejects.toThrow('it oscillates or has a kink beyond')
    await expect(term('q_j*exp(-r/q_i)')).rejects.toThrow('is not a product')
  })
})

describe('a simulation in open space', () => {
  const particles = {
    position: unit.slice(0, 300),
    velocity: numbersBetween(next, 300, -0.1, 0.1),
    mass: new Float64Array(100).fill(0.01),
  }
  const options = (method?: ReturnType<typeof mesh>) => ({
    particles,
    forces: [{ law: gravity({ softening: 0.05 }), ...(method && { method }) }],
    dt: 0.01,
  })

  it('moves as with all pairs while its points spread, and resumes bit for bit', async () => {
    const method = mesh({ tolerance: 1e-5 })
    const [found, exact] = await Promise.all([options(method), options()].map((one) => engine.simulate(one)))
    await Promise.all([found?.step(20), exact?.step(20)])
    const [got, expected] = await Promise.all([found?.read('position'), exact?.read('position')])
    const most = Math.max(...(expected ?? []).map((x, n) => Math.abs(x - (got?.[n] ?? Number.NaN))))
    expect(most).toBeLessThan(1e-5)
    const [error] = (await found?.forceErrors()) ?? []
    expect(error).toMatchObject({ ok: true, tolerance: 1e-5 })
    const again = await engine.resume(await (found as NonNullable<typeof found>).snapshot())
    await Promise.all([found?.step(10), again.step(10)])
    expect(await again.read('position')).toEqual(await found?.read('position'))
    const [mine, theirs] = await Promise.all([found?.energy(), again.energy()])
    expect(theirs).toEqual(mine)
    for (const one of [found, exact, again]) one?.dispose()
  })

  it('chooses another reach when its points have spread', async () => {
    const spreading = { ...particles, velocity: particles.position.map((x) => 20 * (x - 0.5)) }
    const method = mesh({ tolerance: 1e-4 })
    const forces = [{ law: gravity({ softening: 0.05 }), method }]
    const simulation = await engine.simulate({ particles: spreading, forces, dt: 0.02 })
    const reach = ({ settings }: { readonly settings?: unknown }) =>
      Number(/"reach":([\d.]+)/.exec(JSON.stringify(settings))?.[1])
    await simulation.step(1)
    const before = await simulation.snapshot()
    await simulation.step(23)
    const snapshot = await simulation.snapshot()
    expect(reach(snapshot)).toBeGreaterThan(2 * reach(before))
    const again = await engine.resume(snapshot)
    await simulation.step(8)
    await again.step(3)
    await again.step(5)
    expect(await again.read('position')).toEqual(await simulation.read('position'))
    expect((await simulation.forceErrors())[0]).toMatchObject({ ok: true })
    for (const one of [simulation, again]) one.dispose()
  })

  it.each([1e7, 1e12, 1e16, 1e300])(
    'refuses a grid that is too large, because a point has left at %f',
    async (speed) => {
      const simulation = await engine.simulate(options(mesh({ tolerance: 1e-4 })))
      await simulation.step(1)
      await simulation.write('velocity', Float64Array.of(speed, 0, 0), { first: 3 })
      await expect(simulation.step(1)).rejects.toThrow(
        /"method" expected points that a grid of at most 67108864 numbers covers, got some that are .* apart.*use a tree/,
      )
      simulation.dispose()
    },
  )

  it('says that points diverge, as other forces do', async () => {
    const simulation = await engine.simulate({ ...options(mesh({ tolerance: 1e-4 })), dt: 10 })
    await simulation.write('velocity', Float64Array.of(1.7e308, 0, 0), { first: 3 })
    const diverged = simulation.step(2).then(() => simulation.read('position'))
    await expect(diverged).rejects.toThrow('"position" is')
    simulation.dispose()
  })
})
