// Simulations with forces through a mesh: each step has the forces that the engine gives, and a run can change, stop and go on.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  accelerations,
  coulomb,
  createEngine,
  type Engine,
  energy,
  forces,
  gravity,
  mesh,
  pairPotential,
  periodic,
  reference,
  type SimulationOptions,
  virial,
} from '../../src/index.ts'
import { checksumOfData } from '../../src/simulation/checksum.ts'
import { numbersBetween, random } from '../support/random.ts'
import { referenceEngine } from '../support/reference-engine.ts'

const next = random(29)
const side = 4
const count = side ** 3
const edge = 4
const boundary = periodic([edge, edge, edge])
const method = mesh({ tolerance: 1e-6 })

const places = Array.from({ length: count }, (_, n) => [
  n % side,
  Math.floor(n / side) % side,
  Math.floor(n / side ** 2),
])
const particles = {
  position: Float64Array.from(places.flat(), (x) => x + (next() - 0.5) / 5),
  velocity: numbersBetween(next, 3 * count, -0.2, 0.2),
  charge: Float64Array.from(places, (place) => (place.reduce((all, x) => all + x, 0) % 2 ? -1 : 1)),
  mass: numbersBetween(next, count, 1, 2),
}
const repulsion = { law: pairPotential('exp(-8*(r - 0.8))', { inertia: 'mass' })(), boundary, cutoff: 2, shift: true }
const charges = { law: coulomb({ k: 0.5 }), boundary, method }

let engine: Engine<'f64'>
beforeAll(async () => {
  engine = await referenceEngine()
})
afterAll(() => engine.dispose())

const simulated = (options: Partial<SimulationOptions> = {}) =>
  engine.simulate({ particles, forces: [charges, repulsion], dt: 0.01, ...options } as SimulationOptions)

/** The largest distance between vectors, relative to the largest of them. */
function apart(some: ArrayLike<number>, others: ArrayLike<number>): number {
  let [most, size] = [0, 0]
  for (let n = 0; n < some.length; n++) {
    most = Math.max(most, Math.abs((some[n] as number) - (others[n] as number)))
    size = Math.max(size, Math.abs(others[n] as number))
  }
  return most / size
}

/** The accelerations by all images, and by the repulsion, from the engine. */
async function wanted(position: Float64Array, k: number, tolerance = 1e-10): Promise<Float64Array> {
  const law = forces(coulomb({ k }), { boundary, method: mesh({ tolerance }) })
  const { force } = await engine.run(law, { position, charge: particles.charge })
  const { law: own, ...domain } = repulsion
  const { force: near } = await engine.run(forces(own, domain), { position, mass: particles.mass } as never)
  return force.map((x, n) => (x + (near[n] as number)) / (particles.mass[Math.floor(n / 3)] as number))
}

