// A repeated run begins at once: it takes its numbers before it returns, while workers compute, and its results equal those of
// any run.

import {
  type ArrayResults,
  accelerations,
  type Bindings,
  countWithin,
  createEngine,
  type Device,
  gravity,
  map,
  type Workload,
} from '@manybody/core'
import { bind } from '@manybody/core/judge'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { cpuWasm } from '../src/index.ts'
import { points } from './support/points.ts'

const workload = accelerations(gravity({ softening: 0.05 }))
// Enough that workers always help.
const count = 6000
let device: Device
beforeAll(async () => {
  device = await cpuWasm().open({ threads: 2 })
})
afterAll(() => device.dispose())

const { shape } = bind(workload, points(count))
/** Bindings with arrays of their own, because a test writes into them. */
function bindingsOf(seed: number, parameters: Readonly<Record<string, number>> = {}): Bindings {
  const { bindings } = bind(workload, points(count))
  const arrays = Object.fromEntries(
    Object.entries(bindings.targets.arrays).map(([name, array]) => [
      name,
      (array as Float32Array).map((x) => seed * x),
    ]),
  )
  const set = { count, arrays }
  return { ...bindings, targets: set, sources: set, parameters: { ...bindings.parameters, ...parameters } }
}

/** The threads share the additions differently in every run, so the last bits may differ. */
function expectSame(got: ArrayResults | undefined, expected: ArrayResults): void {
  const [a = [], b = []] = [got, expected].map((results) => results?.acceleration)
  expect(a.length).toBe(3 * count)
  const scale = Math.max(...b.map(Math.abs))
  expect(a.findIndex((value, n) => !(Math.abs(value - (b[n] ?? Number.NaN)) <= 1e-6 * scale))).toBe(-1)
}

async function fresh(bindings: Bindings) {
  const program = await device.prepare(workload, shape)
  const results = await program.run(bindings)
  program.dispose()
  return results
}

test('a run that is repeated takes its numbers before it returns', async () => {
  const program = await device.prepare(workload, shape)
  expect(program.again?.(bindingsOf(1))).toBeUndefined()
  await program.run(bindingsOf(1))
  const bindings = bindingsOf(2)
  const results = program.again?.(bindings)
  expect(results).toBeDefined()
  for (const array of Object.values(bindings.targets.arrays)) (array as Float32Array).fill(Number.NaN)
  expectSame(await results, await fresh(bindingsOf(2)))
  expect(program.report.timings.compute).toBeGreaterThan(0)
  expectSame(await program.again?.(bindingsOf(2, { G: 3 })), await fresh(bindingsOf(2, { G: 3 })))
  program.dispose()
  expect(program.again?.(bindingsOf(1))).toBeUndefined()
})

test('sums within a cutoff begin so, too, by blocks or by all pairs as the points say', async () => {
  const near = countWithin(0.1)
  const bound = (position: Float32Array) => bind(near, { position })
  const spread = points(count).position
  const { shape, bindings } = bound(spread)
  const program = await device.prepare(near, shape)
  const first = await program.run(bindings)
  expect(program.report.variant).toContain('blocks')
  expect(await program.again?.(bindings)).toEqual(first)
  expect(program.report.evaluated).toBeLessThan(0.1 * program.report.interactions)
  // All pairs are near, so another loop is faster. It is not compiled yet.
  const crowd = bound(spread.map((x) => 1e-3 * x)).bindings
  expect(program.again?.(crowd)).toBeUndefined()
  await program.run(crowd)
  expect((await program.again?.(crowd))?.count).toEqual(new Uint32Array(count).fill(count - 1))
  expect(program.report.variant).not.toContain('blocks')
  program.dispose()
})

