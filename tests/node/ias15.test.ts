// IAS15: errors stay at the rounding of float64, on every backend that has it; it is refused in float32.

import { cpuWasm } from '@manybody/backend-cpu-wasm'
import {
  createEngine,
  externalForce,
  gravity,
  ias15,
  pairForce,
  reference,
  type SimulationOptions,
  tree,
} from '@manybody/core'
import { afterAll, describe, expect, test } from 'vitest'

const backends = [cpuWasm({ threadsFrom: 0 })]
const engines = await Promise.all([
  createEngine({ backends, precision: 'f64', threads: 1 }),
  createEngine({ backends: [reference()], precision: 'f64' }),
])
const single = await createEngine({ backends, precision: 'f32', threads: 1 })
afterAll(() => {
  for (const engine of [...engines, single]) engine.dispose()
})

/** A comet of eccentricity 0.9, at its far end. One turn takes 2 pi. */
const comet: SimulationOptions = {
  law: gravity(),
  particles: { position: [0, 0, 1.9, 0], velocity: [0, 0, 0, Math.sqrt(0.1 / 1.9)], mass: [1, 1e-12], dimension: 2 },
  integrator: ias15,
  dt: 0.01,
}

/** The Sun and five outer planets: J. H. Applegate et al., Astron. J. 92 (1986) 176. Astronomical units and days. */
const planets = {
  position: [
    [-4.06428567034226e-3, -6.08813756435987e-3, -1.66162304225834e-6],
    [3.40546614227466, 3.62978190075864, 3.42386261766577e-2],
    [6.60801554403466, 6.38084674585064, -1.36145963724542e-1],
    [1.11636331405597e1, 1.60373479057256e1, 3.61783279369958e-1],
    [-3.01777243405203e1, 1.91155314998064, -1.53887595621042e-1],
    [-2.13858977531573e1, 3.20719104739886e1, 2.49245689556096],
  ].flat(),
  velocity: [
    [6.69048890636161e-6, -6.33922479583593e-6, -3.13202145590767e-9],
    [-5.59797969310664e-3, 5.51815399480116e-3, -2.66711392865591e-6],
    [-4.17354020307064e-3, 3.99723751748116e-3, 1.67206320571441e-5],
    [-3.25884806151064e-3, 2.06438412905916e-3, -2.17699042180559e-5],
    [-2.17471785045538e-4, -3.11361111025884e-3, 3.58344705491441e-5],
    [-1.76936577252484e-3, -2.06720938381724e-3, 6.58091931493844e-4],
  ].flat(),
  mass: [1.00000597682, 1 / 1047.355, 1 / 3501.6, 1 / 22869, 1 / 19314, 0],
}

