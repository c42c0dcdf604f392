// Writes to a running simulation that are refused, how much a write computes, and a device that is lost between writes.

import { describe, expect, it } from 'vitest'
import { createEngine } from '../../src/engine/engine.ts'
import { pairPotential } from '../../src/problem/interactions/define.ts'
import { gravity } from '../../src/problem/interactions/gravity.ts'
import { semiImplicitEuler } from '../../src/simulation/integrators.ts'
import { langevin } from '../../src/simulation/noise/langevin.ts'
import { rungeKutta4 } from '../../src/simulation/runge-kutta.ts'
import type { SimulationOptions } from '../../src/simulation/state.ts'
import { reference } from '../../src/truth/reference/backend.ts'
import { fakeBackend, proofRuns } from '../support/fake-backends.ts'
import { referenceEngine } from '../support/reference-engine.ts'

const spring = pairPotential('k*(r - 1)^2/2', { name: 'spring', parameters: { k: 1 } })
const particles = { position: [0, 0, 1, 0, 0, 1, 2, 2], mass: [1, 2, 1, 1], dimension: 2 }
const options: SimulationOptions = {
  forces: [gravity({ softening: 0.5 }), { law: spring(), bonds: [[0, 1]] }],
  ...{ particles, dt: 0.125, fixed: [3] },
}

describe('a write that is refused says what was expected, and changes nothing', () => {
  it.each<[string, Parameters<Awaited<ReturnType<typeof simulated>>['write']>, string]>([
    [
      'points beyond the last',
      ['position', [1, 2, 3, 4], { first: 3 }],
      '"first" expected points below 4, got numbers for point 4',
    ],
    ['an index beyond', ['mass', [1], { indices: [4] }], '"indices" expected points below 4, got numbers for point 4'],
    ['an index twice', ['mass', [1, 2], { indices: [1, 1] }], '"indices" expected each point once, got point 1 twice'],
    ['a negative index', ['mass', [1], { indices: [-1] }], '"indices" expected integer >= 0, got -1'],
    ['a negative first', ['mass', [1], { first: -1 }], '"first" expected integer >= 0, got -1'],
    ['both', ['mass', [1], { first: 0, indices: [0] }], '"first" expected no indices beside it; give one of them'],
    ['half a point', ['position', [1, 2, 3], { first: 0 }], '"position" expected 2 numbers per point, got length 3'],
    [
      'too few numbers',
      ['position', [1], { indices: [0] }],
      '"position" expected length 2, 2 for each of the 1 points, got 1',
    ],
    ['NaN', ['position', [1, Number.NaN], { first: 0 }], '"position" expected finite numbers, got NaN at index 1'],
    ['a mass below 0', ['mass', [-1], { first: 0 }], '"mass" expected numbers >= 0, got -1 at index 0'],
    ['a mass of 0 where a bond divides by it', ['mass', [0], { first: 1 }], '"mass" expected numbers other than 0'],
    [
      'a velocity of a fixed point',
      ['velocity', [1, 0], { first: 3 }],
      '"fixed" expected points without velocity, got point 3, which moves',
    ],
    [
      'an unknown option',
      ['mass', [1], { from: 0 } as never],
      '"from" is not an option of write; expected first, indices',
    ],
    [
      'a computed array',
      ['acceleration', [1, 2], { first: 0 }],
      '"name" expected one of position, velocity, mass, got "acceleration"',
    ],
    ['a fixed point beyond', ['fixed', [4]], '"fixed" expected indices of the 4 points, got 4'],
    ['a text as list', ['fixed', 'all' as never], '"fixed" expected a list of indices of points, got "all"'],
    ['a bond to a missing point', ['bonds', [[0, 4]]], '"bonds[0]" of spring expected indices of the 4 points, got 4'],
    ['a bond of one point', ['bonds', [[1, 1]]], '"forces[1].bonds[0]" expected two points, got point 1 twice'],
    ['angles of no force', ['angles', [[0, 1, 2]]], '"angles" expected a force with angles, got none'],
    [
      'bonds of another force',
      ['forces[0].bonds', [[0, 1]]],
      '"forces[0].bonds" expected a force with bonds, got none',
    ],
    [
      'exclusions beyond',
      ['exclusions', [[0, 9]]],
      '"exclusions[0]" expected a target below 4 and a source below 4, got [0, 9]',
    ],
  ])('%s', async (_, call, message) => {
    await using simulation = await simulated()
    await simulation.step(1)
    const before = await simulation.snapshot()
    await expect(simulation.write(...call)).rejects.toThrow(message)
    expect(await simulation.snapshot()).toEqual(before)
  })

  it('a list that two forces have', async () => {
    await using engine = await referenceEngine()
    const two = { ...options, forces: [...(options.forces ?? []), { law: spring(), bonds: [[1, 2]] as const }] }
    await using simulation = await engine.simulate(two)
    await expect(simulation.write('bonds', [])).rejects.toThrow(
      '"bonds" expected the list of one force, but forces[1] and forces[2] have bonds; write forces[1].bonds',
    )
  })

  it('a place that float32 does not hold beside the others, and a point without mass that is released into noise', async () => {
    await using engine = await createEngine({ backends: [reference()], precision: 'f32' })
    await using simulation = await engine.simulate({ law: gravity(), particles, dt: 0.125 })
    await expect(simulation.write('position', [1e9, 1e9 + 1], { first: 1 })).resolves.toBeUndefined()
    await expect(simulation.write('position', [1e39, 0], { first: 1 })).rejects.toThrow(
      '"position" expected numbers that float32 holds, up to 3.4e38, got 1e+39 at index 0',
    )
    const integrator = langevin({ temperature: 1, friction: 1, seed: 1, dimension: 2 })
    const light = { ...particles, mass: [1, 2, 1, 0] }
    await using noisy = await engine.simulate({ law: gravity(), particles: light, dt: 0.125, integrator, fixed: [3] })
    await expect(noisy.write('fixed', [])).rejects.toThrow('"mass" expected numbers > 0 with Langevin')
  })
})

