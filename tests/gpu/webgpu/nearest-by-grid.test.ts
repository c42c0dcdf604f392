// The nearest sources by a grid where they are spread evenly, and by blocks elsewhere, against all pairs, on the software GPU.

import { webgpu } from '@manybody/backend-webgpu'
import { nearest, type PairWorkload, type Particles, pairTerm, reduce } from '@manybody/core'
import { bind } from '@manybody/core/judge'
import { afterAll, describe, expect, test } from 'vitest'
import { designsOf } from '../../../packages/backend-webgpu/src/compile/designs/designs.ts'
import { gridWords } from '../../../packages/backend-webgpu/src/design/even-grid.ts'
import { resultsOf } from '../../../packages/backend-webgpu/src/run/drivers/drivers.ts'
import { findAdapter } from '../../../packages/backend-webgpu/src/run/host/adapter.ts'
import { openHost } from '../../../packages/backend-webgpu/src/run/host/host.ts'
import { workIn } from '../../../packages/backend-webgpu/test/support/work.ts'
import { cube } from '../../../packages/conformance/test/support/point-sets.ts'
import { wordsAfter } from '../../support/gpu/dispatched.ts'

const device = await webgpu().open()
const host = await openHost(await findAdapter({}))
afterAll(() => {
  device.dispose()
  host.dispose()
})

/** So few that all pairs take no longer than compiling. */
const points = 1000

/** The bits of a positive number, and of none. */
const isEven = 0x3f800000
/** The count of a workgroup that is left to the loop over blocks. */
const left = 2 ** 32 - 1

/** What the device decides for a set: whether it is spread evenly, and how many workgroups of targets are far from the grid. */
async function decided(workload: PairWorkload, particles: Particles): Promise<{ even: boolean; strays: number }> {
  const { bindings, shape } = bind(workload, particles)
  const design = designsOf(workload, shape, host).of({ variant: 'blocks' })
  const run = { bindings, options: {}, budget: () => 1e12 }
  const { scratch, steps } = workIn(design, run, resultsOf(design, bindings, {}, true))
  const dispatches = [...steps].flatMap((step) => step.dispatches)
  const { grid = 0, evaluated = 0, targetCount = 0 } = dispatches.at(-1)?.values ?? {}
  const sizes = Object.fromEntries(Object.entries(scratch).map(([key, bytes]) => [key, bytes / 4]))
  const positions = (['targets', 'sources'] as const).map(
    (set) => [shape.sameSet ? 'points.position' : `${set}.position`, bindings[set].arrays.position] as const,
  )
  const arrays = {
    ...sizes,
    ...Object.fromEntries(positions.map(([key, array]) => [key, new Float32Array(array as Float32Array)])),
  }
  // Without the loop over blocks, which replaces the counts of workgroups that are left to it.
  const order = await wordsAfter(
    host,
    dispatches.slice(0, -1),
    { ...arrays, 'result.index': 64 * targetCount, 'result.distance': 64 * targetCount, 'result.value': targetCount },
    'order',
    (sizes.order as number) | 0,
  )
  const counts = order.subarray(evaluated, evaluated + Math.ceil(targetCount / 32))
  return { even: order[grid + gridWords.isEven] === isEven, strays: counts.filter((count) => count === left).length }
}

async function results(variant: string, workload: PairWorkload, particles: Particles) {
  const { bindings, shape } = bind(workload, particles)
  const program = await device.prepare(workload, shape, { variant })
  const results = await program.run(bindings)
  program.dispose()
  return Object.fromEntries(Object.entries(results).map(([name, values]) => [name, [...values]]))
}

const placed = (count: number, place: (x: number, n: number) => number) =>
  cube(count, 3, 5).map((x, n) => place(x, n)) as Float32Array
/** Replaces the coordinates of some points. */
const except = (position: Float32Array, others: Readonly<Record<number, readonly number[]>>) => {
  const changed = position.slice()
  for (const [point, place] of Object.entries(others)) changed.set(place, 3 * Number(point))
  return changed
}

const evenly: Readonly<Record<string, Float32Array>> = {
  'in a cube': cube(points, 3),
  'in a thin plate': placed(points, (x, n) => (n % 3 === 2 ? 0.002 * x : x)),
  'in a plane': placed(points, (x, n) => (n % 3 === 1 ? -3 : x)),
  'on a line along x': placed(points, (x, n) => (n % 3 ? 2 : x)),
  'on a line along y, but for one': except(
    placed(points, (x, n) => (n % 3 === 1 ? x : 2)),
    { 9: [2.2, 0.5, 2] },
  ),
  'on a line along z': placed(points, (x, n) => (n % 3 === 2 ? x : -1)),
  'in a ball, and in a halo around it': placed(points, (x, n) => (x - 0.5) * (Math.floor(n / 3) % 4 ? 1 : 2)),
  'on a lattice': placed(512, (_, n) => 0.1 * ((Math.floor(n / 3) >> (3 * (n % 3))) & 7)),
}

const unevenly: Readonly<Record<string, Float32Array>> = {
  'in one place': new Float32Array(3 * points).fill(0.3),
  'half of them in a corner': placed(20_000, (x, n) => (n % 6 < 3 ? 1e-3 * x : x)),
  'with one crowded cell': placed(20_000, (x, n) => (n < 3 * 600 ? 0.5 + 1e-5 * x : x)),
}

