// A disposed device: its run stops, no worker outlives it, and the remaining devices keep nothing of it but its memory, which
// the next device gets.

import { accelerations, gravity } from '@manybody/core'
import { bind } from '@manybody/core/judge'
import { afterEach, expect, it, vi } from 'vitest'
import { cpuWasm } from '../../src/index.ts'
import { joinPool, leavePool } from '../../src/run/threads/pools.ts'
import { points } from '../support/points.ts'
import { until, watchWorkers } from '../support/workers.ts'

const { Memory } = WebAssembly
afterEach(() => {
  WebAssembly.Memory = Memory
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

const workload = accelerations(gravity({ softening: 0.05 }))

it.each(['shared', 'copied'] as const)('stops the run that threads with %s memory are busy with', async (memory) => {
  if (memory === 'copied') vi.stubGlobal('SharedArrayBuffer', undefined)
  const workers = watchWorkers()
  const device = await cpuWasm({ threadsFrom: 0 }).open({ threads: 2 })
  const { bindings, shape } = bind(workload, points(20000))
  const program = await device.prepare(workload, shape, { variant: 'simd' })
  await until(() => device.info.features.some((feature) => feature.startsWith('workers-')))
  await expect(program.run(bindings, { onProgress: () => device.dispose() })).rejects.toMatchObject({
    name: 'DeviceLostError',
    message: expect.stringMatching(/disposed of/),
  })
  expect(workers).toHaveLength(1)
  await until(() => workers.every(({ threadId }) => threadId === -1)) // the identifier of a worker that has ended
})

it('starts no worker for a program that is being prepared', async () => {
  const device = await cpuWasm().open({ threads: 2 })
  const workers = watchWorkers()
  const { shape } = bind(workload, points(100))
  const preparing = device.prepare(workload, shape)
  device.dispose()
  await preparing.catch(() => {})
  expect(workers).toEqual([])
})

it('leaves its memory to the next device, and no program, while another device is open', async () => {
  let reserved = 0
  WebAssembly.Memory = class extends Memory {
    constructor(descriptor: WebAssembly.MemoryDescriptor & { readonly shared?: boolean }) {
      super(descriptor)
      if (descriptor.shared) reserved++
    }
  }
  const open = () => cpuWasm({ threadsFrom: 0 }).open({ threads: 2 })
  const kept = await open()
  const pool = joinPool()
  const { bindings, shape } = bind(workload, points(500))
  const truth = await (await kept.prepare(workload, shape)).run(bindings)
  const { size } = pool.programs
  for (let n = 0; n < 3; n++) {
    const device = await open()
    // The program is never disposed of, as when its caller meets an error.
    const program = await device.prepare(workload, shape)
    expect(await program.run(bindings)).toEqual(truth)
    device.dispose()
    await expect(device.prepare(workload, shape)).rejects.toMatchObject({ name: 'DeviceLostError' })
    await until(() => pool.programs.size === size)
  }
  kept.dispose()
  leavePool(pool)
  expect(reserved).toBe(2)
})
