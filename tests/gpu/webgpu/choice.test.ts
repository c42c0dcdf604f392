// Runs that visit blocks of near points although no plan says so. A graphics card does that from thousands of points on; here
// the program is told to do it with few.

import { countWithin, type Plan, periodic, type RunOptions, type Shape } from '@manybody/core'
import { bind, createTuner } from '@manybody/core/backend'
import { afterAll, expect, test, vi } from 'vitest'
import { designsOf } from '../../../packages/backend-webgpu/src/designs/designs.ts'
import { findAdapter } from '../../../packages/backend-webgpu/src/host/adapter.ts'
import { openHost } from '../../../packages/backend-webgpu/src/host/host.ts'
import { createMemory } from '../../../packages/backend-webgpu/src/host/memory.ts'
import { compiled } from '../../../packages/backend-webgpu/src/programs/compiled.ts'
import { type PrepareContext, prepare } from '../../../packages/backend-webgpu/src/programs/prepare.ts'
import { GpuProgram } from '../../../packages/backend-webgpu/src/programs/program.ts'

const host = await openHost(await findAdapter({}))
const memory = createMemory(host)
afterAll(() => {
  memory.dispose()
  host.dispose()
})
const boundary = periodic([1, 1, 1])
const particles = { position: Float32Array.from({ length: 1200 }, (_, n) => (n * 0.7548776662) % 1) }

async function run(radius: number, options: RunOptions = {}) {
  const workload = countWithin(radius, { boundary })
  const { shape, bindings } = bind(workload, particles)
  const { of } = designsOf(workload, shape, host)
  const usual = await compiled(host, of({ variant: 'naive' }))
  const near = { mostShare: 0.5, compiled: () => compiled(host, of({ variant: 'blocks' })) }
  const program = new GpuProgram(host, memory, workload, shape, { usual, near }, 0)
  const results = await program.run(bindings, options)
  const { report } = program
  const all = await new GpuProgram(host, memory, workload, shape, { usual }, 0).run(bindings, options)
  expect(results).toEqual(all)
  return report
}

test('a run with a short cutoff takes blocks, and has the counts of all pairs', async () => {
  const { variant, evaluated, interactions, timings } = await run(0.05)
  expect(variant).toMatch(/^blocks /)
  expect(evaluated).toBeLessThan(interactions / 2)
  expect(timings.compile).toBeGreaterThan(0)
})

test('a long cutoff and a range keep all pairs', async () => {
  for (const { variant, evaluated, interactions } of [await run(0.45), await run(0.05, { targets: [0, 100] })]) {
    expect(variant).toMatch(/^naive /)
    expect(evaluated).toBe(interactions)
  }
})

test('only a graphics card with many points, and without a plan or a tuner, has blocks to choose', async () => {
  const card = { ...host, info: { ...host.info, kind: 'hardware' as const } }
  const planning = { host: card, crowd: (shape: Shape) => shape, fitted: () => ({ variant: 'naive' }) }
  const proof = { holds: async () => true }
  const workload = countWithin(0.05, { boundary })
  const shapeOf = (points: number): Shape => ({ ...bind(workload, particles).shape, targets: points, sources: points })
  const nearOf = async (points: number, plan?: { variant: string }, others: Partial<PrepareContext> = { planning }) =>
    (await prepare({ host, tuning: undefined, proof, ...others }, workload, shapeOf(points), plan)).near
  expect((await nearOf(20_000))?.mostShare).toBeGreaterThan(0.1)
  expect(await nearOf(2000)).toBeUndefined()
  expect(await nearOf(20_000, { variant: 'naive' })).toBeUndefined()
  expect(await nearOf(20_000, undefined, {})).toBeUndefined()
  const tuner = createTuner()
  vi.spyOn(tuner, 'fastest').mockImplementation(async (_, [first], { prepare }) => prepare(first as Plan) as never)
  const tuning = { tuner, effort: 'quick', memory } as const
  expect(await nearOf(20_000, undefined, { planning, tuning })).toBeUndefined()
})
