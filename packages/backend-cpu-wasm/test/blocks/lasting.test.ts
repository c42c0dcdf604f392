// Verlet lists, reused for several rounds of a sequence. However points move between rounds, each round counts the pairs within
// the cutoff. The carried state determines its bits.

import {
  createEngine,
  type Device,
  type DomainOptions,
  forces,
  gravity,
  lennardJones,
  type PairWorkload,
  pairTerm,
  periodic,
  sum,
  yoshida4,
} from '@manybody/core'
import { bind } from '@manybody/core/judge'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { cube } from '../../../conformance/test/support/point-sets.ts'
import { cpuWasm } from '../../src/index.ts'
import { LastingLists } from '../../src/run/placement/lasting.ts'
import { devicesOfBothPrecisions } from '../support/devices.ts'

const [count, cutoff] = [700, 0.2]
const skin = 0.12 * cutoff
/** Sums of it are counts, which have the same value in any order. */
const one = pairTerm('1')()
const close = pairTerm('exp(-40*r2)')()
const devices = devicesOfBothPrecisions()
afterEach(() => vi.restoreAllMocks())

/** A stage over points that stay on the device, by blocks, and by all pairs. */
async function stageOf(device: Device, workload: PairWorkload, position: Float32Array, dimension: 2 | 3) {
  const { bindings, shape } = bind(workload, { position, dimension })
  const program = await device.prepare(workload, shape, { variant: 'blocks' })
  const all = await device.prepare(workload, shape, { variant: 'simd' })
  const points = await device.buffer(position.length)
  const value = await device.buffer(position.length / dimension)
  const carried = await device.buffer(program.carries as number)
  const set = { count: position.length / dimension, arrays: { position: points } }
  const stage = { program, bindings: { ...bindings, targets: set, sources: set }, outputs: { value }, carried }
  const sequence = await device.sequence([stage])
  return {
    stage,
    sequence,
    points,
    carried,
    async round(now: Float32Array) {
      await points.write(now)
      await sequence.run(1)
      return value.read()
    },
    /** The sums over all pairs. */
    async expected(now: Float32Array) {
      return (await all.run(bind(workload, { position: now, dimension }).bindings)).value
    },
    rounds: async () => (await carried.read())[0] as number,
    dispose() {
      for (const owned of [sequence, points, value, carried, program, all]) owned.dispose()
    },
  }
}

/** Each point moved by the same length in its own direction. */
const moved = (position: Float32Array, length: number, dimension: number) =>
  position.map((x, n) => {
    const angle = 2.4 * Math.floor(n / dimension)
    return x + length * ([Math.cos(angle), Math.sin(angle)][n % dimension] ?? 0)
  })

const domains: Readonly<Record<string, (dimension: 2 | 3) => DomainOptions>> = {
  'open space': () => ({ cutoff }),
  'a periodic box': (dimension) => ({ cutoff, boundary: periodic([1, 1.1, 0.9].slice(0, dimension)) }),
  'a wire': (dimension) => ({ cutoff, boundary: periodic([Infinity, 1.1, Infinity].slice(0, dimension)) }),
  'a box hardly wider than two cutoffs': (dimension) => ({
    cutoff,
    boundary: periodic([1, 2.01 * cutoff, 1].slice(0, dimension)),
  }),
  'open space, with exclusions': () => ({
    cutoff,
    exclusions: [
      [0, 1],
      [5, 600],
      [5, 6],
    ],
  }),
}

