// Large arrays arrive whole, whatever the length of their parts. Failures leave the memory of parts usable.

import { createEngine, map } from '@manybody/core'
import { afterAll, expect, test, vi } from 'vitest'
import { webgpu } from '../../../packages/backend-webgpu/src/index.ts'
import { findAdapter } from '../../../packages/backend-webgpu/src/run/host/adapter.ts'
import { GpuArray } from '../../../packages/backend-webgpu/src/run/host/buffer.ts'
import { openHost } from '../../../packages/backend-webgpu/src/run/host/host.ts'
import { createMemory } from '../../../packages/backend-webgpu/src/run/host/memory.ts'
import { partBuffers, readInParts } from '../../../packages/backend-webgpu/src/run/host/read-in-parts.ts'
import { writeInParts } from '../../../packages/backend-webgpu/src/run/host/write-in-parts.ts'

const host = await openHost(await findAdapter({}))
const memory = createMemory(host)
afterAll(() => {
  memory.dispose()
  host.dispose()
})

const lengths = [0, 1, 255, 256, 257, 512, 1000, 1024, 5000]
const numbersOf = (length: number) => Float32Array.from({ length }, (_, n) => n + 0.5)

test.each(lengths)('%i numbers are read in parts of 256', async (length) => {
  const numbers = numbersOf(length)
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

test.each(lengths)('%i numbers are written in parts of 256', async (length) => {
  const array = await GpuArray.create(host, memory, length)
  const lease = memory.lease()
  const around = numbersOf(length + 2)
  for (const numbers of [around.subarray(0, length), around.subarray(2)]) {
    await writeInParts(host, numbers, array.buffer, lease, 1024)
    expect(await array.read()).toEqual(numbers.slice())
  }
  lease.release()
  array.dispose()
})

test('after a write fails, parts are mapped again', async () => {
  const array = await GpuArray.create(host, memory, 1000)
  const lease = memory.lease()
  const encoder = vi.spyOn(host.device, 'createCommandEncoder').mockImplementationOnce(() => {
    throw new Error('no encoder')
  })
  const numbers = numbersOf(1000)
  try {
    await expect(writeInParts(host, numbers, array.buffer, lease, 1024)).rejects.toThrow('no encoder')
  } finally {
    encoder.mockRestore()
  }
  await writeInParts(host, numbers, array.buffer, lease, 1024)
  expect(await array.read()).toEqual(numbers)
  lease.release()
  array.dispose()
})

test('runs over arrays that are written in parts see all numbers, also when their buffers are used again', async () => {
  const engine = await createEngine({ backends: [webgpu()], crossover: false })
  try {
    const count = 100_000
    for (const offset of [0.5, 7]) {
      const position = Float32Array.from({ length: 3 * count }, (_, n) => n + offset)
      const { a } = await engine.run(map({ a: 'position_x - position_z' }), { position, dimension: 3 })
      expect(a.every((difference) => difference === -2)).toBe(true)
      const { z } = await engine.run(map({ z: 'position_z' }), { position, dimension: 3 })
      expect(z).toEqual(Float32Array.from({ length: count }, (_, n) => 3 * n + 2 + offset))
    }
  } finally {
    engine.dispose()
  }
})
