// Distances that points keep. Every case runs on every backend.

import {
  externalPotential,
  type Integrator,
  langevin,
  pairPotential,
  periodic,
  semiImplicitEuler,
  velocityVerlet,
  yoshida4,
} from '@manybody/core'
import { expect } from 'vitest'
import { type Distance, missOf, type Rigid, rattled } from '../rattle.ts'
import { at, effort, farthest, mean, type PhysicsCase, within } from './physics/effort.ts'

const trap = externalPotential('mass*(position_x^2 + 2*position_y^2)/2', { inertia: 'mass' })
const rest = externalPotential('0', { name: 'rest', inertia: 'mass' })

/** All shapes of clusters, each with one more point beside it, and one leg across a face of the box. */
export const shapes: Rigid = (() => {
  const position: number[] = []
  const distances: Distance[] = []
  const add = (points: readonly (readonly number[])[], pairs: readonly (readonly [number, number])[]) => {
    const first = position.length / 3
    position.push(...points.flat())
    for (const [a, b] of pairs) {
      const [p, q] = [points[a], points[b]] as [number[], number[]]
      const length = Math.hypot(...p.map((x, axis) => x - at(q, axis)))
      distances.push([first + a, first + b, length])
    }
  }
  add([[3.75, 0.5, 0], [4.5, 0.5, 0.25], [0, -2, 1]], [[1, 0]]) // biome-ignore format: points and pairs
  add([[0, 1, 0], [1, 1, 0.25], [0.5, 2, 0], [0, -2, 2]], [[0, 1], [2, 0]]) // biome-ignore format: points and pairs
  add([[2, 2, 0], [3, 2, 0], [2, 3, 0.5], [1.5, 1.75, 1], [0, -2, 3]], [[1, 0], [0, 2], [0, 3]]) // biome-ignore format: points and pairs
  add([[-2, 2, 0], [-1, 2, 0], [-1, 3, 0.5], [-1.5, 3, 1.5], [0, -2, -1]], [[1, 2], [0, 1], [3, 2]]) // biome-ignore format: points and pairs
  add([[-2, -2, 0], [-1, -2, 0.25], [-2, -1.25, 0], [0, -2, -2]], [[0, 1], [1, 2], [0, 2]]) // biome-ignore format: points and pairs
  const count = position.length / 3
  const box = [8, 8.5, 9]
  return {
    ...{ distances, dimension: 3, box },
    // The leg of the first cluster crosses the face at x = 4, as its second point is an image.
    position: position.map((x, n) => (n === 3 ? x - 8 : x)),
    velocity: position.map((_, n) => Math.sin(5 * n) / 2),
    mass: Array.from({ length: count }, (_, n) => 1 + (n % 4) / 2),
    accelerations: (places) => places.map((x, n) => (n % 3 === 0 ? -x : n % 3 === 1 ? -2 * x : 0)),
  }
})()

const flat: Rigid = {
  position: [0, 0, 1, 0, 0, 1, 3, 0, 4, 0, 3.5, 0.75],
  velocity: [0.25, 1, -0.5, 0.5, 0, -1, 1, 0.25, 0.5, -0.5, -0.25, 1],
  mass: [1, 2, 0.5, 16, 1, 1],
  distances: [[0, 1, 1], [0, 2, 1], [3, 4, 1], [4, 5, Math.hypot(0.5, 0.75)], [5, 3, Math.hypot(0.5, 0.75)]], // biome-ignore format: a list
  dimension: 2,
  accelerations: (places) => places.map((x, n) => (n % 2 === 0 ? -x : -2 * x)),
}

const particlesOf = ({ position, velocity, mass, dimension }: Rigid) => ({
  ...{ position: Float64Array.from(position), velocity: Float64Array.from(velocity), mass: Float64Array.from(mass) },
  dimension: dimension as 2 | 3,
})

const held = ({ distances, box }: Rigid) => ({ distances, ...(box && { boundary: periodic(box) }) })

