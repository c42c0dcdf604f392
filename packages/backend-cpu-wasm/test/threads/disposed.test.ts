// A device that is disposed of during a run: the run stops, and no worker outlives the device, whichever memory threads use.

import { accelerations, gravity } from '@manybody/core'
import { bind } from '@manybody/core/backend'
import { afterEach, expect, it, vi } from 'vitest'
import { cpuWasm } from '../../src/index.ts'
import { points } from '../support/points.ts'
import { until, watchWorkers } from '../support/workers.ts'

afterEach(() => {
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
