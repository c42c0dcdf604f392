// Runs of one submission are kept with their arrays bound: the next one only writes its inputs and submits, and its results
// are those of a run that binds everything.

import { accelerations, type Bindings, gravity, type Shape } from '@manybody/core'
import { afterAll, afterEach, expect, test, vi } from 'vitest'
import { designsOf } from '../../../packages/backend-webgpu/src/designs/designs.ts'
import { findAdapter } from '../../../packages/backend-webgpu/src/host/adapter.ts'
import { openHost } from '../../../packages/backend-webgpu/src/host/host.ts'
import { createMemory } from '../../../packages/backend-webgpu/src/host/memory.ts'
import { compiled } from '../../../packages/backend-webgpu/src/programs/compiled.ts'
import { GpuProgram } from '../../../packages/backend-webgpu/src/programs/program.ts'

const host = await openHost(await findAdapter({}))
const memory = createMemory(host)
afterAll(() => {
  memory.dispose()
  host.dispose()
})
afterEach(() => void vi.restoreAllMocks())

const count = 100
const shape: Shape = { dimension: 3, targets: count, sources: count, sameSet: true, vectors: ['position'] }
const workload = accelerations(gravity({ softening: 0.1 }))
const usual = await compiled(host, designsOf(workload, shape, host).of())
const programOf = () => new GpuProgram(host, memory, workload, shape, { usual }, 0)

function bindingsOf(seed: number, parameters: Readonly<Record<string, number>> = {}): Bindings {
  const position = Float32Array.from({ length: 3 * count }, (_, n) => (seed * 0.37 + n * 0.7548776662) % 1)
  const points = { count, arrays: { position, mass: new Float32Array(count).fill(seed) } }
  return { targets: points, sources: points, parameters: { ...workload.law.parameters, ...parameters } }
}

/** The results of a program that has not run before. */
async function fresh(bindings: Bindings) {
  const program = programOf()
  const results = await program.run(bindings)
  program.dispose()
  return results
}

test('the next run binds nothing, and has the results of its points', async () => {
  const program = programOf()
  await program.run(bindingsOf(1))
  const made = [vi.spyOn(host.device, 'createBindGroup'), vi.spyOn(host.device, 'createBuffer')]
  const results = await program.run(bindingsOf(2))
  for (const make of made) expect(make).not.toHaveBeenCalled()
  expect(results).toEqual(await fresh(bindingsOf(2)))
  program.dispose()
})

test('other parameters, ranges and initial results are bound for themselves', async () => {
  const program = programOf()
  const bindings = bindingsOf(1)
  const whole = await program.run(bindings)
  expect(await program.run(bindingsOf(1, { G: 3 }))).toEqual(await fresh(bindingsOf(1, { G: 3 })))
  const { acceleration = [] } = whole as { readonly acceleration?: Float32Array }
  const part = await program.run(bindings, { targets: [10, 20] })
  expect(part).toEqual({ acceleration: Float32Array.from(acceleration.slice(30, 60)) })
  const twice = await program.run(bindings, { initial: whole as never })
  expect(twice).not.toEqual(whole)
  expect(await program.run(bindings)).toEqual(whole)
  program.dispose()
})

test('runs at the same time have their own results', async () => {
  const program = programOf()
  const seeds = Array.from({ length: 12 }, (_, n) => n + 1)
  for (let round = 0; round < 2; round++) {
    const results = await Promise.all(seeds.map((seed) => program.run(bindingsOf(seed))))
    for (const [n, seed] of seeds.entries()) expect(results[n]).toEqual(await fresh(bindingsOf(seed)))
  }
  program.dispose()
})

test('the next run does not write into an array that the caller has on the device', async () => {
  const program = programOf()
  const bindings = bindingsOf(1)
  const { WebGpuDevice } = await import('../../../packages/backend-webgpu/src/device.ts')
  const position = await new WebGpuDevice(host).buffer(3 * count)
  const given = bindings.targets.arrays.position as Float32Array
  await position.write(given)
  const points = { count, arrays: { ...bindings.targets.arrays, position } }
  const results = await program.run({ ...bindings, targets: points, sources: points })
  expect(results).toEqual(await fresh(bindings))
  await program.run(bindingsOf(2))
  expect(await position.read()).toEqual(given)
  position.dispose()
  program.dispose()
})

test('arrays that the memory needed for others are bound again', async () => {
  const little = createMemory(host, 4096)
  const program = new GpuProgram(host, little, workload, shape, { usual }, 0)
  await program.run(bindingsOf(1))
  const lease = little.lease()
  for (let n = 0; n < 4; n++) await lease.array(1024)
  lease.release()
  const bind = vi.spyOn(host.device, 'createBindGroup')
  expect(await program.run(bindingsOf(2))).toEqual(await fresh(bindingsOf(2)))
  expect(bind).toHaveBeenCalled()
  program.dispose()
  little.dispose()
})
