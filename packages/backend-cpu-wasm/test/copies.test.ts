// Without shared memory: workers compute on copies, the results are those of one thread, and a worker that ends costs
// nothing but time.

import {
  accelerations,
  coulomb,
  type Device,
  type FloatArray,
  forces,
  gravity,
  matrix,
  nearest,
  pairTerm,
  type Workload,
} from '@manybody/core'
import { bind } from '@manybody/core/backend'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { cpuWasm } from '../src/index.ts'
import { points } from './support/points.ts'
import { until, watchWorkers } from './support/workers.ts'

beforeEach(() => {
  vi.stubGlobal('SharedArrayBuffer', undefined)
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

/** Runs until a second thread has taken part. */
async function together(device: Device, workload: Workload, variant: string, count: number) {
  const { bindings, shape } = bind(workload, points(count))
  const program = await device.prepare(workload, shape, { variant })
  let results = await program.run(bindings)
  for (let attempt = 0; attempt < 10_000 && !program.report.variant.includes('2 threads'); attempt++) {
    await new Promise((resolve) => setTimeout(resolve, 2))
    results = await program.run(bindings)
  }
  expect(program.report.variant).toContain('2 threads')
  return results
}

const softGravity = gravity({ softening: 0.05 })

it.each([
  ['every ordered pair', accelerations(softGravity), 'simd', 1500],
  ['another result and a law with a singularity', forces(coulomb()), 'simd', 1500],
  ['whole numbers', nearest(5), 'simd', 1500],
  ['a matrix', matrix(pairTerm('exp(-r2)')()), 'simd', 200],
  [
    'exclusions',
    accelerations(softGravity, {
      exclusions: [
        [1, 2],
        [3, 800],
      ],
    }),
    'simd',
    1500,
  ],
] as const)('two threads give what one gives: %s', async (_, workload, variant, count) => {
  const one = await cpuWasm().open({ threads: 1 })
  const two = await cpuWasm({ threadsFrom: 0 }).open({ threads: 2 })
  const { bindings, shape } = bind(workload, points(count))
  const expected = await (await one.prepare(workload, shape, { variant })).run(bindings)
  expect(await together(two, workload, variant, count)).toEqual(expected)
  expect(two.info.features).toContain('copied-memory')
  expect(two.info.features).not.toContain('shared-memory')
  expect(two.info.notes?.join()).toMatch(/copies/)
  one.dispose()
  two.dispose()
})

it('two threads visit each pair once', async () => {
  const one = await cpuWasm().open({ threads: 1 })
  const two = await cpuWasm({ threadsFrom: 0 }).open({ threads: 2 })
  const workload = accelerations(softGravity)
  const { bindings, shape } = bind(workload, points(1500))
  const expected = (await (await one.prepare(workload, shape)).run(bindings)).acceleration as FloatArray
  const got = (await together(two, workload, 'pairs-once', 1500)).acceleration as FloatArray
  const size = Math.max(...expected.map(Math.abs))
  for (const [i, a] of got.entries()) expect(Math.abs(a - (expected[i] as number)) / size).toBeLessThan(1e-6)
  one.dispose()
  two.dispose()
})

it('goes on from earlier results', async () => {
  const two = await cpuWasm({ threadsFrom: 0 }).open({ threads: 2 })
  const workload = accelerations(softGravity)
  await together(two, workload, 'simd', 1000)
  const { bindings, shape } = bind(workload, points(1000))
  const program = await two.prepare(workload, shape, { variant: 'simd' })
  const whole = (await program.run(bindings)).acceleration as FloatArray
  const initial = await program.run(bindings, { sources: [0, 300] })
  const got = (await program.run(bindings, { sources: [300, 1000], initial })).acceleration as FloatArray
  const size = Math.max(...whole.map(Math.abs))
  for (const [i, a] of got.entries()) expect(Math.abs(a - (whole[i] as number)) / size).toBeLessThan(1e-6)
  two.dispose()
})

it('copies only where that is expected to pay', async () => {
  const device = await cpuWasm().open({ threads: 2 })
  const workload = accelerations(softGravity)
  const { bindings, shape } = bind(workload, points(300))
  const program = await device.prepare(workload, shape)
  await until(() => device.info.features.includes('workers-inline'))
  await new Promise((resolve) => setTimeout(resolve, 100))
  for (let n = 0; n < 5; n++) await program.run(bindings)
  expect(program.report.variant).toContain('1 thread')
  device.dispose()
})

describe.each([
  ['every ordered pair', 'simd'],
  ['each pair once', 'pairs-once'],
] as const)('a worker that ends in the middle of a run: %s', (_, variant) => {
  it('is replaced by the others', async () => {
    const workers = watchWorkers()
    const device = await cpuWasm({ threadsFrom: 0 }).open({ threads: 2 })
    const workload = accelerations(softGravity)
    await together(device, workload, variant, 500)
    const { bindings, shape } = bind(workload, points(12_000))
    const program = await device.prepare(workload, shape, { variant })
    const expected = (await program.run(bindings)).acceleration as FloatArray
    expect(program.report.variant).toContain('2 threads')
    const run = program.run(bindings, { onProgress: () => void workers[0]?.terminate() })
    const got = (await run).acceleration as FloatArray
    expect(device.info.limits.threads).toBe(1)
    expect(device.info.notes?.join()).toMatch(/exited with code/)
    const size = Math.max(...expected.map(Math.abs))
    for (const [i, a] of got.entries()) expect(Math.abs(a - (expected[i] as number)) / size).toBeLessThan(1e-6)
    device.dispose()
  })
})
