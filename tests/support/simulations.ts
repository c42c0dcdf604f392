// Simulations with several forces, external forces, fixed points, laws of velocities and first-order motion, each against a closed form or
// against single runs of the same laws. Every case runs on every backend.

import {
  accelerations,
  createEngine,
  type Engine,
  externalForce,
  externalPotential,
  firstOrderRungeKutta4,
  gravity,
  langevin,
  leapfrog,
  lennardJones,
  type Precision,
  pairForce,
  pairPotential,
  pairTerm,
  periodic,
  reference,
  rungeKutta4,
  type SimulationOptions,
  yoshida4,
} from '@manybody/core'
import { expect } from 'vitest'

type AnyEngine = Engine<Precision>

const truths = createEngine({ backends: [reference()], precision: 'f64' })

/** The allowance for float64 or for float32. */
const within = (engine: AnyEngine, f64: number, f32: number) => (engine.device.info.precision === 'f64' ? f64 : f32)

const most = (a: ArrayLike<number>, b: ArrayLike<number>) =>
  Array.from(a).reduce((worst, x, n) => Math.max(worst, Math.abs(x - (b[n] as number))), 0)

const places = Float32Array.of(0, 0, 0, 1.1, 0, 0, 0, 1.2, 0, 0.5, 0.25, 1.3, -1, 0.75, 0.5)
const five = () => ({
  position: places,
  mass: Float32Array.of(1, 2, 0.5, 1.5, 1),
  charge: Float32Array.of(1, -1, 0.5, 0.25, -0.5),
  sigma: new Float32Array(5).fill(0.5),
  epsilon: new Float32Array(5).fill(0.25),
})

const coulombLike = pairPotential('charge_i*charge_j/sqrt(r2 + 0.25)', { name: 'soft charges' })
const spring = pairPotential('k*(r - 1)^2/2', { name: 'spring', parameters: { k: 0.5 } })
const bond = pairPotential('k*(r - rest)^2/2', { name: 'bond', inertia: 'mass', parameters: { k: 1, rest: 1 } })
const push = pairForce('0.125*sigma_j', { name: 'push' })
const all = () =>
  [
    gravity({ softening: 0.25 }),
    { law: lennardJones(), cutoff: 1.5, exclusions: [[0, 1]] as const },
    { law: coulombLike(), scale: 0.5 },
    { law: spring(), cutoff: 1.25 },
    { law: push(), exclusions: [[2, 3]] as const },
  ] as const

/** The forces of the laws, computed one by one and added up. */
async function addedUp(engine: AnyEngine): Promise<Float64Array> {
  const total = new Float64Array(15)
  const withMass = { mass: 'mass' }
  for (const force of all()) {
    const {
      law,
      scale = 1,
      ...domain
    } = ('law' in force ? force : { law: force }) as { law: ReturnType<typeof gravity>; scale?: number }
    const { acceleration } = await engine.run(accelerations({ ...law, inertia: withMass.mass }, domain), five())
    for (const [n, a] of acceleration.entries()) total[n] = (total[n] as number) + scale * a
  }
  return total
}

/** Steps in two halves, with a snapshot resumed between them, must give the same bits as all steps in one go. */
async function walked(engine: AnyEngine, options: SimulationOptions, steps: number) {
  const whole = await engine.simulate(options)
  await whole.step(steps)
  const half = await engine.simulate(options)
  await half.step(Math.floor(steps / 2))
  const resumed = await engine.resume(structuredClone(await half.snapshot()))
  half.dispose()
  await resumed.step(steps - Math.floor(steps / 2))
  expect(await resumed.read('position')).toEqual(await whole.read('position'))
  expect(await resumed.read('velocity')).toEqual(await whole.read('velocity'))
  resumed.dispose()
  return whole
}

