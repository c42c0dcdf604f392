// Verlet lists on the software GPU, reused for several rounds of a sequence. However points move between rounds, each round counts the pairs
// within the cutoff. The carried state determines its bits.

import { webgpu } from '@manybody/backend-webgpu'
import { type DomainOptions, type PairWorkload, pairTerm, periodic, reduce, sum } from '@manybody/core'
import { bind } from '@manybody/core/judge'
import { afterAll, describe, expect, it } from 'vitest'
import { numbers } from '../../support/numbers.ts'

const device = await webgpu().open()
afterAll(() => device.dispose())

const [count, cutoff] = [700, 0.2]
const skin = 0.12 * cutoff
/** Sums of it are counts, which have the same value in any order. */
const one = pairTerm('1')()
const close = pairTerm('exp(-40*r2)')()

const cube = (points: number, dimension: number, seed = 1) => Float32Array.from(numbers(points * dimension, seed))

/** Each point moved by the same length in its own direction. */
const moved = (position: Float32Array, length: number, dimension: number) =>
  position.map((x, n) => {
    const angle = 2.4 * Math.floor(n / dimension)
    return x + length * ([Math.cos(angle), Math.sin(angle)][n % dimension] ?? 0)
  })

/** A stage over points that stay on the device, by cells, and by all pairs. */
async function stageOf(workload: PairWorkload, position: Float32Array, dimension: 2 | 3, sizes = {}) {
  const { bindings, shape } = bind(workload, { position, dimension })
  const program = await device.prepare(workload, shape, { variant: 'cells', sizes })
  const all = await device.prepare(workload, shape, { variant: 'naive' })
  const points = await device.buffer(position.length)
  const value = await device.buffer(position.length / dimension)
  const [result = ''] = workload.results
  const carried = await device.buffer(program.carries as number)
  const set = { count: position.length / dimension, arrays: { position: points } }
  const stage = {
    program,
    bindings: { ...bindings, targets: set, sources: set },
    outputs: { [result]: value },
    carried,
  }
  const sequence = await device.sequence([stage])
  return {
    stage,
    sequence,
    points,
    carried,
    value,
    async round(now: Float32Array) {
      await points.write(now)
      await sequence.run(1)
      return value.read()
    },
    /** The sums over all pairs. */
    async expected(now: Float32Array) {
      return (await all.run(bind(workload, { position: now, dimension }).bindings))[result] as ArrayLike<number>
    },
    rounds: async () => (await carried.read())[0] as number,
    dispose() {
      for (const owned of [sequence, points, value, carried, program, all]) owned.dispose()
    },
  }
}

const domains: Readonly<Record<string, (dimension: 2 | 3) => DomainOptions>> = {
  'a box': (dimension) => ({ cutoff, boundary: periodic([1, 1.1, 0.9].slice(0, dimension)) }),
  'a box, with exclusions': (dimension) => ({
    cutoff,
    boundary: periodic([1, 1.1, 0.9].slice(0, dimension)),
    exclusions: [
      [0, 1],
      [5, 600],
      [5, 6],
    ],
  }),
}

describe.each(Object.entries(domains))('lists that last in %s', (_, domainOf) => {
  it.each([
    [2, {}],
    [3, {}],
    [3, { targets: 64, unroll: 4 }],
  ] as const)('count the pairs of every round, however points move, in %i-D with %j', async (dimension, sizes) => {
    const start = cube(count, dimension)
    const stage = await stageOf(sum(one, domainOf(dimension)), start, dimension, sizes)
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
    // One point jumps among others, and to the same place as another.
    await check(placed(3, 400, 0.01), 1)
    await check(placed(3, 400, 0.01), 2)
    await check(placed(3, 400, 0.01), 3)
    await check(placed(count - 1, 17, 0), 1)
    await check(placed(count - 1, 17, 0), 2)
    await check(placed(count - 1, 17, 0), 3)
    // By whole boxes, a point comes to the same place.
    await check(start, 1)
    await check(placed(9, 9, 1), 2)
    await check(placed(9, 9, -3), 3)
    await check(cube(count, dimension, 5), 1)
    stage.dispose()
  })
})

const box = { cutoff, boundary: periodic([1, 1, 1]) }