describe('a simulation with a mesh', () => {
  it('has the forces of the engine at each step, and says how exact they are', async () => {
    const simulation = await simulated()
    for (const steps of [0, 3]) {
      await simulation.step(steps)
      const found = await simulation.read('acceleration')
      expect(apart(found, await wanted(await simulation.read('position'), 0.5))).toBeLessThan(1e-4)
    }
    const [error, ...others] = await simulation.forceErrors()
    expect(others).toEqual([])
    expect(error).toMatchObject({ force: 0, step: 3, ok: true, tolerance: 1e-6 })
    expect(error?.variant).toMatch(/^mesh \(reach .*, window \d+, grid \d+ x \d+ x \d+ on the host\)/)
    expect(Math.abs(error?.net as number)).toBeLessThan(1e-5)
    simulation.dispose()
  })

  it('keeps its energy, which is that of all images', async () => {
    const simulation = await simulated()
    const before = await simulation.energy()
    const { energy: far } = await engine.run(
      energy(coulomb({ k: 0.5 }), { boundary, method: mesh({ tolerance: 1e-10 }) }),
      {
        position: particles.position,
        charge: particles.charge,
      },
    )
    const { law, ...domain } = repulsion
    const { energy: near } = await engine.run(energy(law, domain), {
      position: particles.position,
      mass: particles.mass,
    } as never)
    expect(before.potential).toBeCloseTo(far + near, 3)
    await simulation.step(100)
    const after = await simulation.energy()
    expect(Math.abs(after.kinetic - before.kinetic)).toBeGreaterThan(0.05)
    expect(after.total).toBeCloseTo(before.total, 2)
    simulation.dispose()
  })

  it('has the pressure of all images, beside the energy', async () => {
    const simulation = await simulated({ forces: [charges] })
    const { position, charge, mass, velocity } = particles
    await simulation.energy()
    const { virial: far } = await engine.run(
      virial(coulomb({ k: 0.5 }), { boundary, method: mesh({ tolerance: 1e-10 }) }),
      { position, charge },
    )
    const twice = velocity.reduce((sum, v, n) => sum + (mass[Math.floor(n / 3)] as number) * v ** 2, 0)
    expect(await simulation.pressure()).toBeCloseTo((twice + far) / (3 * edge ** 3), 5)
    simulation.dispose()
  })

  it('goes on from a snapshot bit for bit', async () => {
    const simulation = await simulated()
    await simulation.step(5)
    const snapshot = structuredClone(await simulation.snapshot())
    const resumed = await engine.resume(snapshot)
    await simulation.step(70)
    await resumed.step(70)
    expect(await resumed.read('position')).toEqual(await simulation.read('position'))
    expect(await resumed.read('velocity')).toEqual(await simulation.read('velocity'))
    simulation.dispose()
    resumed.dispose()
  })

  it.each([{ band: 5.25 }, { finer: 1.25 }, { terms: 3 }])(
    'measures its forces if it resumes with a setting of before: %o',
    async (change) => {
      const simulation = await simulated()
      const snapshot = await simulation.snapshot()
      const [found] = snapshot.settings as readonly [object]
      const settings = [{ ...found, ...change, error: 0.125 }, null]
      const checksum = { ...snapshot.checksum, settings: checksumOfData(settings) }
      const resumed = await engine.resume({ ...snapshot, settings, checksum } as never)
      await resumed.step(1)
      expect(apart(await resumed.read('acceleration'), await wanted(await resumed.read('position'), 0.5))).toBeLessThan(
        1e-4,
      )
      expect((await resumed.snapshot()).settings).toEqual(snapshot.settings)
      simulation.dispose()
      resumed.dispose()
    },
  )

  it('takes other parameters, charges and fixed points in between', async () => {
    const simulation = await simulated()
    await simulation.step(2)
    await simulation.set({ parameters: { k: 1.5 } })
    expect(
      apart(await simulation.read('acceleration'), await wanted(await simulation.read('position'), 1.5)),
    ).toBeLessThan(1e-4)
    await simulation.write(
      'charge',
      particles.charge.map((q) => 2 * q),
    )
    expect(
      apart(await simulation.read('acceleration'), await wanted(await simulation.read('position'), 6)),
    ).toBeLessThan(1e-4)
    await simulation.write('fixed', [3])
    const place = (await simulation.read('position')).slice(9, 12)
    await simulation.step(3)
    expect((await simulation.read('acceleration')).slice(9, 12)).toEqual(new Float64Array(3))
    expect((await simulation.read('position')).slice(9, 12)).toEqual(place)
    simulation.dispose()
  })

  it('has several forces with methods, scales and lists of excluded pairs', async () => {
    const exclusions = [[0, 1] as const, [5, 9] as const]
    const simulation = await simulated({
      forces: [
        { ...charges, exclusions, scale: 2 },
        { law: gravity({ softening: 0.3 }), boundary, method },
        { law: pairPotential('mass_i*mass_j*exp(-3*r)', { inertia: 'mass' })(), boundary, method, scale: -1 },
      ],
    } as never)
    const { position, charge, mass } = particles
    const exact = mesh({ tolerance: 1e-10 })
    const part = async (workload: Parameters<typeof engine.run>[0], attributes: object) =>
      Object.values(await engine.run(workload, { position, ...attributes } as never)).find(
        (values) => (values as unknown) instanceof Float64Array,
      ) as unknown as Float64Array
    const far = await part(forces(coulomb({ k: 0.5 }), { boundary, method: exact, exclusions }), { charge })
    const heavy = await part(accelerations(gravity({ softening: 0.3 }), { boundary, method: exact }), { mass })
    const soft = await part(forces(pairPotential('mass_i*mass_j*exp(-3*r)')(), { boundary, method: exact }), { mass })
    const sum = far.map(
      (x, n) => (2 * x - (soft[n] as number)) / (mass[Math.floor(n / 3)] as number) + (heavy[n] as number),
    )
    expect(apart(await simulation.read('acceleration'), sum)).toBeLessThan(1e-3)
    expect((await simulation.forceErrors()).map(({ force }) => force)).toEqual([0, 1, 2])
    simulation.dispose()
  })

  it('refuses laws, tolerances and points that a mesh does not suit', async () => {
    const law = pairPotential('exp(-r/(mass_i + mass_j))', { inertia: 'mass' })()
    await expect(simulated({ forces: [{ law, boundary, method }] } as never)).rejects.toThrow('use a cutoff')
    const wire = periodic([edge, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY])
    await expect(simulated({ forces: [{ law: coulomb(), boundary: wire, method }] } as never)).rejects.toThrow(
      'open along y and z',
    )
    const tight = mesh({ tolerance: 1e-12 })
    const tightly = await simulated({ forces: [{ ...charges, method: tight }] } as never)
    await expect(tightly.step(1)).rejects.toThrow('at least 1e-11')
    tightly.dispose()
    const single = await createEngine({ backends: [reference()] })
    const options = { particles, forces: [{ ...charges, method: mesh({ tolerance: 1e-7 }) }], dt: 0.01 }
    const simulation = await single.simulate(options as never)
    await expect(simulation.step(1)).rejects.toThrow('use precision "f64"')
    single.dispose()
  })
})
