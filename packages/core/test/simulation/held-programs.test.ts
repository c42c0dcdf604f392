// Programs that simulations take from their engine: how long they stay there.

import { expect, it } from 'vitest'
import { createEngine } from '../../src/engine/engine.ts'
import { tree } from '../../src/index.ts'
import { gravity } from '../../src/problem/interactions/gravity.ts'
import { fakeBackend } from '../support/fake-backends.ts'

const particles = { position: [0, 0, 1, 0, 0, 1, 2, 2], mass: [1, 2, 1, 1], dimension: 2 }
const options = { law: gravity({ softening: 0.5 }), dt: 0.125, particles }
/** Once everything that was under way has been done. */
const settled = () => new Promise((resolve) => setTimeout(resolve, 0))

it('a program stays for the next simulation over the law', async () => {
  const backend = fakeBackend('fake')
  await using engine = await createEngine({ backends: [backend], precision: 'f64' })
  const first = await engine.simulate(options)
  await first.step(1)
  first.dispose()
  await settled()
  const { programsDisposed, prepared } = backend.log
  const { length } = prepared
  await using second = await engine.simulate({ ...options, dt: 0.25 })
  await second.step(1)
  expect(backend.log.programsDisposed).toBe(programsDisposed)
  expect(prepared.length).toBe(length)
})

it('one whose tolerance was measured leaves with its simulation', async () => {
  const backend = fakeBackend('fake', { tree: true })
  await using engine = await createEngine({ backends: [backend], precision: 'f64' })
  const simulation = await engine.simulate({ ...options, domain: { method: tree({ tolerance: 1e-2 }) } })
  await simulation.step(1)
  const disposed = backend.log.programsDisposed
  simulation.dispose()
  await settled()
  expect(backend.log.programsDisposed).toBe(disposed + 1)
})

it('one for a number of points leaves when that changes', async () => {
  const backend = fakeBackend('single', { single: true })
  await using engine = await createEngine({ backends: [backend], precision: 'f64' })
  await using simulation = await engine.simulate({ ...options, capacity: 4 })
  await simulation.step(1)
  const disposed = backend.log.programsDisposed
  await simulation.remove([1])
  await simulation.step(1)
  await settled()
  expect(backend.log.programsDisposed).toBeGreaterThan(disposed)
})

it('one that could not be made is asked for again', async () => {
  let fails = false
  const backend = fakeBackend('fake', { rejects: () => (fails ? 'no memory' : undefined) })
  await using engine = await createEngine({ backends: [backend], precision: 'f64' })
  await using simulation = await engine.simulate(options)
  await simulation.step(1)
  fails = true
  await expect(simulation.energy()).rejects.toThrow('no memory')
  fails = false
  expect((await simulation.energy()).potential).toBeLessThan(0)
})
