// The state of a simulation: its precision, its copies, its snapshots, and points far from the origin.

import { describe, expect, it } from 'vitest'
import { createEngine } from '../../src/engine/engine.ts'
import { gravity } from '../../src/problem/interactions/gravity.ts'
import { periodic } from '../../src/problem/workloads/define-domain.ts'
import * as integrators from '../../src/simulation/integrators.ts'
import type { SimulationOptions, SimulationState } from '../../src/simulation/state.ts'
import { reference } from '../../src/truth/reference/backend.ts'
import { count, particles, setup } from '../support/eight-points.ts'
import { referenceEngine } from '../support/reference-engine.ts'

const { leapfrog } = integrators

describe('two points that float32 cannot tell apart', () => {
  const position = Float64Array.from({ length: 3 * 200 }, (_, n) => 1000 * Math.sin(12.9898 * (n + 1) ** 2))
  position.set(
    [0, 1, 2].map((axis) => (position[axis] as number) + (axis === 1 ? 1e-6 : 0)),
    3 * 150,
  )
  const close = {
    ...setup,
    particles: { position, velocity: new Float64Array(600), mass: new Float64Array(200).fill(1) },
  }
  const single = { backends: [reference()], precision: 'f32' } as const
  const double = { backends: [reference()], precision: 'f64' } as const

  it('are named in float32, with what to do, also if they are written later', async () => {
    await using engine = await createEngine(single)
    const message =
      /^"position" expected points that float32 keeps apart, but points 0 and 150, at a distance of 0.0000010, would be at 0.0; use precision "f64", or round positions to a Float32Array$/
    await expect(engine.simulate(close).then((simulation) => simulation.step(1))).rejects.toThrow(message)
    const apart = position.map((x, n) => (n === 451 ? x + 1 : x))
    await using simulation = await engine.simulate({ ...close, particles: { ...close.particles, position: apart } })
    await simulation.step(1)
    await expect(simulation.write('position', position)).rejects.toThrow(message)
  })

  it('are accepted in float64, and if the caller has rounded them', async () => {
    await using exact = await createEngine(double)
    await using simulation = await exact.simulate(close)
    await simulation.step(1)
    await using engine = await createEngine(single)
    const rounded = { ...close, particles: { ...close.particles, position: Float32Array.from(position) } }
    await using other = await engine.simulate(rounded)
    await other.step(1)
    expect([simulation.steps, other.steps]).toEqual([1, 1])
  })
})

describe('points far from the origin', () => {
  const moved = (by: readonly [number, number, number]) => ({
    ...setup,
    particles: { ...particles, position: Float64Array.from(particles.position, (x, n) => x + (by[n % 3] as number)) },
  })

  it('are rejected in float32 if rounding would move them by much, with what to do', async () => {
    await using engine = await createEngine({ backends: [reference()], precision: 'f32' })
    const far = engine.simulate(moved([0, 1e5, 0])).then((simulation) => simulation.step(1))
    await expect(far).rejects.toThrow(
      /^"position" expected points near the origin, because float32 would move these by up to 0.0060, and they extend over 1.\d; subtract their centre, or use precision "f64"$/,
    )
  })

  it.each<[string, SimulationOptions, 'f32' | 'f64']>([
    ['a thousand extents away', moved([1e3, 0, -1e3]), 'f32'],
    ['in float64', moved([0, 1e5, 0]), 'f64'],
    [
      'in a plane far away',
      { ...setup, particles: { ...particles, position: particles.position.map((x, n) => (n % 3 === 2 ? 1e6 : x)) } },
      'f32',
    ],
    [
      'given in float32, which loses nothing',
      { ...setup, particles: { ...particles, position: Float32Array.from(particles.position, (x) => x + 1e6) } },
      'f32',
    ],
    [
      'all in one place',
      { ...setup, particles: { ...particles, position: new Float64Array(3 * count).fill(1e6) } },
      'f32',
    ],
  ])('are taken %s', async (_, options, precision) => {
    await using engine = await createEngine({ backends: [reference()], precision })
    const simulation = await engine.simulate(options)
    await simulation.step(1)
    expect(simulation.steps).toBe(1)
  })
})

