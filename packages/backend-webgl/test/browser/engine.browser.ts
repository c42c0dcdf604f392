// WebGL as the engine uses it: chosen, lost and opened again, stepping particles without reading back.

import { accelerations, createEngine, gravity, reference } from '@manybody/core'
import { bind, errorNorms, truthOf } from '@manybody/core/judge'
import { expect, test } from 'vitest'
import { webgl } from '../../src/index.ts'
import { cloud, lose, remembered } from './device.ts'

const law = gravity({ softening: 0.1 })

test('a lost device is opened again, and the run is repeated', async () => {
  const { factory, given } = remembered()
  const engine = await createEngine({ backends: [webgl({ context: factory }), reference()], backend: 'webgl' })
  const workload = accelerations(law)
  const particles = cloud(300)
  await engine.run(workload, particles)
  const contexts = given.length
  lose(given.at(-1))
  const { acceleration, report } = await engine.run(workload, particles)
  expect(report.backend).toBe('webgl')
  expect(given.length).toBeGreaterThan(contexts)
  const { shape, bindings } = bind(workload, particles)
  const truth = truthOf(workload, shape, bindings)
  const { max } = errorNorms(acceleration, truth.results.acceleration ?? [], truth.scales.acceleration ?? [])
  expect(max).toBeLessThan(3e-6)
  await engine.dispose()
})

test('a simulation keeps its energy and stays on the device', async () => {
  const engine = await createEngine({ backends: [webgl()], backend: 'webgl' })
  const { position, mass } = cloud(100)
  const velocity = new Float32Array(position.length)
  const simulation = await engine.simulate({ law, particles: { position, mass, velocity }, dt: 1e-4 })
  const before = await simulation.energy()
  await simulation.step(50)
  const after = await simulation.energy()
  expect(Math.abs(after.total - before.total)).toBeLessThan(1e-4 * Math.abs(before.potential))
  expect(after.kinetic).toBeGreaterThan(before.kinetic)
  await engine.dispose()
})
