// Code that engines load on demand and cannot get, because a page has lost its connection. Errors reach the caller once, and a later
// call tries again.

import { afterEach, expect, it, vi } from 'vitest'

type Listen = (event: 'unhandledRejection', listener: (reason: unknown) => void) => void
const { process } = globalThis as unknown as { readonly process: { readonly on: Listen; readonly off: Listen } }

const offline = () => {
  throw new Error('offline')
}
const tablesCode = '../../src/problem/workloads/tables/run-tables.ts'
const crossoverCode = '../../src/engine/devices/crossover.ts'
afterEach(() => {
  vi.doUnmock(tablesCode)
  vi.doUnmock(crossoverCode)
  vi.resetModules()
})

/** Modules that have loaded nothing on demand yet. */
async function fresh() {
  vi.resetModules()
  const [{ createEngine }, { fakeBackend }, { pairTerm }, { sum }] = await Promise.all([
    import('../../src/engine/engine.ts'),
    import('../support/fake-backends.ts'),
    import('../../src/problem/interactions/define.ts'),
    import('../../src/problem/workloads/pair.ts'),
  ])
  const workload = sum(
    pairTerm('a[kind_i, kind_j]', {
      tables: {
        a: [
          [1, 2],
          [2, 4],
        ],
      },
    })(),
  )
  return { createEngine, fakeBackend, workload }
}

const points = { position: Float32Array.of(0, 0, 0, 1, 0, 0), kind: Float32Array.of(0, 1) }
const tables = {
  a: [
    [3, 5],
    [5, 7],
  ],
}

it('a run with tables of its own fails, and a later one tries again', async () => {
  vi.doMock(tablesCode, offline)
  const { createEngine, fakeBackend, workload } = await fresh()
  await using engine = await createEngine({ backends: [fakeBackend('plain')] })
  await expect(engine.run(workload, points, { tables })).rejects.toThrow()
  expect((await engine.run(workload, points)).value).toEqual(Float32Array.of(2, 2))
  vi.doUnmock(tablesCode)
  expect((await engine.run(workload, points, { tables })).value).toEqual(Float32Array.of(5, 5))
})

it('a run with wrong points and tables of its own fails once', async () => {
  const unhandled: unknown[] = []
  const note = (reason: unknown) => unhandled.push(reason)
  process.on('unhandledRejection', note)
  vi.doMock(tablesCode, offline)
  const { createEngine, fakeBackend, workload } = await fresh()
  await using engine = await createEngine({ backends: [fakeBackend('plain')] })
  const wrong = { ...points, kind: Float32Array.of(0) }
  await expect(engine.run(workload, wrong, { tables })).rejects.toThrow('"kind" expected length 2')
  await new Promise((resolve) => setTimeout(resolve, 20))
  process.off('unhandledRejection', note)
  expect(unhandled).toEqual([])
})

it('an engine goes on without the choice of a device for short calls', async () => {
  vi.doMock(crossoverCode, offline)
  const { createEngine, fakeBackend, workload } = await fresh()
  const backends = [fakeBackend('graphics', { kind: 'hardware' }), fakeBackend('processor', { kind: 'cpu' })]
  await using engine = await createEngine({ backends })
  const { value, report } = await engine.run(workload, points)
  expect([...value, report.backend]).toEqual([2, 2, 'graphics'])
})