describe.each([
  ['a list', nearest(2)],
  ['a list of several passes', nearest(20)],
  ['a list of several rounds', nearest(70)],
  ['the nearest', reduce('argmin', pairTerm('r')())],
])('%s', (_, workload) => {
  test.each(Object.entries(evenly))('of points %s is found by a grid', async (_, position) => {
    expect(await decided(workload, { position })).toMatchObject({ even: true })
    expect(await results('blocks', workload, { position })).toEqual(await results('naive', workload, { position }))
  })

  test.each(Object.entries(unevenly))('of points %s is found by blocks', async (_, position) => {
    expect((await decided(workload, { position })).even).toBe(false)
    const some = position.subarray(0, 3 * points)
    expect(await results('blocks', workload, { position: some })).toEqual(
      await results('naive', workload, { position: some }),
    )
  })
})

test('points far from all others are left to blocks, and look as far as they must', async () => {
  const position = except(cube(points, 3), { 5: [1e6, -2e6, 3], 700: [1.01, 0.5, -0.02], 990: [0.5, 1e30, 0.5] })
  expect(await decided(nearest(2), { position })).toEqual({ even: true, strays: 2 })
  expect(await results('blocks', nearest(2), { position })).toEqual(await results('naive', nearest(2), { position }))
})

test.each([-0.3, 1.3])('points beside the grid, at %f, find each other', async (beside) => {
  // All in one of the shares of the points, which the box around nearly all of them leaves out. Some of them are in other rows than the
  // point that is nearest to them, and have another one in their own.
  const lines = Array.from({ length: 12 }, (_, n) => [0, 0.04].map((more) => 0.08 * n + more)).flat()
  const others = lines.flatMap((z) => [
    [0.5, beside, z],
    [0.56, beside, z],
  ])
  const position = except(cube(points, 3), Object.fromEntries(others.map((place, n) => [16 * (n + 1), place])))
  expect(await decided(nearest(1), { position })).toEqual({ even: true, strays: 0 })
  expect(await results('blocks', nearest(1), { position })).toEqual(await results('naive', nearest(1), { position }))
})

test('targets among the sources of another set go by a grid, and targets beside them by blocks', async () => {
  const sources = { position: cube(points, 3) }
  for (const [move, even] of [
    [0, true],
    [4, false],
  ] as const) {
    const given = { targets: { position: cube(200, 3, 2).map((x) => x + move) as Float32Array }, sources }
    expect((await decided(nearest(2), given)).even).toBe(even)
    expect(await results('blocks', nearest(2), given)).toEqual(await results('naive', nearest(2), given))
  }
})

test('targets above a sheet of sources go by blocks, and one beside it does not disturb the others', async () => {
  const flat = placed(points, (x, n) => (n % 3 === 2 ? 0 : x))
  const above = { targets: { position: cube(200, 3, 2) }, sources: { position: flat } }
  expect((await decided(nearest(2), above)).even).toBe(false)
  expect(await results('blocks', nearest(2), above)).toEqual(await results('naive', nearest(2), above))
  const position = except(flat, { 40: [0.5, 0.5, 3] })
  expect(await decided(nearest(2), { position })).toEqual({ even: true, strays: 1 })
  expect(await results('blocks', nearest(2), { position })).toEqual(await results('naive', nearest(2), { position }))
})

test('in rounds, a point that is not finite has no neighbours, and is none', async () => {
  const k = 20
  const workload = nearest(k)
  const { bindings, shape } = bind(workload, { position: cube(points, 3) })
  const lost = except(cube(points, 3), { 7: [Number.NaN, 0, 0], 300: [0, Number.POSITIVE_INFINITY, 0] })
  const rows: Float32Array[] = []
  for (const variant of ['blocks', 'naive']) {
    const program = await device.prepare(workload, shape, { variant })
    const [position, index, distance] = [
      await device.buffer(3 * points),
      await device.buffer(k * points),
      await device.buffer(k * points),
    ]
    await position.write(lost)
    const set = { ...bindings.targets, arrays: { position } }
    const sequence = await device.sequence([
      { program, bindings: { ...bindings, targets: set, sources: set }, outputs: { index, distance } },
    ])
    await sequence.run(1)
    rows.push((await index.read()) as Float32Array)
    for (const one of [sequence, program, position, index, distance]) one.dispose()
  }
  const [byGrid, all] = rows as [Float32Array, Float32Array]
  expect([...byGrid]).toEqual([...all])
  expect([...byGrid.subarray(7 * k, 8 * k)]).toEqual(Array(k).fill(-1))
})

test('a cutoff ends the search', async () => {
  const position = cube(300, 3)
  for (const workload of [nearest(20, { cutoff: 0.2 }), nearest(20, { cutoff: 0.2, self: 'include' })]) {
    expect((await decided(workload, { position })).even).toBe(true)
    const found = await results('blocks', workload, { position })
    expect(found).toEqual(await results('naive', workload, { position }))
    expect(found.index).toContain(-1)
  }
})