describe.each(['f32', 'f64'] as const)('lists that last, in %s', (precision) => {
  const device = () => devices[precision] as Device

  describe.each(Object.entries(domains))('in %s', (_, domainOf) => {
    it.each([2, 3] as const)('count the pairs of every round, however points move, in %i-D', async (dimension) => {
      const start = cube(count, dimension)
      const stage = await stageOf(device(), sum(one, domainOf(dimension)), start, dimension)
      const check = async (now: Float32Array, rounds: number) => {
        expect(await stage.round(now)).toEqual(await stage.expected(now))
        expect(await stage.rounds()).toBe(rounds)
      }
      /** A point at a place, given by another point and a step along the first axis. */
      const placed = (point: number, other: number, step: number) => {
        const now = start.slice()
        for (let axis = 0; axis < dimension; axis++)
          now[point * dimension + axis] = (start[other * dimension + axis] as number) + (axis === 0 ? step : 0)
        return now
      }
      await check(start, 1)
      // As far as points may move before a rebuild, and a step farther.
      await check(moved(start, 0.49 * skin, dimension), 2)
      await check(moved(start, -0.49 * skin, dimension), 3)
      const farther = moved(start, 0.51 * skin, dimension)
      await check(farther, 1)
      await check(farther, 2)
      await check(farther, 3)
      // One point jumps among others, to the same place as another, and by whole boxes.
      await check(placed(3, 400, 0.01), 1)
      await check(placed(3, 400, 0.01), 2)
      await check(placed(3, 400, 0.01), 3)
      await check(placed(count - 1, 17, 0), 1)
      await check(placed(count - 1, 17, 0), 2)
      await check(placed(count - 1, 17, 0), 3)
      await check(placed(9, 9, 1), 1)
      await check(placed(9, 9, 1), 2)
      await check(placed(9, 9, 1), 3)
      await check(cube(count, dimension, 5), 1)
      stage.dispose()
    })
  })

  it('rest while points move fast, and then try again', async () => {
    const start = cube(count, 3)
    const stage = await stageOf(device(), sum(one, { cutoff }), start, 3)
    const rounds: number[] = []
    for (let n = 0; n < 40; n++) {
      const now = moved(start, skin * n, 3)
      expect(await stage.round(now)).toEqual(await stage.expected(now))
      rounds.push(await stage.rounds())
    }
    expect(rounds.slice(0, 3)).toEqual([1, -32, -31])
    expect(rounds.slice(33, 37)).toEqual([0, 1, -32, -31])
    stage.dispose()
  })

  it('are not kept if they take too much memory', async () => {
    const start = cube(4000, 3)
    const wide = { cutoff: 0.6 }
    const stage = await stageOf(device(), sum(one, wide), start, 3)
    expect(await stage.round(start)).toEqual(await stage.expected(start))
    expect(await stage.rounds()).toBe(-32)
    expect(await stage.round(start)).toEqual(await stage.expected(start))
    expect(await stage.rounds()).toBe(-31)
    stage.dispose()
  })

  it('are made once, though other points are divided into units of other sizes', async () => {
    const { fit } = LastingLists.prototype
    const again: boolean[] = []
    vi.spyOn(LastingLists.prototype, 'fit').mockImplementation(function (this: LastingLists) {
      fit.call(this)
      again.push(this.again)
    })
    const stage = await stageOf(device(), sum(one, { cutoff: 0.07, exclusions: [[0, 1]] }), cube(20_000, 3), 3)
    for (let set = 1; set <= 5; set++)
      for (let round = 1; round <= 3; round++) {
        await stage.round(cube(20_000, 3, set))
        expect(await stage.rounds()).toBe(round)
      }
    stage.dispose()
    expect(again).toEqual([false, false, false, false, false])
  })

  it('have the bits of what is carried, not of what ran before', async () => {
    const start = cube(count, 3)
    const workload = sum(close, { cutoff, boundary: periodic([1, 1, 1]) })
    const stage = await stageOf(device(), workload, start, 3)
    const near = moved(start, 0.4 * skin, 3)
    const before = cube(count, 3, 7)
    for (const now of [before, before, before, start]) await stage.round(now)
    const carried = await stage.carried.read()
    const bits = await stage.round(near)
    const other = await stageOf(device(), workload, near, 3)
    const fresh = await other.round(near)
    await other.carried.write(carried)
    // The owner's lists were of other positions until now.
    expect(await other.round(near)).toEqual(bits)
    expect(await other.carried.read()).toEqual(await stage.carried.read())
    // The bits tell which lists were used.
    expect(fresh).not.toEqual(bits)
    // A stage that occurs twice in a sequence has one placement, and two sequences may carry the same state.
    const twice = await device().sequence([stage.stage, stage.stage])
    await twice.run(2)
    expect(await stage.rounds()).toBe(6)
    expect(await stage.round(near)).toEqual(bits)
    twice.dispose()
    stage.dispose()
    other.dispose()
  })

  it('are right again after a run that was aborted anywhere', async () => {
    const start = cube(20_000, 3)
    const stage = await stageOf(device(), sum(one, { cutoff: 0.05 }), start, 3)
    for (let after = 0; after < 12; after++) {
      const now = cube(20_000, 3, after + 2)
      await stage.points.write(now)
      const controller = new AbortController()
      const run = stage.sequence.run(50, { signal: controller.signal }).catch(() => {})
      await new Promise((resolve) => setTimeout(resolve, after))
      controller.abort()
      await run
      expect(await stage.round(now)).toEqual(await stage.expected(now))
    }
    stage.dispose()
  })
})

