// A run of one submission stays bound to its arrays. The next run only writes its inputs and submits, and gives the same results as a run
// that binds everything.

import {
  type ArrayResults,
  accelerations,
  type Bindings,
  DeviceLostError,
  gravity,
  map,
  nearest,
  type Shape,
} from '@manybody/core'
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest'
import { designsOf } from '../../../packages/backend-webgpu/src/compile/designs/designs.ts'
import { findAdapter } from '../../../packages/backend-webgpu/src/run/host/adapter.ts'
import { openHost } from '../../../packages/backend-webgpu/src/run/host/host.ts'
import { createMemory } from '../../../packages/backend-webgpu/src/run/host/memory.ts'
import { compiled } from '../../../packages/backend-webgpu/src/run/programs/compiled-program.ts'
import { GpuProgram } from '../../../packages/backend-webgpu/src/run/programs/program.ts'

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

test('a repeated run begins at once, and takes its numbers before it returns', async () => {
  const program = programOf()
  expect(program.again(bindingsOf(1))).toBeUndefined()
  await program.run(bindingsOf(1))
  const bindings = bindingsOf(2)
  const submit = vi.spyOn(host.device.queue, 'submit')
  const results = program.again(bindings)
  expect(submit).toHaveBeenCalledOnce()
  for (const array of Object.values(bindings.targets.arrays)) (array as Float32Array).fill(Number.NaN)
  expect(await results).toEqual(await fresh(bindingsOf(2)))
  expect(program.again(bindingsOf(1, { G: 3 }))).toBeUndefined()
  program.dispose()
  expect(program.again(bindingsOf(1))).toBeUndefined()
})

test('runs in a row have the results of their points, whether or not they read the clock', async () => {
  const program = programOf()
  for (let seed = 1; seed <= 20; seed++)
    expect(await program.run(bindingsOf(seed))).toEqual(await fresh(bindingsOf(seed)))
  program.dispose()
})

/** A device whose arrays hold this many bytes. */
const holding = (bytes: number) => ({
  ...host,
  limits: new Proxy(host.limits, {
    get: (all, name) => (name === 'maxStorageBufferBindingSize' ? bytes : Reflect.get(all, name)),
  }),
})

test.each([
  // Only a few slots fit at a time for the offsets between blocks, so there are several rounds.
  ['several rounds', workload, { variant: 'each-pair-once', sizes: { targets: 1, offsets: 1 } }, 50_000, 1],
  // Only the least terms of a few targets fit at a time.
  [
    'several ranges of targets',
    nearest(4),
    { variant: 'group-minima', sizes: { workgroup: 8, targets: 1, parts: 4 } },
    2000,
    5,
  ],
])('a run of %s is repeated, too', async (_, given, plan, bytes, expected) => {
  const usual = await compiled(host, designsOf(given, shape, holding(bytes)).of(plan))
  const program = new GpuProgram(host, memory, given, shape, { usual }, 0)
  const submit = vi.spyOn(host.device.queue, 'submit')
  const first = await program.run(bindingsOf(1))
  const submissions = submit.mock.calls.length
  expect(submissions).toBe(expected)
  const bind = vi.spyOn(host.device, 'createBindGroup')
  expect(await program.again(bindingsOf(1))).toEqual(first)
  expect(submit).toHaveBeenCalledTimes(2 * submissions)
  expect(bind).not.toHaveBeenCalled()
  program.dispose()
})

test('repeated runs at the same time have their own results, and NaN stays in its run', async () => {
  const program = programOf()
  await Promise.all([1, 2, 3].map((seed) => program.run(bindingsOf(seed))))
  const wrong = bindingsOf(4)
  ;(wrong.targets.arrays.mass as Float32Array).fill(Number.NaN)
  const all = [bindingsOf(5), wrong, bindingsOf(6)].map((bindings) => program.again(bindings))
  const [five, nan, six] = await Promise.all(all)
  expect(five).toEqual(await fresh(bindingsOf(5)))
  expect(nan?.acceleration?.every(Number.isNaN)).toBe(true)
  expect(six).toEqual(await fresh(bindingsOf(6)))
  program.dispose()
})

describe('with large arrays', () => {
  // More than a MiB.
  const points = 90_000
  const drift = map({ position: 'position + h*velocity' }, { h: 0.5 })
  const wide: Shape = { ...shape, targets: points, sources: 0, vectors: ['position', 'velocity'] }
  const driftOf = async (on = host, arrays = memory) => {
    const usual = await compiled(on, designsOf(drift, wide, on).of())
    return new GpuProgram(on, arrays, drift, wide, { usual }, 0)
  }
  const moving = (seed: number): Bindings => {
    const arrays = {
      position: Float32Array.from({ length: 3 * points }, (_, n) => seed + (n % 1000)),
      velocity: new Float32Array(3 * points).fill(2 * seed),
    }
    return { targets: { count: points, arrays }, sources: { count: 0, arrays: {} }, parameters: { h: 0.5 } }
  }
  const expectMoved = ({ position }: ArrayResults, seed: number) => {
    const expected = Float32Array.from({ length: 3 * points }, (_, n) => 2 * seed + (n % 1000))
    expect(position?.findIndex((x, n) => x !== expected[n])).toBe(-1)
  }
  /** Runs until the next run can begin at once. */
  const warmed = async (on = host, arrays = memory) => {
    const program = await driftOf(on, arrays)
    for (const seed of [1, 2]) expectMoved(await program.run(moving(seed)), seed)
    return program
  }

  test('a run begins at once after it was repeated, again and again', async () => {
    const program = await warmed()
    for (const seed of [3, 4, 5]) {
      const bindings = moving(seed)
      const results = await vi.waitUntil(() => program.again(bindings))
      expectMoved(await results, seed)
    }
    program.dispose()
  })

  test('a run that cannot wait for its memory is written in parts', async () => {
    const program = await warmed()
    for (const seed of [3, 4, 5]) expectMoved(await program.run(moving(seed)), seed)
    program.dispose()
  })

  test('a run on a device that is gone says so, though its memory was mapped', async () => {
    const other = await openHost(await findAdapter({}))
    const program = await warmed(other, createMemory(other))
    await await vi.waitUntil(() => program.again(moving(3)))
    await new Promise((resolve) => setTimeout(resolve, 100))
    other.device.destroy()
    // Once right away, and once when the loss is known.
    for (let n = 0; n < 2; n++) {
      await expect(program.again(moving(4)) ?? program.run(moving(4))).rejects.toThrow(DeviceLostError)
      await other.lost
    }
  })

  test('the memory goes back unmapped, also while it is being mapped', async () => {
    for (const wait of [true, false]) {
      const program = await warmed()
      if (wait) await await vi.waitUntil(() => program.again(moving(3)))
      program.dispose()
      const other = await warmed()
      expectMoved(await other.run(moving(4)), 4)
      other.dispose()
    }
  })
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
