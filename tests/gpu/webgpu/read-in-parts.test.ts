// Large arrays arrive whole, whatever their length in parts.

import { afterAll, expect, test } from 'vitest'
import { findAdapter } from '../../../packages/backend-webgpu/src/host/adapter.ts'
import { GpuArray } from '../../../packages/backend-webgpu/src/host/buffer.ts'
import { openHost } from '../../../packages/backend-webgpu/src/host/host.ts'
import { createMemory } from '../../../packages/backend-webgpu/src/host/memory.ts'
import { partBuffers, readInParts } from '../../../packages/backend-webgpu/src/host/read-in-parts.ts'

const host = await openHost(await findAdapter({}))
const memory = createMemory(host)
afterAll(() => {
  memory.dispose()
  host.dispose()
})

test.each([0, 1, 255, 256, 257, 512, 1000, 1024, 5000])('%i numbers in parts of 256', async (length) => {
  const numbers = Float32Array.from({ length }, (_, n) => n + 0.5)
  const array = await GpuArray.create(host, memory, length)
  await array.write(numbers)
  const lease = memory.lease()
  const parts = await partBuffers(lease, 1024)
  const into = new Float32Array(length + 2).fill(-1)
  for (let again = 0; again < 2; again++)
    await readInParts(host, array.buffer, new Uint32Array(into.buffer, 4, length), parts)
  expect([...into]).toEqual([-1, ...numbers, -1])
  lease.release()
  array.dispose()
})
