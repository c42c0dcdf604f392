// Shaders that visit pairs by a grid of cells: printed, and compiled on Dawn's null backend for every kind of fold. tests/gpu checks the
// results.

import {
  countWithin,
  forces,
  lennardJones,
  nearest,
  neighborsWithin,
  type PairWorkload,
  pairTerm,
  periodic,
  potentials,
  reduce,
  type Shape,
} from '@manybody/core'
import { sampleBindings } from '@manybody/core/samples'
import { expect, test } from 'vitest'
import { designsOf } from '../../src/compile/designs/designs.ts'
import { cellGrid, mostCells, suitsCells } from '../../src/design/cell-layout.ts'
import { type CellsDesign, type ProgramDesign, shadersOf } from '../../src/design/design.ts'
import type { LoopHost } from '../../src/design/facts.ts'
import { leastLimits } from '../../src/design/least-limits.ts'
import { resultsOf } from '../../src/run/drivers/drivers.ts'
import { findAdapter } from '../../src/run/host/adapter.ts'
import { openHost } from '../../src/run/host/host.ts'
import { compiled } from '../../src/run/programs/compiled-program.ts'
import { expectPrinted } from '../support/printed.ts'
import { workIn } from '../support/work.ts'

const host = await openHost(await findAdapter({ dawn: ['backend=null'] }))
const shape: Shape = { dimension: 3, targets: 5000, sources: 5000, sameSet: true, vectors: ['position'] }
const cells = (workload: PairWorkload, points = shape, sizes = {}, on: LoopHost = host) =>
  designsOf(workload, points, on).of({ variant: 'cells', sizes })
const box = { cutoff: 2.5, boundary: periodic([20, 20, 20]) }

test('the shaders of Lennard-Jones match the files', async () => {
  const names = ['clear', 'sum', 'start', 'place', 'count', 'gather', 'loop']
  await expectPrinted(
    cells(forces(lennardJones(), box), shape, { unroll: 1, targets: 64 }),
    ...names.map((name) => `cells/lennard-jones-${name}`),
  )
})

test('the shaders of Lennard-Jones with Verlet lists match the files', async () => {
  const design = cells(forces(lennardJones(), box), shape, { unroll: 2, targets: 16 })
  const names = ['refresh', 'count', 'sum', 'start', 'place', 'gather', 'cells', 'loop']
  await expectPrinted(
    (design as CellsDesign).lasting as ProgramDesign,
    ...names.map((name) => `verlet/lennard-jones-${name}`),
  )
})

test('the shader of two sets in a plane, with exclusions, matches the file', async () => {
  const flat = { ...shape, dimension: 2 as const, targets: 90, sources: 200, sameSet: false }
  const exclusions = [[0, 1]] as const
  const design = cells(countWithin(1, { boundary: periodic([9, 9]), exclusions }), flat, { unroll: 1 })
  await expect(shadersOf(design).at(-1)?.code).toMatchFileSnapshot('./shaders/cells/count-loop.wgsl')
  await compiled(host, design)
})

test('the loops fit the arrays and the workgroup memory of every device, and compile', async () => {
  const least = { ...host, limits: leastLimits }
  for (const workload of [
    forces(lennardJones(), { ...box, exclusions: [[0, 1]] }),
    potentials(lennardJones(), box),
    neighborsWithin(1, box.boundary && { boundary: box.boundary }),
    reduce('max', pairTerm('r2')(), box),
    reduce('argmax', pairTerm('r2')(), box),
    reduce('logsumexp', pairTerm('r2')(), box),
  ]) {
    const design = cells(workload, shape, {}, least) as CellsDesign
    const lasting = design.lasting as ProgramDesign
    // Devices that bind no more have no lists for laws with exclusions.
    const most = workload.domain.exclusions.length > 0 ? 9 : 8
    for (const shader of [...shadersOf(design), ...shadersOf(lasting)]) {
      expect(shader.memory).toBeLessThanOrEqual(16384)
      expect(shader.resources.length).toBeLessThanOrEqual(most)
    }
    if (most === 8) await compiled(host, lasting)
    await compiled(host, cells(workload))
  }
})

test('other workloads are refused', () => {
  for (const [workload, points] of [
    [forces(lennardJones(), { cutoff: 2 }), shape],
    [nearest(4, box), shape],
    [forces(lennardJones()), shape],
    [forces(lennardJones(), box), { ...shape, split: true }],
  ] as const)
    expect(() => cells(workload, points)).toThrow('"variant" cells is for workloads')
})

test('a cutoff of half the box is refused, because pairs may be within it through two images', () => {
  const workload = countWithin(10, { boundary: periodic([20, 20, 20]) })
  const design = cells(workload)
  const bindings = sampleBindings(workload, shape)
  expect(() =>
    workIn(design, { bindings, options: {}, budget: () => 1e9 }, resultsOf(design, bindings, {}, false)),
  ).toThrow(
    '"variant" cells expected a cutoff below half the shortest box length, got 10 in a box of 20 x 20 x 20; name another variant',
  )
})

const rule = { precision: 'f32', boxes: 'f32', dimension: 3, periodic: true, split: false } as const
const parameters = (cutoff: number, length: number) => ({ cutoff, boxX: length, boxY: length, boxZ: length })

test.each([
  ['a liquid', parameters(2.5, 107), 1_048_576, true],
  ['a gas of few points', parameters(2.5, 1000), 5000, false],
  ['a cutoff of half the box', parameters(10, 20), 5000, false],
  ['many points within the cutoff', parameters(5, 34), 32768, false],
])('cells suit %s: %#', (_, given, points, suit) => {
  expect(suitsCells(rule, given, points)).toBe(suit)
})

test('the grid has cells as wide as the reach and a fifth of it long, or no more than fit', () => {
  expect(cellGrid([20, 10, 10], 2.5, 1000)).toEqual({ along: [40, 4, 4], count: 640, edge: 1 })
  const few = cellGrid([20, 10, 10], 2.5, 100)
  expect(few.count).toBeLessThanOrEqual(100)
  expect(few.edge).toBeGreaterThan(1)
  expect(cellGrid([3, 3, 3], 2.5, mostCells(1)).along).toEqual([6, 1, 1])
})