describe.each(engines.map((engine) => [engine.device.info.backend, engine] as const))('%s', (backend, engine) => {
  test('a comet of eccentricity 0.9 comes back', async () => {
    const turns = backend === 'reference' ? 1 : 5
    await using simulation = await engine.simulate(comet)
    const before = await simulation.energy()
    await simulation.stepUntil(2 * Math.PI * turns)
    const after = await simulation.energy()
    expect(simulation.time).toBe(2 * Math.PI * turns)
    expect(Math.abs(after.total / before.total - 1)).toBeLessThan(2e-14)
    const [sx = 0, sy = 0, x = 0, y = 0] = await simulation.read('position')
    expect(Math.hypot(x - sx - 1.9, y - sy)).toBeLessThan(2e-12 * turns ** 2)
    // Steps are short where the comet is fast.
    expect(simulation.steps / turns).toBeLessThan(110)
  })

  test('outer planets keep their energy, and turn back to where they were', async () => {
    await using simulation = await engine.simulate({
      ...{ law: gravity({ G: 0.01720209895 ** 2 }), particles: planets, integrator: ias15, dt: 10, t0: 5 },
    })
    const before = await simulation.energy()
    await simulation.stepUntil(3655)
    const after = await simulation.energy()
    expect(Math.abs(after.total / before.total - 1)).toBeLessThan(5e-15)
    expect(simulation.dt).toBeGreaterThan(20)
    const back = await engine.resume({ ...(await simulation.snapshot()), dt: -20, checksum: undefined })
    await back.stepUntil(5)
    const position = await back.read('position')
    for (const [n, x] of planets.position.entries()) expect(Math.abs((position[n] as number) - x)).toBeLessThan(1e-11)
  })

  test('forces may read the velocity and the time', async () => {
    // v' = -i B v + cos(3 t) has a closed form.
    const field = externalForce(['mass*(B*velocity_y + cos(3*time))', '-mass*B*velocity_x'], {
      ...{ inertia: 'mass', parameters: { B: 1 } },
    })
    const pull = pairForce({ x: 'velocity_x_j - velocity_x_i', y: 'velocity_y_j - velocity_y_i' }, { inertia: 'mass' })
    await using simulation = await engine.simulate({
      forces: [field(), pull()],
      // Points with equal velocities feel no friction.
      particles: { position: [0, 0, 1, 1], velocity: [1, 0, 1, 0], mass: [1, 2], dimension: 2 },
      ...{ integrator: ias15, dt: 0.05 },
    })
    await simulation.stepUntil(10)
    const [vx = 0, vy = 0] = await simulation.read('velocity')
    const t = 10
    // With the driven part (3 sin 3t, cos 3t)/8, and the rest turning.
    const driven = (at: number) => [(3 * Math.sin(3 * at)) / 8, Math.cos(3 * at) / 8] as const
    const [dx, dy] = driven(0)
    const [rx, ry] = [1 - dx, -dy]
    const [ex, ey] = driven(t)
    expect(vx).toBeCloseTo(ex + rx * Math.cos(t) + ry * Math.sin(t), 12)
    expect(vy).toBeCloseTo(ey - rx * Math.sin(t) + ry * Math.cos(t), 12)
  })

  test('steps are short in an encounter of small bodies far from a heavy one', async () => {
    const shortest = async (mass: number) => {
      await using simulation = await engine.simulate({
        law: gravity(),
        particles: {
          position: [0, 0, 30, 0, 30.01, -0.2],
          velocity: [0, 0, 0, 0.18, 0, 0.2],
          mass: [1, mass, mass],
          dimension: 2,
        },
        ...{ integrator: ias15, dt: 1 },
      })
      let least = Number.POSITIVE_INFINITY
      while (simulation.time < 20) {
        await simulation.step()
        least = Math.min(least, simulation.dt)
      }
      return least
    }
    const [light, heavy] = [await shortest(1e-12), await shortest(1e-6)]
    expect(heavy).toBeLessThan(light / 10)
  })

  test('a snapshot continues bit for bit, also after a write, a parameter and another number of points', async () => {
    await using one = await engine.simulate({ ...comet, capacity: 4 })
    const changes = [
      () => one.step(3),
      () => one.write('velocity', [0, 0, 0, 0.25]),
      () => one.write('G', 1.1),
      () => one.add({ position: [0, 1], velocity: [1, 0], mass: [1e-9], dimension: 2 }),
      () => one.stepUntil(one.time + 0.05),
      () => one.remove([1]),
    ]
    for (const change of changes) {
      await change()
      await using other = await engine.resume(structuredClone(await one.snapshot()))
      await one.step(4)
      await other.step(4)
      expect([other.time, other.dt, other.steps]).toEqual([one.time, one.dt, one.steps])
      expect(await other.read('position')).toEqual(await one.read('position'))
    }
  })
})

describe('refusals', () => {
  const engine = engines[0]

  test('float32', async () => {
    await expect(single.simulate(comet)).rejects.toThrow(
      "IAS15 gains is beyond its seven digits; create the engine with precision: 'f64'",
    )
  })

  test.each([
    [{ dt: { accuracy: 0.1, length: 1, shortest: 0.1, longest: 1 } }, '"dt" expected the length of the first step'],
    [{ dt: 0 }, '"dt" expected a number other than 0'],
    [{ domain: { method: tree({ tolerance: 1e-3 }) } }, '"method" expected nothing with IAS15, got one for gravity'],
    [
      { integrator: { ...ias15, stages: [...ias15.stages, { kind: 'force' as const }] } },
      'gauss-radau is a whole step of second-order motion by itself',
    ],
    [
      { integrator: { ...ias15, stages: [{ kind: 'gauss-radau' as const, epsilon: 0 }] } },
      '"integrator.stages[0].epsilon" expected finite number > 0, got 0',
    ],
  ])('%#', async (options, message) => {
    await expect(engine.simulate({ ...comet, ...options })).rejects.toThrow(message)
  })

  test('another dt, and the past', async () => {
    await using simulation = await engine.simulate(comet)
    await simulation.step(2)
    await expect(simulation.set({ dt: 0.1 })).rejects.toThrow('because these steps adapt')
    await expect(simulation.stepUntil(-1)).rejects.toThrow('"time" expected a number >= ')
  })

  test('points that fall into each other', async () => {
    await using simulation = await engine.simulate({
      ...{
        law: gravity(),
        particles: { position: [0, 0, 1, 0], mass: [1, 1], dimension: 2 },
        integrator: ias15,
        dt: 0.01,
      },
    })
    await expect(simulation.step(20_000)).rejects.toThrow(/because points collide|is NaN|Infinity/)
  })
})