describe('a snapshot', () => {
  it.each(
    Object.values(integrators).flatMap((integrator) =>
      (['f32', 'f64'] as const).map((precision) => [integrator.name, precision, integrator] as const),
    ),
  )('resumes bit for bit: %s in %s', async (_, precision, integrator) => {
    await using engine = await createEngine({ backends: [reference()], precision })
    const straight = await engine.simulate({ ...setup, integrator })
    await straight.step(20)
    const broken = await engine.simulate({ ...setup, integrator })
    await broken.step(7)
    const snapshot = structuredClone(await broken.snapshot())
    await using elsewhere = await createEngine({ backends: [reference()], precision })
    const resumed = await elsewhere.resume(snapshot)
    expect([resumed.steps, resumed.time]).toEqual([7, 7 * 0.02])
    await resumed.step(13)
    for (const name of ['position', 'velocity', 'acceleration'])
      expect(await resumed.read(name)).toEqual(await straight.read(name))
    expect([resumed.steps, resumed.time]).toEqual([20, 20 * 0.02])
  })

  it('has the attributes that stages of the integrator write, and energies use them', async () => {
    await using engine = await referenceEngine()
    const growth = { kind: 'map', outputs: { mass: 'mass*(1 + h)' }, fraction: 1 } as const
    const integrator = { ...leapfrog, stages: [...leapfrog.stages, growth] }
    const straight = await engine.simulate({ ...setup, integrator })
    await straight.step(5)
    const resumed = await engine.resume(await straight.snapshot())
    await Promise.all([straight.step(5), resumed.step(5)])
    expect(await resumed.read('mass')).toEqual(await straight.read('mass'))
    expect(await resumed.read('position')).toEqual(await straight.read('position'))
    const [mass, velocity] = [await straight.read('mass'), await straight.read('velocity')]
    expect(mass[0]).toBeCloseTo((particles.mass[0] as number) * 1.02 ** 10, 12)
    const terms = Array.from(velocity, (v, n) => ((mass[Math.floor(n / 3)] as number) * v * v) / 2)
    const kinetic = terms.reduce((total, term) => total + term, 0)
    expect((await straight.energy()).kinetic).toBeCloseTo(kinetic, 12)
  })

  it('has the vectors that stages keep, under any name', async () => {
    await using engine = await referenceEngine()
    const keep = { kind: 'map', outputs: { k1: 'velocity', turn: 'k1_x + k1_y' }, fraction: 1 } as const
    const push = { kind: 'map', outputs: { position: 'position + h*k1' }, fraction: 1 / 4 } as const
    const integrator = { ...leapfrog, stages: [keep, push, ...leapfrog.stages] }
    const own = { ...particles, k1: new Float64Array(3 * count), turn: new Float64Array(count) }
    const straight = await engine.simulate({ ...setup, particles: own, integrator })
    await straight.step(4)
    const resumed = await engine.resume(structuredClone(await straight.snapshot()))
    await Promise.all([straight.step(4), resumed.step(4)])
    for (const name of ['position', 'k1', 'turn']) expect(await resumed.read(name)).toEqual(await straight.read(name))
    const [k1 = [], turn = []] = [await straight.read('k1'), await straight.read('turn')]
    // Kept before the last step changed the velocity; `turn` is of the k1 before.
    expect(k1).toHaveLength(3 * count)
    expect(k1).not.toEqual(await straight.read('velocity'))
    expect(turn).toHaveLength(count)
  })

  it('is a copy, independent of the simulation in both directions', async () => {
    await using engine = await referenceEngine()
    const simulation = await engine.simulate(setup)
    await simulation.step(3)
    const snapshot = await simulation.snapshot()
    const before = structuredClone(snapshot)
    await simulation.step(3)
    expect(snapshot).toEqual(before)
    const now = await simulation.read('position')
    ;(snapshot.arrays.position as Float64Array).fill(0)
    expect(await simulation.read('position')).toEqual(now)
  })

  it('contains the domain, so that the same forces act', async () => {
    await using engine = await referenceEngine()
    const domain = { boundary: periodic([4, 4, 4]), cutoff: 1.5, switchDistance: 1, exclusions: [[0, 1]] as const }
    const straight = await engine.simulate({ ...setup, domain })
    await straight.step(10)
    const broken = await engine.simulate({ ...setup, domain })
    await broken.step(5)
    const resumed = await engine.resume(structuredClone(await broken.snapshot()))
    await resumed.step(5)
    expect(await resumed.read('position')).toEqual(await straight.read('position'))
    const open = await engine.simulate(setup)
    await open.step(10)
    expect(await open.read('position')).not.toEqual(await straight.read('position'))
  })

  it.each<[name: string, damage: (state: SimulationState) => unknown, message: string]>([
    ['nothing', () => undefined, '"snapshot" expected what simulation.snapshot() gave, got undefined'],
    ['no arrays', ({ arrays: _, ...state }) => state, '"snapshot" expected what simulation.snapshot() gave'],
    ['negative steps', (state) => ({ ...state, steps: -1 }), '"steps" expected integer >= 0, got -1'],
    ['no step', (state) => ({ ...state, dt: NaN }), '"dt" expected finite number, got NaN'],
    ['another dimension', (state) => ({ ...state, dimension: 4 }), '"dimension" expected 1, 2 or 3, got 4'],
    [
      'a NaN',
      (state) => ({ ...state, arrays: { ...state.arrays, acceleration: new Float64Array(3 * count).fill(NaN) } }),
      '"acceleration" expected finite numbers, got NaN at index 0',
    ],
    [
      'too few numbers',
      (state) => ({ ...state, arrays: { ...state.arrays, velocity: new Float64Array(3) } }),
      '"velocity" expected length',
    ],
  ])('is refused if it is damaged: %s', async (_, damage, message) => {
    await using engine = await referenceEngine()
    const snapshot = await (await engine.simulate(setup)).snapshot()
    await expect(engine.resume(damage(snapshot) as SimulationState)).rejects.toThrow(message)
  })
})

