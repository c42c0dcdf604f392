// Simulations with a capacity: on devices whose programs take one number of points, and from a state that was saved without points.

import { expect, it } from 'vitest'
import { createEngine } from '../../src/engine/engine.ts'
import { pairTerm } from '../../src/problem/interactions/define.ts'
import { gravity } from '../../src/problem/interactions/gravity.ts'
import { firstOrderRungeKutta4 } from '../../src/simulation/runge-kutta.ts'
import { fakeBackend } from '../support/fake-backends.ts'
import { referenceEngine } from '../support/reference-engine.ts'

it('a program that was prepared for as many points as there may be takes no others', async () => {
  const single = fakeBackend('single', { single: true })
  await using engine = await createEngine({ backends: [single], precision: 'f64' })
  const options = {
    ...{ law: gravity({ softening: 0.5 }), dt: 0.125, capacity: 4 },
    particles: { position: [0, 0, 1, 0, 0, 1, 2, 2], mass: [1, 2, 1, 1], dimension: 2 },
  }
  await using simulation = await engine.simulate(options)
  await using expected = await (await referenceEngine()).simulate(options)
  for (const one of [simulation, expected]) await one.step(1)
  const { length } = single.log.prepared
  for (const one of [simulation, expected]) await one.remove([1])
  for (const one of [simulation, expected]) await one.step(2)
  expect(single.log.prepared.length).toBeGreaterThan(length)
  expect(await simulation.read('position')).toEqual(await expected.read('position'))
})

it('points that came into an emptied simulation come again where a device is lost', async () => {
  const losesAt: number[] = []
  const losing = fakeBackend('losing', { losesAt })
  await using engine = await createEngine({ backends: [losing], precision: 'f64' })
  const particles = { position: [0, 0, 1, 0, 0, 1], mass: [1, 2, 1], dimension: 2 }
  const options = { law: gravity({ softening: 0.5 }), dt: 0.125, capacity: 4, particles }
  await using simulation = await engine.simulate(options)
  await simulation.step(1)
  await simulation.remove([0, 1, 2])
  await simulation.snapshot()
  await simulation.add(particles)
  losesAt.push(losing.log.runs + 1)
  await simulation.step(3)
  expect(losing.log.opened).toBe(2)
  await using other = await engine.simulate(options)
  await other.step(3)
  expect(await simulation.read('position')).toEqual(await other.read('position'))
})

it('a point that lacks a coordinate is refused, also where nothing has a number for each point', async () => {
  await using engine = await referenceEngine()
  const options = {
    law: pairTerm({ x: 'dx', y: 'dy', z: 'dz' })(),
    integrator: firstOrderRungeKutta4,
    dt: 0.125,
    capacity: 9,
  }
  await using simulation = await engine.simulate({ ...options, particles: { position: [0, 0, 0, 1, 0, 0] } })
  await expect(simulation.add({ position: new Float32Array([1, 2, 3, 4]) })).rejects.toThrow(
    '"position" expected 3 numbers per point, got length 4',
  )
  await simulation.step(1)
  expect(await simulation.read('position')).toHaveLength(6)
})