export const constraintSimulations: readonly PhysicsCase[] = [
  [
    'points with constraints of every shape move as RATTLE moves them, in space and in a plane',
    async (engine) => {
      for (const rigid of [shapes, flat])
        for (const integrator of [undefined, velocityVerlet]) {
          await using simulation = await engine.simulate({
            forces: [trap()],
            particles: particlesOf(rigid),
            ...{ dt: 1 / 32, constraints: held(rigid), ...(integrator && { integrator }) },
          })
          const start = rattled(rigid, 1 / 32, 0)
          expect(farthest(await simulation.read('position'), rigid.position)).toBeLessThan(within(engine, 1e-15, 4e-7))
          expect(farthest(await simulation.read('velocity'), start.velocity)).toBeLessThan(within(engine, 1e-14, 4e-7))
          await simulation.step(20)
          const expected = rattled(rigid, 1 / 32, 20)
          const [position, velocity] = [await simulation.read('position'), await simulation.read('velocity')]
          expect(farthest(position, expected.position)).toBeLessThan(within(engine, 1e-12, 4e-6))
          expect(farthest(velocity, expected.velocity)).toBeLessThan(within(engine, 1e-12, 1e-5))
          const { length, parting } = missOf({ position, velocity }, rigid)
          expect(length).toBeLessThan(within(engine, 2e-15, 1e-6))
          expect(parting).toBeLessThan(within(engine, 4e-15, 1e-6))
          // The step to a time is shorter.
          await simulation.stepUntil(20 / 32 + 1 / 100)
          const { position: places } = rattled(
            { ...rigid, position: [...expected.position], velocity: [...expected.velocity] },
            ...([1 / 100, 1] as const),
          )
          expect(farthest(await simulation.read('position'), places)).toBeLessThan(within(engine, 1e-12, 6e-6))
        }
    },
  ],
  [
    'a rotor turns by the angle that its equations give',
    async (engine) => {
      // A step turns a free rotor by asin(speed*dt/radius), and keeps its speed.
      const [speed, dt, steps] = [1.5, 1 / 16, 40]
      await using simulation = await engine.simulate({
        forces: [rest()],
        particles: { position: [2, 0, 0, 0, 0, 0], velocity: [0, speed, 0, 0, -speed, 0], mass: [3, 3] },
        ...{ dt, constraints: { distances: [[0, 1, 2]] } },
      })
      await simulation.step(steps)
      const angle = steps * Math.asin(speed * dt)
      const position = await simulation.read('position')
      const expected = [1 + Math.cos(angle), Math.sin(angle), 0, 1 - Math.cos(angle), -Math.sin(angle), 0]
      expect(farthest(position, expected)).toBeLessThan(within(engine, 1e-13, 2e-5))
      const turned = [-speed * Math.sin(angle), speed * Math.cos(angle), 0]
      expect(farthest((await simulation.read('velocity')).slice(0, 3), turned)).toBeLessThan(
        within(engine, 1e-13, 4e-5),
      )
      // Five degrees of freedom. The pull of the constraint balances the motion, so that a rotor has no pressure.
      expect(await simulation.temperature()).toBeCloseTo((2 * 3 * speed ** 2) / 5, within(engine, 12, 4))
      expect(Math.abs(await simulation.pressure({ volume: 1 }))).toBeLessThan(within(engine, 1e-12, 4e-5))
    },
  ],
  [
    'a pendulum swings with the period of its amplitude, and keeps its energy and its length',
    async (engine) => {
      // The pivot is so heavy that it stands still, and has no weight. T = 2 pi/agm(1, cos(amplitude/2)) for length 1 and gravity 1.
      const amplitude = Math.PI / 2
      let [a, b] = [1, Math.cos(amplitude / 2)]
      for (let n = 0; n < 6; n++) [a, b] = [(a + b) / 2, Math.sqrt(a * b)]
      const period = (2 * Math.PI) / a
      const weight = externalPotential('weight*position_y', { inertia: 'mass' })
      const steps = effort(engine, { deep: 4000, fast: 1000, slow: 250 })
      await using simulation = await engine.simulate({
        forces: [weight()],
        particles: { position: [0, 0, 1, 0], mass: [1e9, 1], weight: [0, 1], dimension: 2 },
        ...{ dt: period / steps, constraints: { distances: [[0, 1, 1]] } },
      })
      let worst = 0
      for (let part = 0; part < 5; part++) {
        await simulation.step(steps / 5)
        const { total } = await simulation.energy()
        worst = Math.max(worst, Math.abs(total))
      }
      expect(worst).toBeLessThan(within(engine, 20 / steps ** 2, 20 / steps ** 2 + 2e-5))
      const [, , x, y] = (await simulation.read('position')) as Float32Array & [number, number, number, number]
      expect(Math.abs(x - 1)).toBeLessThan(1e-3)
      expect(Math.abs(y)).toBeLessThan(within(engine, 400 / steps ** 2, 400 / steps ** 2 + 2e-3))
      expect(Math.abs(Math.hypot(x, y) - 1)).toBeLessThan(within(engine, 1e-8, 2e-6))
    },
  ],
  [
    'a rigid triangle turns freely: momenta, energy and sides stay, with every integrator of kicks and drifts',
    async (engine) => {
      const distances: Distance[] = [[0, 1, 1], [0, 2, 1], [1, 2, 1.633]] // biome-ignore format: a list
      const y = 1.633 / 2
      const x = Math.sqrt(1 - y ** 2)
      const particles = {
        position: [0, 0, 0, x, y, 0, x, -y, 0],
        velocity: [0.3, 0, 0.2, -0.4, 0.5, 1, 0, 0.25, -2],
        mass: [16, 1, 1],
      }
      const integrators: readonly Integrator[] = [semiImplicitEuler, velocityVerlet, yoshida4]
      for (const integrator of integrators) {
        await using simulation = await engine.simulate({
          ...{ forces: [rest()], particles, integrator, dt: 1 / 64, constraints: { distances } },
        })
        const invariants = async () => [
          (await simulation.energy()).kinetic,
          ...(await simulation.momentum()),
          ...(await simulation.angularMomentum()),
        ]
        const before = await invariants()
        await simulation.step(64)
        const after = await invariants()
        // The discrete motion keeps momenta; its energy swings by dt^order. The free top has no force, so Euler is the leapfrog.
        expect(farthest(after.slice(1), before.slice(1))).toBeLessThan(within(engine, 2e-13, 2e-5))
        expect(Math.abs(at(after, 0) / at(before, 0) - 1)).toBeLessThan(integrator === yoshida4 ? 2e-5 : 2e-3)
        const [position, velocity] = [await simulation.read('position'), await simulation.read('velocity')]
        const { length, parting } = missOf({ position, velocity }, { distances, dimension: 3 })
        expect(length).toBeLessThan(within(engine, 1e-14, 1e-6))
        expect(parting).toBeLessThan(within(engine, 2e-14, 2e-6))
      }
    },
  ],
  [
    'a thermostat keeps the temperature of the degrees that constraints leave',
    async (engine) => {
      const count = engine.device.info.backend === 'reference' ? 50 : 400
      const position = Array.from({ length: count }, (_, n) => [
        n / count,
        0,
        0,
        n / count + 0.5,
        0.5,
        0,
        n / count,
        1,
        0,
      ]).flat()
      const distances = Array.from({ length: count }, (_, n): Distance[] => {
        const side = Math.SQRT1_2
        return [[3 * n, 3 * n + 1, side], [3 * n + 1, 3 * n + 2, side]] // biome-ignore format: a list
      }).flat()
      await using simulation = await engine.simulate({
        forces: [trap()],
        particles: { position, mass: Array.from({ length: 3 * count }, (_, n) => 1 + (n % 2)) },
        integrator: langevin({ temperature: 0.5, friction: 2, seed: 3 }),
        ...{ dt: 1 / 32, constraints: { distances } },
      })
      await simulation.step(100)
      const temperatures: number[] = []
      for (let n = 0; n < effort(engine, { deep: 100, fast: 40, slow: 10 }); n++) {
        await simulation.step(16)
        temperatures.push(await simulation.temperature())
      }
      // Each molecule has seven degrees of freedom. Of samples half a time of friction apart, every fourth is a new one.
      const deviation = Math.sqrt(2 / (7 * count) / (temperatures.length / 4))
      expect(Math.abs(mean(temperatures) / 0.5 - 1)).toBeLessThan(4 * deviation)
    },
  ],
  [
    'steps that adapt, steps to a time and other masses hold constraints, and a snapshot continues bit for bit',
    async (engine) => {
      const dt = { step: '0.01 + 0.01*velocity_x^2', shortest: 0.005, longest: 0.03 }
      const { distances, box = [] } = shapes
      await using simulation = await engine.simulate({
        forces: [trap()],
        particles: particlesOf(shapes),
        ...{ dt, constraints: held(shapes) },
      })
      await simulation.stepUntil(0.2)
      await simulation.write('mass', Float32Array.of(3), { first: 1 })
      await simulation.stepUntil(0.3)
      const state = structuredClone(await simulation.snapshot())
      expect(state.constraints).toEqual({ distances, boundary: periodic(box) })
      await using resumed = await engine.resume(state)
      await Promise.all([simulation.step(5), resumed.step(5)])
      const [position, velocity] = [await simulation.read('position'), await simulation.read('velocity')]
      expect(await resumed.read('position')).toEqual(position)
      expect(await resumed.read('velocity')).toEqual(velocity)
      const { length, parting } = missOf({ position, velocity }, shapes)
      expect(length).toBeLessThan(within(engine, 2e-15, 1e-6))
      expect(parting).toBeLessThan(within(engine, 4e-15, 1e-6))
      // The masses of after the write share out the pulls: the momentum of each cluster follows the trap alone.
      await using free = await engine.simulate({
        forces: [rest()],
        particles: particlesOf(shapes),
        ...{ dt: 1 / 64, constraints: held(shapes) },
      })
      await free.write('mass', Float32Array.of(3), { first: 1 })
      const before = await free.momentum()
      await free.step(20)
      expect(farthest(await free.momentum(), before)).toBeLessThan(within(engine, 1e-12, 1e-5))
    },
  ],
  [
    'points that are written, added and removed keep constraints',
    async (engine) => {
      await using simulation = await engine.simulate({
        forces: [trap()],
        particles: particlesOf(flat),
        ...{ dt: 1 / 32, constraints: { distances: flat.distances }, capacity: 10 },
      })
      await simulation.step(3)
      await simulation.write('position', [5, 5, 6.05, 5], { first: 0 }).then(
        () => expect.unreachable(),
        (error) => expect(error.message).toMatch(/"position" expected points 0 and 2 at the distance/),
      )
      await simulation.write('position', [5, 5, 6.05, 5, 5, 5.96], { first: 0 })
      const centre = [0, 1].map((axis) => at([5 + 2 * 6.05 + 0.5 * 5, 5 + 2 * 5 + 0.5 * 5.96], axis) / 3.5)
      const missed = async (distances: readonly Distance[]) => {
        const [position, velocity] = [await simulation.read('position'), await simulation.read('velocity')]
        const { length, parting } = missOf({ position, velocity }, { distances, dimension: 2 })
        expect(length).toBeLessThan(within(engine, 4e-15, 1e-6))
        expect(parting).toBeLessThan(within(engine, 4e-15, 2e-6))
        return position
      }
      const placed = await missed(flat.distances)
      for (const axis of [0, 1]) {
        const moved = at(placed, axis) + 2 * at(placed, 2 + axis) + 0.5 * at(placed, 4 + axis)
        expect(Math.abs(moved / 3.5 - at(centre, axis))).toBeLessThan(within(engine, 1e-14, 1e-6))
      }
      await simulation.write('velocity', [7, 7, -7, 3], { indices: [4, 1] })
      await missed(flat.distances)
      const first = await simulation.add({ position: [9, 9], mass: [1], dimension: 2 })
      await simulation.step(2)
      await missed(flat.distances)
      await expect(simulation.remove([1])).rejects.toThrow('expected points without constraints, got point 1')
      await expect(simulation.write('fixed', [first, 2])).rejects.toThrow(
        'expected points without constraints, got point 2',
      )
      await simulation.add({ position: [-9, 9], mass: [1], dimension: 2 })
      await simulation.remove([first])
      await simulation.step(2)
      await missed(flat.distances)
      expect((await simulation.snapshot()).constraints?.distances).toEqual(flat.distances)
    },
  ],
  [
    'a step that is too long for a constraint is told, and names its points',
    async (engine) => {
      await using simulation = await engine.simulate({
        forces: [rest()],
        particles: { position: [0, 0, 0, 1, 0, 0, 5, 5, 5], velocity: [0, 0, 0, 0, 30, 0, 0, 0, 0], mass: [1, 1, 1] },
        ...{ dt: 1 / 64, constraints: { distances: [[0, 1, 1]] } },
      })
      await simulation.step(10)
      const [ax = 0, ay = 0, , bx = 0, by = 0] = await simulation.read('position')
      expect(Math.abs(Math.hypot(bx - ax, by - ay) - 1)).toBeLessThan(within(engine, 1e-10, 2e-6))
      // A step turns the rotor by an angle with a sine of 3 now.
      await simulation.write('velocity', [-100, 0, 0, 100, 0, 0], { first: 0 })
      await simulation.step(1)
      await expect(simulation.read('position')).rejects.toThrow(
        /step 11 left the finite numbers: the distance of points 0 and 1 could not be restored to 1 after they had moved so far/,
      )
    },
  ],
  [
    'the pressure counts the pull of constraints, as stiff bonds of the same length do',
    async (engine) => {
      const law = pairPotential('2*(r - 0.25)^2', { name: 'soft', inertia: 'mass' })
      const stiff = pairPotential('k*(r - rest)^2/2', { inertia: 'mass', parameters: { k: 1, rest: 1 } })
      const distances: Distance[] = [[0, 1, 1], [0, 2, 1.25], [3, 4, 1]] // biome-ignore format: a list
      const particles = {
        position: [0, 0, 0, 1, 0, 0, 0, 1.25, 0, 2, 1, 0, 2, 1, 1],
        velocity: [0, 0, 0, 0, 1, 0.5, -1, 0, 0, 0, 0.5, 0, 1, 0.5, 0],
        mass: [2, 1, 1, 3, 1],
      }
      await using rigid = await engine.simulate({ law: law(), particles, dt: 0.01, constraints: { distances } })
      // A stiff bond is stretched by the pull that the constraint has: the mean over its vibrations is the static pull.
      const bonds = distances.map(([a, b]) => [a, b] as [number, number])
      const k = 2e4
      await using loose = await engine.simulate({
        forces: [law(), { law: stiff({ k }), bonds, attributes: { rest: distances.map(([, , length]) => length) } }],
        ...{ particles, dt: 2 ** -12 },
      })
      const pressures: number[] = []
      // About four vibrations, in which points hardly move.
      for (let n = 0; n < 32; n++) {
        pressures.push(await loose.pressure({ volume: 1 }))
        await loose.step(12)
      }
      const expected = mean(pressures)
      await rigid.stepUntil(0.05)
      const found = await rigid.pressure({ volume: 1 })
      expect(Math.abs(expected)).toBeGreaterThan(0.1)
      expect(Math.abs(found - expected)).toBeLessThan(0.1 * Math.max(1, Math.abs(expected)))
    },
  ],
]