/** Atoms of a liquid that flows. */
function liquid(count: number) {
  const cells = Math.round(Math.cbrt(count))
  const edge = 1.06
  const site = (n: number) => [n % cells, Math.floor(n / cells) % cells, Math.floor(n / cells ** 2)]
  const position = Float64Array.from({ length: 3 * cells ** 3 }, (_, n) => edge * (site(Math.floor(n / 3))[n % 3] ?? 0))
  return { position, velocity: position.map((_, n) => 2 * Math.sin(n * n)), box: cells * edge }
}

describe.each([1, 2])('a simulation on %i threads', (threads) => {
  it.each(['f32', 'f64'] as const)(
    'whose lists last resumes bit for bit, in steps of any number, in %s',
    async (precision) => {
      const engine = await createEngine({ backends: [cpuWasm({ threadsFrom: 0 })], threads, precision })
      const { position, velocity, box } = liquid(2000)
      const law = lennardJones({ epsilon: 1, sigma: 1 })
      const domain = { cutoff: 2.5, boundary: periodic([box, box, box]) }
      const particles = { position, velocity, mass: position.slice(0, position.length / 3).fill(1) }
      const simulation = await engine.simulate({ law, particles, domain, integrator: yoshida4, dt: 0.004 })
      const others: Awaited<ReturnType<typeof engine.resume>>[] = []
      const lasted: number[] = []
      for (const steps of [1, 2, 3, 5]) {
        await simulation.step(steps)
        const snapshot = structuredClone(await simulation.snapshot())
        lasted.push(snapshot.carried?.[0]?.[0] ?? Number.NaN)
        others.push(await engine.resume(snapshot))
      }
      // Some lists were reused for several rounds.
      expect(Math.max(...lasted)).toBeGreaterThan(2)
      await simulation.write(
        'position',
        (await simulation.read('position')).map((x, n) => (n === 6 ? x + 3 * box : x)),
      )
      for (const resumed of others) {
        for (; resumed.steps < simulation.steps; ) await resumed.step(1)
        await resumed.write(
          'position',
          (await resumed.read('position')).map((x, n) => (n === 6 ? x + 3 * box : x)),
        )
      }
      await simulation.step(4)
      for (const resumed of others) {
        await resumed.step(4)
        for (const name of ['position', 'velocity', 'acceleration'])
          expect(await resumed.read(name)).toEqual(await simulation.read(name))
      }
      await engine.dispose()
    },
  )
})

it('follows atoms as a simulation by all pairs does', async () => {
  const { position, velocity, box } = liquid(1000)
  const law = lennardJones({ epsilon: 1, sigma: 1 })
  const domain = { cutoff: 2.5, boundary: periodic([box, box, box]) }
  const particles = { position, velocity, mass: position.slice(0, position.length / 3).fill(1) }
  const engine = await createEngine({ backends: [cpuWasm()], threads: 1, precision: 'f64' })
  const simulation = await engine.simulate({ law, particles, domain, dt: 0.002 })
  await simulation.step(60)
  const now = await simulation.read('position')
  const acceleration = await simulation.read('acceleration')
  const carried = (await simulation.snapshot()).carried?.[0]
  expect(carried?.[0]).toBeGreaterThan(0)
  const { force } = await engine.run(forces(law, domain), { position: now })
  const most = force.reduce((most, f) => Math.max(most, Math.abs(f)), 0)
  for (const [n, a] of acceleration.entries()) expect(Math.abs(a - (force[n] as number))).toBeLessThan(1e-12 * most)
  await engine.dispose()
})

it('rejects damaged snapshots of what is carried', async () => {
  const engine = await createEngine({ backends: [cpuWasm()], threads: 1 })
  const position = cube(1000, 3)
  const mass = new Float32Array(1000).fill(1)
  const law = gravity({ softening: 0.1 })
  const simulation = await engine.simulate({ law, particles: { position, mass }, domain: { cutoff: 0.1 }, dt: 1e-4 })
  await simulation.step(3)
  const snapshot = structuredClone(await simulation.snapshot())
  const [carried] = snapshot.carried as [Float32Array]
  expect(carried).toHaveLength(3001)
  carried[7] = 0.5
  await expect(engine.resume(snapshot)).rejects.toThrow(/^"carried\.0" does not match the checksum/)
  // Without checksums, the carried state is left out, and the forces are computed again.
  const resumed = await engine.resume({ ...snapshot, checksum: undefined })
  const found = (await resumed.snapshot()).carried?.[0]
  expect([...(found ?? [])]).toEqual([1, ...(await resumed.read('position'))])
  await engine.dispose()
})
