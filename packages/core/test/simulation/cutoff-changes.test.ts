// Cutoffs of a running simulation: those that need other programs, and those that are refused.

import { describe, expect, it } from 'vitest'
import { createEngine } from '../../src/engine/engine.ts'
import { pairPotential } from '../../src/problem/interactions/define.ts'
import { gravity } from '../../src/problem/interactions/gravity.ts'
import { periodic } from '../../src/problem/workloads/define-domain.ts'
import type { Force } from '../../src/simulation/forces/force.ts'
import { fakeBackend } from '../support/fake-backends.ts'
import { referenceEngine } from '../support/reference-engine.ts'

const boundary = periodic([4, 4, 4])
const law = gravity({ softening: 0.5 })
const spread = { position: [0, 0, 0, 1, 0, 0, 0, 1.5, 0], mass: [1, 2, 1] }
const repel = pairPotential('k*exp(-r)', { inertia: 'mass', parameters: { k: 1 } })
const near = { law, domain: { boundary, cutoff: 1.2 }, particles: spread, dt: 0.0625 }

it('another cutoff prepares no program, unless images of the box need others', async () => {
  const backend = fakeBackend('counting')
  let prepared = 0
  const open: typeof backend.open = async (options) => {
    const device = await backend.open(options)
    const prepare: typeof device.prepare = (...asked) => {
      prepared++
      return device.prepare(...asked)
    }
    return Object.assign(Object.create(device), { prepare })
  }
  await using engine = await createEngine({ backends: [{ ...backend, open }], precision: 'f64' })
  await using simulation = await engine.simulate(near)
  await simulation.step(1)
  const before = prepared
  for (const cutoff of [1.8, 0.5, 2]) {
    await simulation.write('cutoff', cutoff)
    await simulation.step(2)
    await simulation.step(1, { parameters: { cutoff: 1 } })
  }
  expect(prepared).toBe(before)
  await simulation.write('cutoff', 2.5)
  await simulation.step(1)
  expect(prepared).toBeGreaterThan(before)
})

it.each<[string, Readonly<Record<string, number>>, string]>([
  ['zero', { cutoff: 0 }, '"cutoff" expected finite number > 0, got 0'],
  ['one below its switch', { cutoff: 0.9 }, '"switchDistance" expected less than the cutoff, 0.9, got 1'],
  [
    'a text',
    { cutoff: '2' as never },
    '"cutoff" expected a number, or an expression of time, such as "1 + 0.1*time", got "2"',
  ],
  ['one in more cells than fit', { cutoff: 40 }, '"cutoff" expected one that reaches at most 512 cells'],
])('a cutoff is refused if it is %s, and nothing has changed', async (_, parameters, message) => {
  await using engine = await referenceEngine()
  await using simulation = await engine.simulate({ ...near, domain: { ...near.domain, switchDistance: 1 } })
  await simulation.step(1)
  const before = await simulation.snapshot()
  await expect(simulation.set({ parameters })).rejects.toThrow(message)
  expect(await simulation.snapshot()).toEqual(before)
})

it('a cutoff is refused for some steps alone if it needs other programs', async () => {
  await using engine = await referenceEngine()
  await using simulation = await engine.simulate(near)
  await expect(simulation.step(1, { parameters: { cutoff: 3 } })).rejects.toThrow(
    '"parameters" expected cutoffs that need no other programs',
  )
  await simulation.step(1)
  expect(simulation.steps).toBe(1)
})

it('a length of steps that comes with other programs is theirs', async () => {
  await using engine = await referenceEngine()
  await using simulation = await engine.simulate(near)
  await simulation.step(2)
  await simulation.set({ dt: 0.03125, parameters: { cutoff: 2.5 } })
  expect(simulation.dt).toBe(0.03125)
  await simulation.stepUntil(simulation.time + 0.25)
  expect(simulation.steps).toBe(10)
})

describe('forces with different cutoffs get the same', () => {
  const forces = (cutoff: number) => [
    { law, boundary, cutoff: 1.8 },
    { law: repel(), boundary, cutoff },
  ]
  const four = { position: [...spread.position, 1, 1, 1], mass: [1, 2, 1, 3] }

  it('and points that go take no force with them', async () => {
    await using engine = await referenceEngine()
    const options = { particles: four, dt: 0.0625, capacity: 8 }
    await using simulation = await engine.simulate({ ...options, forces: forces(1.2) })
    await simulation.write('forces[1].cutoff', 1.8)
    await simulation.snapshot()
    await simulation.remove([3])
    await using other = await engine.simulate({ ...options, forces: forces(1.8), particles: spread })
    for (const one of [simulation, other]) await one.step(1)
    expect(await simulation.read('position')).toEqual(await other.read('position'))
  })

  it('but not for some steps alone, unless other scales keep them apart', async () => {
    await using engine = await referenceEngine()
    const options = { particles: four, dt: 0.0625 }
    const parameters = { 'forces[1].cutoff': 1.8 }
    await using simulation = await engine.simulate({ ...options, forces: forces(1.2) })
    await expect(simulation.step(1, { parameters })).rejects.toThrow(
      '"parameters" expected cutoffs that need no other programs',
    )
    const apart = [forces(1.2)[0] as Force, { ...(forces(1.2)[1] as Force), scale: 2 }]
    await using scaled = await engine.simulate({ ...options, forces: apart })
    await scaled.step(1, { parameters })
  })
})