describe('points that are refused', () => {
  it.each<[string, (simulation: Awaited<ReturnType<typeof simulated>>) => Promise<unknown>, string]>([
    [
      'without a mass',
      (s) => s.add({ position: [1, 2], dimension: 2 }),
      '"mass" expected 1 numbers, 1 for each of the 1 points, got nothing',
    ],
    [
      'with an unknown array',
      (s) => s.add({ position: [1, 2], mass: [1], charge: [1], dimension: 2 }),
      '"points" expected arrays named position, velocity, mass, got "charge"',
    ],
    [
      'in 3-D',
      (s) => s.add({ position: [1, 2, 3], mass: [1], dimension: 3 }),
      '"dimension" expected 2, that of the other points, got 3',
    ],
    [
      'a mass below 0',
      (s) => s.add({ position: [1, 2], mass: [-1], dimension: 2 }),
      '"mass" expected numbers >= 0, got -1 at index 0',
    ],
    [
      'a short velocity',
      (s) => s.add({ position: [1, 2], velocity: [1], mass: [1], dimension: 2 }),
      '"velocity" expected 2 numbers, 2 for each of the 1 points, got 1',
    ],
    ['no points', (s) => s.add([1, 2] as never), '"points" expected { position, ... }, got Array'],
    ['an index beyond', (s) => s.remove([4]), '"points" expected indices of the 4 points, got 4'],
    ['an index twice', (s) => s.remove([2, 2]), '"points" expected each point once, got point 2 twice'],
    [
      'a point of a bond',
      (s) => s.remove([1]),
      '"forces[1].bonds[0]" expected points that stay, got point 1, which is removed; write("forces[1].bonds", others) first',
    ],
    ['an unknown attribute', (s) => s.remove('charge > 0'), '"charge" expected an attribute or a parameter'],
    [
      'a number',
      (s) => s.remove(3 as never),
      '"points" expected a list of indices, or a condition such as "position_x > 10", got 3',
    ],
  ])('%s', async (_, change, message) => {
    await using simulation = await simulated()
    await simulation.step(1)
    const before = await simulation.snapshot()
    await expect(change(simulation)).rejects.toThrow(message)
    expect(await simulation.snapshot()).toEqual(before)
  })
})

