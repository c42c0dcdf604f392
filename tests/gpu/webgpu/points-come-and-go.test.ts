// Points come and go in a simulation on WebGPU: no shader is compiled, whether a program runs over fewer points or is prepared for them.

import { webgpu } from '@manybody/backend-webgpu'
import { createEngine, externalForce, gravity, type SimulationOptions } from '@manybody/core'
import { expect, test } from 'vitest'
import { findAdapter } from '../../../packages/backend-webgpu/src/run/host/adapter.ts'

const found = await findAdapter({})
if (!('adapter' in found)) throw new Error('there is no adapter')
const device = await found.adapter.requestDevice()
const labels: unknown[] = []
const createShaderModule = device.createShaderModule.bind(device)
device.createShaderModule = (descriptor) => {
  labels.push(descriptor.label)
  return createShaderModule(descriptor)
}

const some = (count: number) => ({
  position: Float32Array.from({ length: 3 * count }, (_, n) => 9 * Math.sin(12.9898 * (n + 1) ** 2)),
  mass: new Float32Array(count).fill(1),
})
const drag = externalForce('-velocity/8', { inertia: 'mass' })

test.each<[string, SimulationOptions['forces']]>([
  ['all pairs', [gravity({ softening: 1 }), drag()]],
  ['pairs within a cutoff', [{ law: gravity({ softening: 1 }), cutoff: 2 }, drag()]],
])('%s', async (_, forces) => {
  await using engine = await createEngine({ backends: [webgpu({ device })] })
  await using simulation = await engine.simulate({ forces, particles: some(2000), dt: 0.01, capacity: 2100 } as never)
  await simulation.step(2)
  await simulation.add(some(1))
  await simulation.step(2)
  const before = labels.length
  expect(before).toBeGreaterThan(0)
  await simulation.add(some(50))
  await simulation.step(2)
  await simulation.remove([0, 1, 2, 3])
  await simulation.step(1)
  expect(labels.slice(before)).toEqual([])
  expect(await simulation.read('position')).toHaveLength(3 * 2047)
})
