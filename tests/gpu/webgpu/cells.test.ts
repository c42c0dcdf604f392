// The loop by cells on the software GPU, where points are in places that a grid may get wrong.

import { webgpu } from '@manybody/backend-webgpu'
import {
  type ArrayResults,
  accelerations,
  type Bindings,
  countWithin,
  gravity,
  neighborsWithin,
  type PairWorkload,
  periodic,
  type Shape,
} from '@manybody/core'
import { bind, deviceNumbers } from '@manybody/core/judge'
import { afterAll, expect, test } from 'vitest'
import { numbers } from '../../support/numbers.ts'
import { farFaults } from '../../support/random/far-points.ts'

const device = await webgpu().open()
afterAll(() => device.dispose())

const lengths = [3, 2, 1.5] as const
const boundary = periodic(lengths)
const count = 300
const spread = numbers(3 * count, 1).map((x, n) => x * (lengths[n % 3] as number))

/** The results by cells, with few and with many targets in a workgroup, and over all pairs. */
async function both(
  workload: PairWorkload,
  { shape, bindings }: { readonly shape: Shape; readonly bindings: Bindings },
) {
  const results: ArrayResults[] = []
  for (const plan of [
    { variant: 'cells' },
    { variant: 'cells', sizes: { targets: 64, unroll: 4 } },
    { variant: 'naive' },
  ]) {
    const program = await device.prepare(workload, shape, plan)
    results.push(await program.run(bindings))
    program.dispose()
  }
  return results
}

test.each<[string, (x: number, n: number) => number]>([
  ['spread out', (x) => x],
  ['on faces and corners', (x, n) => (n % 5 ? x : (lengths[n % 3] as number))],
  ['many boxes away', (x, n) => x + (lengths[n % 3] as number) * ((n % 7) - 3)],
  ['in one place', () => 0.25],
  ['in one cell', (x) => 0.01 * x],
  [
    'without coordinates here and there',
    (x, n) => (n % 50 ? x : ([Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY][n % 3] as number)),
  ],
])('points %s have the neighbours of all pairs', async (_, place) => {
  for (const workload of [countWithin(0.6, { boundary }), neighborsWithin(0.4, { boundary })]) {
    const { shape, bindings } = bind(workload, { position: spread })
    // A caller's points must be finite; those of a simulation may become anything.
    const set = { ...bindings.targets, arrays: { position: Float32Array.from(spread, place) } }
    const [short, long, all] = await both(workload, { shape, bindings: { ...bindings, targets: set, sources: set } })
    expect(short).toEqual(all)
    expect(long).toEqual(all)
  }
})

test('points so far away that float32 loses their place in the box do not keep the loop from its end', async () => {
  expect(await farFaults(device)).toEqual([])
})

test('two sets, where either may be empty', async () => {
  const workload = countWithin(0.4, { boundary })
  const [some, none] = [spread.slice(0, 90), new Float32Array(0)]
  for (const [targets, sources] of [
    [some, spread],
    [spread, some],
    [none, some],
    [some, none],
  ] as const) {
    const bound = bind(workload, { targets: { position: targets }, sources: { position: sources } })
    const [short, , all] = await both(workload, bound)
    expect(short).toEqual(all)
  }
})

test('sums are the same bits in each run, and those of a reordered set', async () => {
  const workload = accelerations(gravity({ softening: 0.1 }), { cutoff: 0.4, boundary })
  const mass = numbers(count, 2).map((x) => 0.5 + x)
  const points = { position: Float32Array.from(spread), mass: Float32Array.from(mass) }
  const { shape, bindings } = deviceNumbers(bind(workload, points), 'f32')
  const program = await device.prepare(workload, shape, { variant: 'cells' })
  const runs = [await program.run(bindings), await program.run(bindings)]
  expect(runs[1]).toEqual(runs[0])
  expect(program.report.evaluated).toBeLessThan(program.report.interactions / 2)
  expect(program.report.variant).toMatch(/^cells \(workgroup 64, targets 8\)/)
  program.dispose()
})