describe('the state of a simulation', () => {
  it('is kept in the precision of the engine', async () => {
    await using single = await createEngine({ backends: [reference()] })
    const simulation = await single.simulate(setup)
    await simulation.step(5)
    const position = await simulation.read('position')
    expect(position).toBeInstanceOf(Float32Array)
    await using double = await referenceEngine()
    const exact = await double.simulate(setup)
    await exact.step(5)
    const expected = await exact.read('position')
    expect(expected).toBeInstanceOf(Float64Array)
    for (const [n, x] of expected.entries()) expect(Math.abs((position[n] as number) - x)).toBeLessThan(2e-6)
  })

  it('is a copy of the particles, which never change', async () => {
    await using engine = await referenceEngine()
    const mine = structuredClone(particles)
    const simulation = await engine.simulate({ ...setup, particles: mine })
    mine.position.fill(7)
    mine.velocity.fill(7)
    mine.mass.fill(7)
    await simulation.step(5)
    const untouched = await engine.simulate(setup)
    await untouched.step(5)
    expect(await simulation.read('position')).toEqual(await untouched.read('position'))
    expect(new Set(mine.position)).toEqual(new Set([7]))
  })

  it('includes attributes and accelerations, and lists its arrays', async () => {
    await using engine = await referenceEngine()
    const simulation = await engine.simulate(setup)
    expect(await simulation.read('mass')).toEqual(particles.mass)
    expect(await simulation.read('acceleration')).toHaveLength(3 * count)
    for (const name of ['constructor', '__proto__', 'constructor_x'])
      await expect(simulation.read(name)).rejects.toThrow(`"name" expected one of position, `)
    await expect(simulation.read('speed')).rejects.toThrow(/"name" expected one of position, .*velocity.*, got "speed"/)
  })

  it('is the same after single steps, many steps in one call, or concurrent calls', async () => {
    await using engine = await referenceEngine()
    const [one, all, together] = await Promise.all([1, 2, 3].map(() => engine.simulate(setup)))
    for (let n = 0; n < 6; n++) await one?.step()
    await all?.step(6)
    await Promise.all([together?.step(2), together?.step(4), together?.step(0)])
    const expected = await one?.read('position')
    expect(await all?.read('position')).toEqual(expected)
    expect(await together?.read('position')).toEqual(expected)
    expect([one?.steps, all?.steps, together?.steps]).toEqual([6, 6, 6])
  })

  it('also moves in 2-D', async () => {
    await using engine = await referenceEngine()
    const flat = {
      position: Float64Array.of(1, 0, -1, 0),
      velocity: Float64Array.of(0, 0.5, 0, -0.5),
      mass: Float64Array.of(1, 1),
      dimension: 2 as const,
    }
    const simulation = await engine.simulate({ law: gravity(), particles: flat, dt: 0.01 })
    await simulation.step(100)
    expect(await simulation.momentum()).toHaveLength(2)
    expect((await simulation.angularMomentum())[0]).toBeCloseTo(1, 12)
    // Two bodies on a circle: v^2 = G m / (4 R), with angular speed 1/2.
    const position = await simulation.read('position')
    expect(position[0]).toBeCloseTo(Math.cos(0.5), 4)
    expect(position[1]).toBeCloseTo(Math.sin(0.5), 4)
  })
})