test('one that would wait for another run does not begin, and the next one does', async () => {
  const program = await device.prepare(workload, shape)
  await program.run(bindingsOf(1))
  const [running, waiting] = [program.again?.(bindingsOf(2)), program.again?.(bindingsOf(3))]
  expect(waiting).toBeUndefined()
  const queued = program.run(bindingsOf(3))
  expectSame(await running, await fresh(bindingsOf(2)))
  expectSame(await queued, await fresh(bindingsOf(3)))
  const again = program.again?.(bindingsOf(1))
  expectSame(await again, await fresh(bindingsOf(1)))
  program.dispose()
})

test('NaN stays in its run, and masses that need another loop get it', async () => {
  const program = await device.prepare(workload, shape)
  await program.run(bindingsOf(1))
  const wrong = bindingsOf(1)
  ;(wrong.targets.arrays.position as Float32Array)[0] = Number.NaN
  await program.again?.(wrong)
  expectSame(await program.again?.(bindingsOf(2)), await fresh(bindingsOf(2)))
  // With massless points, both points of a pair cannot share a force.
  const massless = bindingsOf(2)
  ;(massless.targets.arrays.mass as Float32Array).fill(0, 0, 100)
  expect(program.again?.(massless)).toBeUndefined()
  expectSame(await program.run(massless), await fresh(massless))
  program.dispose()
})

test.each([1, 2])(
  'calls of an engine with %i threads begin so, and what is wrong with them is said',
  async (threads) => {
    for (const precision of ['f32', 'f64'] as const) {
      await using engine = await createEngine({ backends: [cpuWasm({ threadsFrom: 0 })], threads, precision })
      const particles = (seed: number) => {
        const { position, mass } = bindingsOf(seed).targets.arrays as Record<string, Float32Array>
        return { position: position as Float32Array, mass: mass as Float32Array }
      }
      const call = (seed: number) => engine.run(workload, particles(seed))
      const first = { acceleration: (await call(1)).acceleration }
      for (const seed of [2, 1]) {
        const { acceleration } = await call(seed)
        if (seed === 1) expectSame({ acceleration }, first)
      }
      const own = particles(1)
      const changed = engine.run(workload, own)
      own.position.fill(Number.NaN)
      const { report, acceleration } = await changed
      expectSame({ acceleration }, first)
      const { checks, binding, upload, compute, readback } = report.timings
      // Workers compute during the checks. Alone, a fast machine may have computed all before them.
      if (threads > 1) expect(checks).toBe(0)
      for (const part of [checks, binding, upload, compute, readback]) expect(part).toBeGreaterThanOrEqual(0)
      await expect(engine.run(workload, own)).rejects.toThrow('NaN')
      expectSame({ acceleration: (await call(1)).acceleration }, first)
    }
  },
)

test('programs of other workloads run again, too', async () => {
  const drift: Workload = map({ position: 'position + h*velocity' }, { h: 0.5 })
  const given = { position: new Float32Array(30).fill(1), velocity: new Float32Array(30).fill(2) }
  const { shape, bindings } = bind(drift, given)
  const program = await device.prepare(drift, shape)
  await program.run(bindings)
  expect(await program.again?.(bindings)).toEqual({ position: new Float32Array(30).fill(2) })
  program.dispose()
})

test('reports of runs that end within their call are those of their runs', async () => {
  await using engine = await createEngine({ backends: [cpuWasm()], threads: 1 })
  const law = accelerations(gravity())
  const particles = points(200)
  const parts = ({ upload, compute, readback }: { upload: number; compute: number; readback: number }) =>
    [upload, compute, readback].join()
  await engine.run(law, particles)
  const { report: kept } = await engine.run(law, particles)
  const copy = structuredClone(kept)
  // The reason why a result is infinite takes longer than the next run.
  const heavy = { ...particles, mass: new Float32Array(200).fill(3e38) }
  const [infinite, next] = await Promise.all([engine.run(law, heavy), engine.run(law, particles)])
  expect(infinite.report.notes).toHaveLength(1)
  expect(kept).toEqual(copy)
  expect(new Set([kept, infinite.report, next.report].map(({ timings }) => parts(timings))).size).toBe(3)
})