async function simulated() {
  const engine = await referenceEngine()
  return engine.simulate(options)
}

it('several writes between two steps compute the forces once', async () => {
  const counted = fakeBackend('counted')
  await using engine = await createEngine({ backends: [counted], precision: 'f64' })
  const law = gravity({ softening: 0.5 })
  await using simulation = await engine.simulate({ law, particles, dt: 0.125 })
  const runsOf = async (work: () => Promise<unknown>) => {
    const before = counted.log.runs
    await work()
    return counted.log.runs - before
  }
  await simulation.step(1)
  const [step, still] = [await runsOf(() => simulation.step(1)), await runsOf(() => simulation.read('position'))]
  const writing = await runsOf(async () => {
    await simulation.write('position', [0.5, 0.5], { first: 1 })
    await simulation.write('velocity', [0, 1], { first: 0 })
    await simulation.write('G', 2)
    await simulation.write('mass', [2], { first: 2 })
    await simulation.read('position')
  })
  expect([still, writing]).toEqual([0, 0])
  expect(await runsOf(() => simulation.step(1))).toBe(step + 1)
  expect(await runsOf(() => simulation.step(1))).toBe(step)
})

it.each([semiImplicitEuler, rungeKutta4])(
  'a frame with changes takes no more computations than one without: $name',
  async (integrator) => {
    const counted = fakeBackend('counted')
    await using engine = await createEngine({ backends: [counted], precision: 'f64' })
    const law = gravity({ softening: 0.5 })
    await using simulation = await engine.simulate({ law, particles, dt: 0.125, integrator, capacity: 4 })
    const frame = async (changes: () => Promise<unknown>) => {
      await changes()
      const before = counted.log.runs
      await simulation.step(1)
      return counted.log.runs - before
    }
    await simulation.step(1)
    const plain = await frame(async () => {})
    const born = () => simulation.add({ position: [3, 4], mass: [2], dimension: 2 })
    expect(await frame(() => simulation.remove([1]).then(born))).toBe(plain)
    expect(await frame(() => simulation.write('G', 2))).toBe(plain)
    expect(await frame(() => simulation.write('position', [4, 4], { first: 0 }))).toBe(plain)
    expect(await frame(async () => {})).toBe(plain)
    // Then the forces are those of now, and a step keeps them.
    const { runs } = counted.log
    await simulation.read('acceleration')
    expect(counted.log.runs).toBe(runs + 1)
    expect(await frame(() => simulation.read('acceleration'))).toBe(plain)
    await simulation.read('acceleration')
    expect(counted.log.runs).toBe(runs + 1 + plain)
  },
)