export const simulations: readonly (readonly [name: string, run: (engine: AnyEngine) => Promise<void>])[] = [
  [
    'five laws with their own domains and scales add up',
    async (engine) => {
      const simulation = await engine.simulate({ forces: all(), particles: five(), dt: 0.01 })
      const expected = await addedUp(engine)
      expect(Math.max(...expected.map(Math.abs))).toBeGreaterThan(1)
      expect(most(await simulation.read('acceleration'), expected)).toBeLessThan(within(engine, 1e-13, 2e-5))
      simulation.dispose()
    },
  ],
  [
    'the energy of several laws and a trap is conserved',
    async (engine) => {
      const trap = externalPotential('mass*omega^2*(position_x^2 + position_y^2 + position_z^2)/2', {
        parameters: { omega: 1 },
      })
      const forces = [...all().slice(0, 1), { law: coulombLike(), scale: 0.5 }, trap({ omega: 1.5 })]
      const simulation = await walked(engine, { forces, particles: five(), dt: 0.005, integrator: yoshida4 }, 60)
      const start = await engine.simulate({ forces, particles: five(), dt: 0.005 })
      const [before, after] = [await start.energy(), await simulation.energy()]
      expect(before.kinetic).toBe(0)
      expect(after.kinetic).toBeGreaterThan(0.5)
      expect(Math.abs(after.total - before.total)).toBeLessThan(within(engine, 3e-6, 2e-5))
      simulation.dispose()
      start.dispose()
    },
  ],
  [
    'a force that depends on time drives as it should',
    async (engine) => {
      // x'' = cos(2t), from rest: x = (1 - cos(2t))/4.
      const drive = externalForce(['mass*amplitude*cos(2*time)', '0'], {
        inertia: 'mass',
        parameters: { amplitude: 1 },
      })
      const particles = { position: new Float64Array(4), mass: Float64Array.of(2, 0.5), dimension: 2 as const }
      for (const integrator of [rungeKutta4, leapfrog, yoshida4]) {
        const simulation = await walked(
          engine,
          { forces: [drive({ amplitude: 1 })], particles, dt: 0.02, integrator },
          50,
        )
        const x = (1 - Math.cos(2)) / 4
        const allowed = integrator === leapfrog ? 2e-4 : within(engine, 1e-7, 2e-6)
        expect(most(await simulation.read('position'), [x, 0, x, 0])).toBeLessThan(allowed)
        simulation.dispose()
      }
    },
  ],
  [
    'drag slows points by the exponential of their attribute',
    async (engine) => {
      const drag = externalForce('-drag*velocity', { inertia: 'mass' })
      const particles = {
        position: new Float64Array(6),
        velocity: Float64Array.of(1, 2, -1, -1, 0.5, 2),
        mass: Float64Array.of(2, 1),
        drag: Float64Array.of(1, 2),
      }
      const simulation = await walked(engine, { forces: [drag()], particles, dt: 0.02, integrator: rungeKutta4 }, 50)
      const expected = particles.velocity.map((v, n) => v * Math.exp(n < 3 ? -0.5 : -2))
      expect(most(await simulation.read('velocity'), expected)).toBeLessThan(within(engine, 1e-7, 1e-6))
      await expect(simulation.energy()).rejects.toThrow('"energy" expected a potential, got -drag*velocity')
      simulation.dispose()
    },
  ],
  [
    'fixed points act but stay where they are',
    async (engine) => {
      // A light point on a circle around a fixed heavy one.
      const particles = {
        position: Float64Array.of(0.5, -0.25, 1.5, -0.25),
        velocity: Float64Array.of(0, 0, 0, 1),
        mass: Float64Array.of(1, 1),
        dimension: 2 as const,
      }
      const turn = 2 * Math.PI
      const options = { law: gravity(), particles, fixed: [0], dt: turn / 200, integrator: yoshida4 }
      const simulation = await walked(engine, options, 100)
      const position = await simulation.read('position')
      expect([...position.subarray(0, 2)]).toEqual([0.5, -0.25])
      expect(most(position.subarray(2), [-0.5, -0.25])).toBeLessThan(within(engine, 1e-5, 2e-5))
      simulation.dispose()
    },
  ],
  [
    'a law of velocities lets two points come to the same velocity',
    async (engine) => {
      // v_1 - v_2 falls as exp(-2 gamma t) for unit masses.
      const friction = pairForce(
        {
          x: 'gamma*(velocity_x_j - velocity_x_i)',
          y: 'gamma*(velocity_y_j - velocity_y_i)',
          z: 'gamma*(velocity_z_j - velocity_z_i)',
        },
        { inertia: 'mass', parameters: { gamma: 1 } },
      )
      const particles = {
        position: Float64Array.of(0, 0, 0, 1, 0, 0),
        velocity: Float64Array.of(1, 0, 2, -1, 1, 0),
        mass: Float64Array.of(1, 1),
      }
      const options = { forces: [friction({ gamma: 0.5 })], particles, dt: 0.02, integrator: rungeKutta4 }
      const simulation = await walked(engine, options, 50)
      const velocity = await simulation.read('velocity')
      const expected = [0, 0.5, 1, 0, 0.5, 1].map((mean, n) => {
        const half = ((particles.velocity[n % 3] as number) - (particles.velocity[(n % 3) + 3] as number)) / 2
        return mean + (n < 3 ? 1 : -1) * half * Math.exp(-1)
      })
      expect(most(velocity, expected)).toBeLessThan(within(engine, 1e-8, 1e-6))
      simulation.dispose()
    },
  ],
  [
    'two vortices turn around each other',
    async (engine) => {
      const vortex = pairTerm(
        { x: 'strength_j*dy/(2*pi*r2)', y: '-strength_j*dx/(2*pi*r2)' },
        { name: 'point vortices' },
      )
      const particles = {
        position: Float64Array.of(1, 0, -1, 0),
        strength: Float64Array.of(4, 4),
        dimension: 2 as const,
      }
      // They are 2 apart, so they turn at strength / (pi 2^2) = 1/pi.
      const options = { forces: [vortex()], particles, dt: 0.05 * Math.PI, integrator: firstOrderRungeKutta4 }
      const simulation = await walked(engine, options, 20)
      const [x, y] = [Math.cos(1), Math.sin(1)]
      expect(most(await simulation.read('position'), [x, y, -x, -y])).toBeLessThan(within(engine, 1e-6, 2e-6))
      expect(
        most(await simulation.read('velocity'), [-y / Math.PI, x / Math.PI, y / Math.PI, -x / Math.PI]),
      ).toBeLessThan(within(engine, 1e-6, 2e-6))
      simulation.dispose()
    },
  ],
  [
    'what is written in the middle of a run is what a run from there has',
    async (engine) => {
      const options = { forces: all().slice(0, 2), particles: five(), dt: 0.01 }
      const simulation = await engine.simulate(options)
      await simulation.step(5)
      const position = (await simulation.read('position')).map((x) => 1.125 * x)
      const velocity = await simulation.read('velocity')
      await simulation.write('position', position)
      const fresh = await engine.simulate({ ...options, particles: { ...five(), position, velocity } })
      expect(await simulation.read('acceleration')).toEqual(await fresh.read('acceleration'))
      await simulation.write('mass', [2, 2, 2, 2, 4])
      await simulation.step(5)
      const resumed = await engine.resume(await simulation.snapshot())
      await fresh.write('mass', [2, 2, 2, 2, 4])
      await fresh.step(5)
      expect(await simulation.read('position')).toEqual(await fresh.read('position'))
      expect(await resumed.read('mass')).toEqual(await fresh.read('mass'))
      const x = (await fresh.read('position')).filter((_, n) => n % 3 === 1)
      expect(await simulation.read('position_y')).toEqual(x)
      expect(simulation.steps).toBe(10)
      for (const one of [simulation, fresh, resumed]) one.dispose()
    },
  ],
  [
    'temperature, pressure and drift are those of their definitions',
    async (engine) => {
      const box = periodic([4, 5, 6])
      // Across a face of the box the two are 1 apart. The Lennard-Jones force at r = sigma is 24 epsilon / sigma, repulsive.
      const particles = {
        position: Float64Array.of(0.25, 0, 0, 3.25, 0, 0, 1, 2, 2.5),
        velocity: Float64Array.of(1, 0, 0, 0, 2, 0, 0, 0, 0),
        mass: Float64Array.of(1, 3, 1),
        sigma: Float64Array.of(1, 1, 1),
        epsilon: Float64Array.of(0.5, 0.5, 0.5),
      }
      const forces = [{ law: lennardJones(), boundary: box, cutoff: 2 }]
      const simulation = await engine.simulate({ forces, particles, fixed: [2], dt: 0.001 })
      const kinetic = 0.5 + 6
      expect(await simulation.temperature()).toBeCloseTo((2 * kinetic) / 6, 5)
      expect(await simulation.temperature({ degrees: 3, boltzmann: 2 })).toBeCloseTo(kinetic / 3, 5)
      expect(await simulation.pressure()).toBeCloseTo((2 * kinetic + 12) / (3 * 120), 5)
      expect(await simulation.pressure({ volume: 60 })).toBeCloseTo((2 * kinetic + 12) / (3 * 60), 5)
      await simulation.removeDrift()
      expect(most(await simulation.momentum(), [0, 0, 0])).toBeLessThan(within(engine, 1e-15, 1e-6))
      expect([...(await simulation.read('velocity'))]).toEqual([0.75, -1.5, 0, -0.25, 0.5, 0, 0, 0, 0])
      simulation.dispose()
    },
  ],
  [
    'two bonded masses swing with their period',
    async (engine) => {
      const particles = { position: Float64Array.of(0, 0, 0, 1.25, 0, 0), mass: Float64Array.of(1, 3) }
      // The reduced mass is 3/4, so the angular frequency is sqrt(k/(3/4)) = 2.
      const forces = [{ law: bond(), bonds: [[0, 1]] as const, attributes: { k: [3] } }]
      const simulation = await walked(engine, { forces, particles, dt: Math.PI / 200, integrator: yoshida4 }, 100)
      // After half a period the stretch of 1/4 has become -1/4; lighter points move farther.
      const expected = [0.375, 0, 0, 1.125, 0, 0]
      expect(most(await simulation.read('position'), expected)).toBeLessThan(within(engine, 1e-7, 5e-6))
      const { potential, total } = await simulation.energy()
      expect(potential).toBeCloseTo(3 / 32, 5)
      expect(total).toBeCloseTo(3 / 32, 5)
      simulation.dispose()
    },
  ],
  [
    'bonds of a hub and of a chain add up, across a face of the box and with numbers of their own',
    async (engine) => {
      // Point 0 has seven bonds, two of them to the same point. Others have one to three, and the last has none.
      const bonds = [
        [0, 1],
        [2, 0],
        [0, 3],
        [0, 4],
        [5, 0],
        [6, 0],
        [0, 1],
        [1, 2],
        [2, 3],
        [5, 6],
      ] as const
      const count = 8
      const position = Float32Array.from({ length: 3 * count }, (_, n) => ((n * 37) % 23) / 8)
      const k = bonds.map((_, n) => 1 + n / 4)
      const box = [3.5, 4, 3.25] as const
      const particles = { position, mass: new Float32Array(count).fill(2) }
      const law = bond({ rest: 0.5 })
      const listed = { law, bonds, attributes: { k }, boundary: periodic(box), scale: 0.5 }
      const expected = new Float64Array(3 * count)
      let [energy, virial] = [0, 0]
      for (const [n, [a, b]] of bonds.entries()) {
        const d = box.map((length, axis) => {
          const direct = (position[3 * b + axis] as number) - (position[3 * a + axis] as number)
          return direct - length * Math.round(direct / length)
        })
        const r = Math.hypot(...d)
        const pull = (0.5 * (k[n] as number) * (r - 0.5)) / r
        energy += 0.25 * (k[n] as number) * (r - 0.5) ** 2
        virial -= pull * r * r
        for (const [axis, along] of d.entries()) {
          expected[3 * a + axis] = (expected[3 * a + axis] as number) + (pull * along) / 2
          expected[3 * b + axis] = (expected[3 * b + axis] as number) - (pull * along) / 2
        }
      }
      const simulation = await walked(engine, { forces: [listed], particles, dt: 0.01 }, 4)
      const start = await engine.simulate({ forces: [listed], particles, dt: 0.01 })
      expect(most(await start.read('acceleration'), expected)).toBeLessThan(within(engine, 1e-13, 5e-6))
      expect([...(await start.read('acceleration'))].slice(-3)).toEqual([0, 0, 0])
      expect((await start.energy()).potential).toBeCloseTo(energy, within(engine, 10, 4))
      expect(await start.pressure({ volume: 2 })).toBeCloseTo(virial / 6, within(engine, 10, 4))
      // Beside other forces and a fixed point.
      const pull = gravity({ softening: 0.5 })
      const both = await engine.simulate({ forces: [pull, listed], particles, fixed: [1], dt: 0.01 })
      const { acceleration } = await engine.run(accelerations(pull, { boundary: periodic(box) }), particles)
      const sums = expected.map((x, n) => (n >= 3 && n < 6 ? 0 : x + (acceleration[n] as number)))
      expect(most(await both.read('acceleration'), sums)).toBeLessThan(within(engine, 1e-13, 1e-5))
      for (const one of [simulation, start, both]) one.dispose()
    },
  ],
  [
    'Langevin noise is the same on every backend, and does not move fixed points',
    async (engine) => {
      const count = 20
      const trap = externalPotential('position_x^2 + position_y^2', { inertia: 'mass' })
      const options: SimulationOptions = {
        forces: [trap()],
        particles: {
          position: Float32Array.from({ length: 2 * count }, (_, n) => ((n * 7) % 5) / 4),
          mass: Float32Array.from({ length: count }, (_, n) => 1 + (n % 3)),
          dimension: 2,
        },
        fixed: [4],
        integrator: langevin({ temperature: 1, friction: 0.5, seed: 2026, dimension: 2 }),
        dt: 0.125,
      }
      const simulation = await walked(engine, options, 11)
      const truth = await (await truths).simulate(options)
      await truth.step(11)
      const [expected, velocity] = [await truth.read('position'), await simulation.read('velocity')]
      expect(most(await simulation.read('position'), expected)).toBeLessThan(within(engine, 1e-12, 2e-5))
      expect([...velocity.subarray(8, 10)]).toEqual([0, 0])
      expect(velocity.filter((v) => v !== 0)).toHaveLength(2 * (count - 1))
      for (const one of [simulation, truth]) one.dispose()
    },
  ],
  [
    'totals of many points, whole and by group, of a simulation and of plain points',
    async (engine) => {
      // Enough for several workgroups, with a rest.
      const count = 9001
      const particles = {
        position: Float32Array.from({ length: 3 * count }, (_, n) => (n * 37) % 1024),
        mass: Float32Array.from({ length: count }, (_, n) => 1 + (n % 5)),
      }
      const expected = { mass: 0, moment: 0, x: [0, 0, 0, 0] }
      for (let n = 0; n < count; n++) {
        const [m, x] = [particles.mass[n] as number, particles.position[3 * n] as number]
        expected.mass += m
        expected.moment += m * x
        const cell = Math.floor(x / 256)
        expected.x[cell] = (expected.x[cell] as number) + m
      }
      const trap = externalPotential('0*position_x', { inertia: 'mass' })
      const simulation = await engine.simulate({ forces: [trap()], particles, dt: 0.01 })
      const outputs = { mass: 'mass', moment: 'mass*position_x', none: '0', one: '1', two: '2' }
      const cells = { by: 'floor(position_x/256)', groups: 4 }
      const close = within(engine, 1e-12, 1e-6)
      for (const totals of [await simulation.total(outputs), await engine.total(outputs, particles)]) {
        expect(totals).toMatchObject({ mass: expected.mass, none: 0, one: count, two: 2 * count })
        expect(Math.abs(totals.moment / expected.moment - 1)).toBeLessThan(close)
      }
      const { x } = await simulation.total({ x: 'mass' }, cells)
      expect([...x]).toEqual(expected.x)
      expect((await engine.total({ x: 'mass' }, particles, cells)).x).toEqual(x)
      expect(await engine.total({ one: '1' }, { mass: [] })).toEqual({ one: 0 })
      simulation.dispose()
    },
  ],
]
