// Code that a device loads on demand and cannot get, because a page has lost its connection. The call fails, and the next one tries again.

import { afterEach, expect, it, vi } from 'vitest'
import { gridCases } from '../../core/test/support/grid-cases.ts'
import { spread } from './support/points.ts'

type Listen = (event: 'unhandledRejection', listener: (reason: unknown) => void) => void
const { process } = globalThis as unknown as { readonly process: { readonly on: Listen; readonly off: Listen } }

const nearCode = [
  '../src/run/programs/near-code.ts',
  '../src/run/placement/point-ordering.ts',
  '../src/run/plans/blocks-model.ts',
]
const code = [
  ...nearCode,
  '../src/compile/designs/designs.ts',
  '../src/run/programs/tree-runs.ts',
  '../src/run/grid/grid-sums.ts',
]
const offline = (path: string) =>
  vi.doMock(path, () => {
    throw new Error('offline')
  })
const online = () => {
  for (const path of code) vi.doUnmock(path)
}
afterEach(() => {
  online()
  vi.restoreAllMocks()
  vi.resetModules()
})

/** Modules that have loaded nothing on demand yet, and an engine of them. */
async function fresh() {
  vi.resetModules()
  const [core, { cpuWasm }] = await Promise.all([import('@manybody/core'), import('../src/index.ts')])
  const backend = cpuWasm()
  return { core, backend, engine: await core.createEngine({ backends: [backend], threads: 1 }) }
}

const count = 4000
const points = { position: spread(3 * count, 1), mass: spread(count, 3, 0.5, 1) }
const cutoff = 0.1

it.each(['../src/run/programs/near-code.ts', '../src/compile/designs/designs.ts'])(
  'a law with a cutoff loads its code again: %s',
  async (path) => {
    const { core, engine } = await fresh()
    await using _ = engine
    const workload = core.countWithin(cutoff)
    offline(path)
    await expect(engine.run(workload, points)).rejects.toThrow()
    online()
    expect((await engine.run(workload, points)).report.variant).toMatch('blocks')
  },
)

it('a prepared law with a cutoff has all of its code', async () => {
  const { core, engine } = await fresh()
  await using _ = engine
  const prepared = await engine.prepare(core.countWithin(cutoff), { count })
  for (const path of code) offline(path)
  expect((await prepared.run({ position: points.position })).report.variant).toMatch('blocks')
})

it('a sum over all pairs loads no code for near points', async () => {
  for (const path of nearCode) offline(path)
  const { core, engine } = await fresh()
  await using _ = engine
  const { report } = await engine.run(core.accelerations(core.gravity({ softening: 0.1 })), points)
  expect(report.backend).toBe('cpu-wasm')
})

it('a tree loads again after it could not', async () => {
  const { core, engine } = await fresh()
  await using _ = engine
  const method = core.tree({ tolerance: 1e-2 })
  const workload = core.accelerations(core.gravity({ softening: 0.1 }), { method })
  offline('../src/run/programs/tree-runs.ts')
  await expect(engine.run(workload, points)).rejects.toThrow()
  online()
  expect((await engine.run(workload, points)).acceleration).toHaveLength(3 * count)
})

it('a grid loads again after it could not', async () => {
  const { backend, engine } = await fresh()
  await engine.dispose()
  const device = await backend.open({ threads: 1 })
  const [{ sum, points: given, error }] = gridCases as readonly [(typeof gridCases)[number]]
  offline('../src/run/grid/grid-sums.ts')
  await expect(device.gridSum?.(sum, given)).rejects.toThrow()
  online()
  expect(error(await device.gridSum?.(sum, given))).toBeLessThan(1e-5)
  device.dispose()
})

it('only the run that needs a module gets the error of its compilation', async () => {
  const { core, backend, engine } = await fresh()
  await engine.dispose()
  const { bind } = await import('@manybody/core/judge')
  const device = await backend.open({ threads: 1 })
  const workload = core.accelerations(core.gravity({ softening: 0.1 }))
  const { shape, bindings } = bind(workload, points)
  const program = await device.prepare(workload, shape)
  await program.run(bindings)
  const unhandled: unknown[] = []
  const note = (reason: unknown) => unhandled.push(reason)
  process.on('unhandledRejection', note)
  // Without softening, the law needs a module with a guard.
  const bare = { ...bindings, parameters: { ...bindings.parameters, softening: 0 } }
  vi.spyOn(WebAssembly, 'compile').mockRejectedValue(new Error('no memory'))
  expect(program.again?.(bare)).toBeUndefined()
  await new Promise((resolve) => setTimeout(resolve, 20))
  process.off('unhandledRejection', note)
  expect(unhandled).toEqual([])
  await expect(program.run(bare)).rejects.toThrow('no memory')
  vi.restoreAllMocks()
  expect((await program.run(bare)).acceleration).toHaveLength(3 * count)
  program.dispose()
  device.dispose()
})

it('modules of programs, trees and grids are compiled again after they could not', async () => {
  const { core, backend, engine } = await fresh()
  await engine.dispose()
  const { bind } = await import('@manybody/core/judge')
  const device = await backend.open({ threads: 1 })
  const workload = core.accelerations(core.gravity({ softening: 0.1 }))
  const { shape, bindings } = bind(workload, points)
  const program = await device.prepare(workload, shape)
  const trees = await program.tree?.()
  const [{ sum, points: given }] = gridCases as readonly [(typeof gridCases)[number]]
  const law = core.potentials(core.gravity({ softening: 0.1 }))
  for (const use of [
    () => device.prepare(law, shape),
    () => trees?.run(bindings, { proxies: 4, opening: 0.5 }),
    () => device.gridSum?.(sum, given),
  ]) {
    vi.spyOn(WebAssembly, 'compile').mockRejectedValue(new Error('no memory'))
    await expect(use()).rejects.toThrow('no memory')
    vi.restoreAllMocks()
    await expect(use()).resolves.toBeDefined()
  }
  program.dispose()
  device.dispose()
})
