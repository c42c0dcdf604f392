// Shaders that visit pairs by blocks of points: printed, and compiled on Dawn's null backend for every kind of fold. tests/gpu
// checks the results.

import {
  countWithin,
  forces,
  lennardJones,
  nearest,
  type PairWorkload,
  pairTerm,
  periodic,
  reduce,
  type Shape,
} from '@manybody/core'
import { type ReachRule, reachTerms } from '@manybody/core/near'
import { sampleBindings } from '@manybody/core/samples'
import { expect, test } from 'vitest'
import { designsOf } from '../../src/compile/designs/designs.ts'
import { levelsOf } from '../../src/design/block-tree.ts'
import { shadersOf } from '../../src/design/design.ts'
import type { LoopHost } from '../../src/design/facts.ts'
import { leastLimits } from '../../src/design/least-limits.ts'
import { interactionsIn } from '../../src/run/drivers/driver.ts'
import { resultsOf } from '../../src/run/drivers/drivers.ts'
import { findAdapter } from '../../src/run/host/adapter.ts'
import { openHost } from '../../src/run/host/host.ts'
import { compiled } from '../../src/run/programs/compiled-program.ts'
import { expectPrinted } from '../support/printed.ts'
import { workIn } from '../support/work.ts'

const host = await openHost(await findAdapter({ dawn: ['backend=null'] }))
const shape: Shape = { dimension: 3, targets: 5000, sources: 5000, sameSet: true, vectors: ['position'] }
const blocks = (workload: PairWorkload, points = shape, sizes = {}, on: LoopHost = host) =>
  designsOf(workload, points, on).of({ variant: 'blocks', sizes })
const box = { cutoff: 2.5, boundary: periodic([20, 20, 20]) }

test('the shaders of Lennard-Jones in a box match the files', async () => {
  const sort = ['clear', 'sum', 'start', 'place', 'sum-parts', 'start-parts', 'rank', 'count', 'divide']
  const names = [...sort, 'gather', 'boxes', 'loop'].map((name) => `blocks/lennard-jones-${name}`)
  await expectPrinted(blocks(forces(lennardJones(), box), shape, { unroll: 1 }), ...names)
})

test('the shaders of circles that touch, whose pairs are looked for by their sizes, match the files', async () => {
  const plane = { ...shape, dimension: 2 as const }
  const design = blocks(countWithin('radius_i + radius_j'), plane, { unroll: 1 })
  const [gather, loop] = [shadersOf(design).find(({ code }) => code.includes('run.sizes')), shadersOf(design).at(-1)]
  await expect(gather?.code).toMatchFileSnapshot('./shaders/blocks/touching-gather.wgsl')
  await expect(loop?.code).toMatchFileSnapshot('./shaders/blocks/touching-loop.wgsl')
  await compiled(host, design)
  await compiled(
    host,
    blocks(countWithin('k*max(radius_i, 1)', { parameters: { k: 2 } }), { ...plane, sameSet: false }),
  )
})

test('the shader of neighbours in open space, of two sets with exclusions, matches the file', async () => {
  const flat = { ...shape, dimension: 2 as const, targets: 90, sources: 200, sameSet: false }
  const design = blocks(nearest(2, { cutoff: 1, exclusions: [[0, 1]] }), flat)
  const loop = shadersOf(design).at(-1)
  await expect(loop?.code).toMatchFileSnapshot('./shaders/blocks/nearest-loop.wgsl')
  await compiled(host, design)
})

test('the shader of the nearest without a cutoff, in a box, matches the file', async () => {
  const box = nearest(2, { boundary: periodic([20, 20, 20]) })
  const design = blocks(box, { ...shape, targets: 90, sameSet: false }, { unroll: 1 })
  await expect(shadersOf(design).at(-1)?.code).toMatchFileSnapshot('./shaders/blocks/nearest-narrowing-loop.wgsl')
  await compiled(host, design)
  await expect(shadersOf(blocks(nearest(20))).at(-1)?.code).toMatchFileSnapshot(
    './shaders/blocks/nearest-ranked-loop.wgsl',
  )
  for (const workload of [nearest(1), nearest(256), reduce('min', pairTerm('r')())])
    await compiled(host, blocks(workload))
})