it('rest while points move fast, and then try again', async () => {
  const start = cube(count, 3)
  const stage = await stageOf(sum(one, box), start, 3)
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

it('are not kept where many points crowd, until these have spread', async () => {
  const spread = cube(count, 3)
  const crowded = spread.map((x) => 0.4 + 0.2 * x)
  const stage = await stageOf(sum(one, box), crowded, 3)
  const rounds: number[] = []
  for (const now of [crowded, crowded, crowded, ...Array<Float32Array>(31).fill(spread)]) {
    expect(await stage.round(now)).toEqual(await stage.expected(now))
    rounds.push(await stage.rounds())
  }
  expect(rounds.slice(0, 3)).toEqual([-32, -31, -30])
  expect(rounds.slice(31)).toEqual([-1, 0, 1])
  stage.dispose()
})

it('are not kept in a box hardly wider than two cutoffs, nor for points that are not finite', async () => {
  const start = cube(count, 3)
  const narrow = await stageOf(sum(one, { cutoff, boundary: periodic([1, 2.01 * cutoff, 1]) }), start, 3)
  expect(await narrow.round(start)).toEqual(await narrow.expected(start))
  expect(await narrow.rounds()).toBe(0)
  narrow.dispose()
  const stage = await stageOf(sum(one, box), start, 3)
  const lost = start.slice()
  lost[7] = Number.NaN
  const rounds: number[] = []
  for (const now of [start, start, lost, lost, lost]) {
    await stage.round(now)
    rounds.push(await stage.rounds())
  }
  expect(rounds).toEqual([1, 2, -32, -31, -30])
  stage.dispose()
})

it('have the bits of what is carried, not of what ran before', async () => {
  const start = cube(count, 3)
  const workload = sum(close, box)
  const stage = await stageOf(workload, start, 3)
  const near = moved(start, 0.4 * skin, 3)
  const before = cube(count, 3, 7)
  for (const now of [before, before, before, start]) await stage.round(now)
  const carried = await stage.carried.read()
  const bits = await stage.round(near)
  const other = await stageOf(workload, near, 3)
  const fresh = await other.round(near)
  await other.carried.write(carried)
  // Its lists were of other positions until now.
  expect(await other.round(near)).toEqual(bits)
  expect(await other.carried.read()).toEqual(await stage.carried.read())
  // The bits tell which lists were used.
  expect(fresh).not.toEqual(bits)
  // A stage may occur twice in a sequence, and two sequences may carry the same state.
  const twice = await device.sequence([stage.stage, stage.stage])
  await twice.run(2)
  expect(await stage.rounds()).toBe(6)
  expect(await stage.round(near)).toEqual(bits)
  for (const owned of [twice, stage, other]) owned.dispose()
})

it('of sequences with other numbers take turns', async () => {
  const start = cube(count, 3)
  const stage = await stageOf(sum(one, box), start, 3)
  const far = await stageOf(sum(one, { ...box, cutoff: 0.25 }), start, 3)
  await stage.round(start)
  const { parameters } = far.stage.bindings
  const wider = await device.sequence([{ ...stage.stage, bindings: { ...stage.stage.bindings, parameters } }])
  const rounds: number[] = []
  let now = start
  for (let n = 0; n < 8; n++) {
    now = moved(now, (n % 4 < 3 ? 0.1 : 0.9) * skin, 3)
    await stage.points.write(now)
    await wider.run(1)
    expect(await stage.value.read()).toEqual(await far.expected(now))
    expect(await stage.round(now)).toEqual(await stage.expected(now))
    rounds.push(await stage.rounds())
  }
  // The lists of one are built at the positions that the other carries.
  expect(rounds).toEqual([2, 4, 6, 2, 4, 6, 8, 2])
  for (const owned of [wider, stage, far]) owned.dispose()
})

it('that are too long for this device are met in full, once', async () => {
  const spread = cube(count, 3)
  const crowded = spread.map((x) => 0.4 + 0.2 * x)
  const stage = await stageOf(sum(one, box), spread, 3)
  await stage.round(spread)
  const carried = await stage.carried.read()
  const words = carried.length - crowded.length
  carried.set([5, 0, 0])
  carried.set(crowded, words)
  await stage.carried.write(carried)
  const rounds: number[] = []
  for (let n = 0; n < 3; n++) {
    expect(await stage.round(crowded)).toEqual(await stage.expected(crowded))
    rounds.push(await stage.rounds())
  }
  expect(rounds).toEqual([-32, -31, -30])
  stage.dispose()
})

it.each([
  ['max', reduce('max', pairTerm('r2')(), box)],
  ['logsumexp', reduce('logsumexp', pairTerm('3*r2')(), box)],
] as const)('give %s as cells do', async (_, workload) => {
  const start = cube(count, 3)
  const stage = await stageOf(workload, start, 3)
  const near = moved(start, 0.4 * skin, 3)
  for (const now of [start, near, start]) {
    const found = await stage.round(now)
    const expected = Array.from(await stage.expected(now))
    for (const [n, value] of expected.entries()) expect(found[n]).toBeCloseTo(value, 4)
  }
  // At the carried positions.
  await stage.carried.write(await stage.carried.read())
  expect(await stage.round(start)).toEqual(await stage.value.read())
  expect(await stage.rounds()).toBe(4)
  stage.dispose()
})

it('need a carried array for as many points', async () => {
  const stage = await stageOf(sum(one, box), cube(count, 3), 3)
  const carried = await device.buffer(7)
  await expect(device.sequence([{ ...stage.stage, carried }])).rejects.toThrow(
    new RangeError(`"carried" expected a buffer of length ${3 + 3 * count}, got 7`),
  )
  stage.dispose()
})