describe('points come and go within a capacity', () => {
  it('nothing is compiled or read, and the forces are computed once more', async () => {
    const counted = fakeBackend('counted')
    await using engine = await createEngine({ backends: [counted], precision: 'f64' })
    await using simulation = await engine.simulate({ ...options, capacity: 9 })
    await simulation.step(1)
    const counts = () => {
      const { runs, prepared, reads } = counted.log
      return { runs, prepared: prepared.length, reads }
    }
    const before = counts()
    await simulation.step(1)
    const step = counts().runs - before.runs
    await simulation.add({ position: [5, 5, 6, 6], mass: [1, 2], dimension: 2 })
    await simulation.remove([2])
    await simulation.add({ position: [7, 5], mass: [1], dimension: 2 })
    expect(counts()).toEqual({ ...before, runs: before.runs + step })
    await simulation.step(1)
    expect(counts().prepared).toBe(before.prepared)
    expect(counts().reads).toBe(before.reads)
    const { runs } = counts()
    await simulation.step(1)
    expect(counts().runs - runs).toBe(step)
  })

  it('a condition reads the arrays that it names', async () => {
    const counted = fakeBackend('counted')
    await using engine = await createEngine({ backends: [counted], precision: 'f64' })
    await using simulation = await engine.simulate({ ...options, capacity: 9 })
    const { reads } = counted.log
    await simulation.remove('position_y > 1 && mass < 2')
    expect(counted.log.reads - reads).toBe(2)
  })

  it('also where lengths of buffers cannot change, as programs are then made again', async () => {
    const backend = fakeBackend('fixed lengths')
    const open: typeof backend.open = async (options) => {
      const device = await backend.open(options)
      const buffer: typeof device.buffer = async (length) =>
        Object.assign(await device.buffer(length), { resize: undefined, keep: undefined })
      return Object.assign(Object.create(device), { buffer })
    }
    await using engine = await createEngine({ backends: [{ ...backend, open }], precision: 'f64' })
    await using other = await referenceEngine()
    const found = [engine, other].map(async (one) => {
      await using simulation = await one.simulate({ ...options, capacity: 9 })
      await simulation.step(1)
      await simulation.add({ position: [4, 4], mass: [1], dimension: 2 })
      await simulation.step(1)
      await simulation.remove([2])
      await simulation.step(1)
      return await simulation.read('position')
    })
    const [got, expected] = await Promise.all(found)
    expect(got).toEqual(expected)
  })

  it('a capacity below the number of points, none, and one that is no number are refused', async () => {
    await using engine = await referenceEngine()
    await expect(engine.simulate({ ...options, capacity: 3 })).rejects.toThrow(
      '"capacity" expected at least 4, the number of points, got 3',
    )
    await expect(engine.simulate({ ...options, capacity: 4.5 })).rejects.toThrow('"capacity" expected integer >= 1')
    await expect(engine.simulate({ ...options, capacity: 'many' as never })).rejects.toThrow('"capacity" expected')
  })

  it.each<[string, object, string]>([
    ['NaN', { position: [1, Number.NaN], mass: [1] }, '"position" expected finite numbers, got NaN at index 1'],
    ['a mass below 0', { position: [1, 2], mass: [-1] }, '"mass" expected numbers >= 0, got -1 at index 0'],
    ['no mass', { position: [1, 2] }, '"mass" expected 1 numbers, 1 for each of the 1 points, got nothing'],
    ['too many', { position: new Float64Array(12), mass: new Float64Array(6).fill(1) }, '"points" expected at most 9'],
  ])('points with %s are refused', async (_, points, message) => {
    await using engine = await referenceEngine()
    await using simulation = await engine.simulate({ ...options, capacity: 9 })
    const before = await simulation.snapshot()
    await expect(simulation.add({ ...points, dimension: 2 } as never)).rejects.toThrow(message)
    expect(await simulation.snapshot()).toEqual(before)
  })
})

describe.each([undefined, 12])('a device that is lost, with a capacity of %s', (capacity) => {
  async function run(backends: Parameters<typeof createEngine>[0]['backends']) {
    await using engine = await createEngine({ backends, precision: 'f64' })
    await using simulation = await engine.simulate({ ...options, ...(capacity !== undefined && { capacity }) })
    await simulation.step(2)
    await simulation.write('position', [3, 1], { first: 3 })
    await simulation.step(2)
    await simulation.write('fixed', [0])
    await simulation.write('velocity', [1, 1], { indices: [2] })
    await simulation.step(2)
    // So many that the state is saved between them.
    for (let n = 0; n < 1010; n++) await simulation.write('velocity', [n / 1000, 1], { first: 2 })
    await simulation.step(1)
    await simulation.write('bonds', [[1, 2]])
    await simulation.step(2)
    await simulation.add({ position: [4, 4], mass: [1], dimension: 2 })
    await simulation.step(1)
    await simulation.remove([3])
    await simulation.step(2)
    const { arrays, forces, fixed } = await simulation.snapshot()
    return { found: { arrays, forces, fixed }, recoveries: simulation.recoveries.length }
  }

  it.each([10, 20, 30, 40, 50, 60, 70])('in run %i, gets the same writes again', async (at) => {
    const steady = await run([fakeBackend('steady')])
    const lost = await run([fakeBackend('flaky', { losesAt: [proofRuns + at] })])
    expect(lost.recoveries).toBe(1)
    expect(lost.found).toEqual(steady.found)
  })
})