test('the shaders of the nearest by a grid match the files', async () => {
  const named = (workload: PairWorkload, points: Shape, label: RegExp) =>
    shadersOf(blocks(workload, points)).find((shader) => label.test(shader.label))?.code
  const flat = { ...shape, dimension: 2 as const, sameSet: false }
  await expect(named(nearest(2), shape, /lay a grid/)).toMatchFileSnapshot('./shaders/grid/nearest-lay.wgsl')
  await expect(named(nearest(2), shape, /count points/)).toMatchFileSnapshot('./shaders/grid/nearest-count.wgsl')
  await expect(named(nearest(2), shape, /by a grid/)).toMatchFileSnapshot('./shaders/grid/nearest-loop.wgsl')
  await expect(named(nearest(20), flat, /lay a grid/)).toMatchFileSnapshot('./shaders/grid/nearest-ranked-lay.wgsl')
  await expect(named(nearest(20), flat, /by a grid/)).toMatchFileSnapshot('./shaders/grid/nearest-ranked-loop.wgsl')
  await compiled(host, blocks(nearest(20), flat))
})

test.each([
  ['two levels and the blocks', 300_000, 3],
  ['only blocks', 2000, 1],
])('the tree of boxes may have %s', async (_, points, levels) => {
  expect(levelsOf(points)).toHaveLength(levels)
  await compiled(host, blocks(countWithin(1), { ...shape, targets: points, sources: points }))
})

test('the loop fits the arrays and the workgroup memory of every device', () => {
  const least = { ...host, limits: leastLimits }
  for (const workload of [
    forces(lennardJones(), box),
    nearest(15, { cutoff: 1 }),
    nearest(256),
    reduce('argmin', pairTerm('r2')(), box),
  ])
    for (const shader of shadersOf(blocks(workload, shape, {}, least))) {
      expect(shader.memory).toBeLessThanOrEqual(16384)
      expect(shader.resources.length).toBeLessThanOrEqual(8)
    }
})

test('long lists give each target one invocation, and are refused if they still do not fit', () => {
  expect(blocks(nearest(200, { cutoff: 1 })).variant).toBe('blocks (workgroup 32, targets 32, unroll 4)')
  const limited = (limits: Partial<LoopHost['limits']>): LoopHost => ({
    ...host,
    limits: { ...leastLimits, ...limits },
  })
  const law = forces(lennardJones(), box)
  expect(() => blocks(law, shape, {}, limited({ maxComputeWorkgroupStorageSize: 4096 }))).toThrow(
    /needs \d+ bytes of workgroup memory, device limit is 4096/,
  )
  expect(() => blocks(law, shape, {}, limited({ maxStorageBuffersPerShaderStage: 4 }))).toThrow(
    /binds \d+ arrays, device limit is 4/,
  )
  expect(() => blocks(law, shape, {}, limited({ maxStorageBufferBindingSize: 2 ** 16 }))).toThrow(
    /needs \d+ bytes for one array, device limit is 65536/,
  )
})

test('sums keep the bound of blocks, also if a tile is not full', () => {
  const many = { ...shape, targets: 1e6, sources: 1e6 }
  expect(blocks(forces(lennardJones(), box), many).accumulation).toBe('block')
  expect(blocks(countWithin(1), many).accumulation).toBe('none')
})

test('a run is divided into steps of whole workgroups, and the first step puts the points in order', () => {
  const workload = forces(lennardJones(), { cutoff: 0.2 })
  const points = { ...shape, targets: 1000, sources: 1000 }
  const design = blocks(workload, points)
  const run = { bindings: sampleBindings(workload, points), options: {}, budget: () => 300 * 1000 }
  const steps = [...workIn(design, run, resultsOf(design, run.bindings, {}, false)).steps]
  const loops = steps.map(({ dispatches }) => dispatches.at(-1)?.values)
  expect(loops.map((values) => [values?.groupFirst, values?.groupLast])).toEqual([
    [0, 9],
    [9, 18],
    [18, 27],
    [27, 32],
  ])
  expect(steps.map(({ dispatches }) => dispatches.length)).toEqual([19, 1, 1, 1])
  expect(steps.map(({ evaluated }) => evaluated && interactionsIn(evaluated, new Uint32Array(32).fill(10)))).toEqual([
    undefined,
    undefined,
    undefined,
    10 * 1000,
  ])
})

test('the reach of float32 boxes is longer by their rounding', () => {
  const rule: ReachRule = { cutoff: 2, precision: 'f32', dimension: 3, unit: 1, periodic: false, split: false }
  expect(reachTerms({ ...rule, boxes: 'f32' }).ofSize).toBe(0)
  expect(reachTerms({ ...rule, boxes: 'f32' }).fixed).toBeGreaterThan(reachTerms(rule).fixed)
  for (const more of [{ periodic: true }, { split: true }])
    expect(reachTerms({ ...rule, ...more, boxes: 'f32' }).ofSize).toBeGreaterThan(
      reachTerms({ ...rule, ...more }).ofSize,
    )
})
