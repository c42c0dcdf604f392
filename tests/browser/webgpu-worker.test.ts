// WebGPU in a module worker: the same device, the same numbers as in the page.

import { webgpu } from '@manybody/backend-webgpu'
import { accelerations, gravity } from '@manybody/core'
import { bind } from '@manybody/core/judge'
import { expect, test } from 'vitest'
import { numbers } from '../support/numbers.ts'

test('a worker has the same results as the page', async () => {
  const particles = { position: numbers(300, 1), mass: numbers(100, 2) }
  const worker = new Worker(new URL('./webgpu.worker.ts', import.meta.url), { type: 'module' })
  const answer = await new Promise((resolve, reject) => {
    worker.onmessage = ({ data }) => resolve(data)
    worker.onerror = ({ message }) => reject(new Error(message))
    worker.postMessage(particles)
  })
  worker.terminate()

  const workload = accelerations(gravity({ softening: 0.1 }))
  const device = await webgpu().open()
  const { shape, bindings } = bind(workload, particles)
  const { acceleration } = await (await device.prepare(workload, shape)).run(bindings)
  const { name, kind } = device.info
  expect(answer).toEqual({ acceleration, name, kind: 'software', page: 'undefined' })
  expect(kind).toBe('software')
  device.dispose()
})
