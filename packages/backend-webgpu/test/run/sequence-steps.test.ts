// The steps of a sequence: each takes about as long, also if the law reads long vectors. The test runs on Dawn's null backend.

import { pairTerm, sum } from '@manybody/core'
import { expect, test, vi } from 'vitest'
import type { GpuHost } from '../../src/run/host/host.ts'
import { createMemory } from '../../src/run/host/memory.ts'
import { createSequence } from '../../src/run/programs/sequence.ts'
import { opened } from '../support/null-device.ts'

/** How many dispatches 2048 points take in a sequence. */
async function dispatchesOf(text: string, length: number): Promise<number> {
  const [{ host, device }, workload, count] = [await opened(), sum(pairTerm(text)()), 2048]
  const shape = {
    dimension: 3,
    targets: count,
    sources: count,
    sameSet: true,
    vectors: [],
    lengths: { x: length },
  } as const
  const points = { count, arrays: { x: await device.buffer(count * length) } }
  const program = await device.prepare(workload, shape)
  const outputs = { value: await device.buffer(text.includes('vector') ? count * length : count) }
  const bindings = { targets: points, sources: points, parameters: {} }
  // Steps are shortest on a software GPU.
  const slow: GpuHost = { ...host, info: { ...host.info, kind: 'software' } }
  const sequence = await createSequence(slow, createMemory(host), [{ program, bindings, outputs }])
  let dispatches = 0
  const { createCommandEncoder } = host.device
  vi.spyOn(host.device, 'createCommandEncoder').mockImplementation((descriptor) => {
    const encoder = createCommandEncoder.call(host.device, descriptor)
    const { beginComputePass } = encoder
    vi.spyOn(encoder, 'beginComputePass').mockImplementation((given) => {
      const pass = beginComputePass.call(encoder, given)
      const { dispatchWorkgroups } = pass
      vi.spyOn(pass, 'dispatchWorkgroups').mockImplementation((...size) => {
        dispatches++
        return dispatchWorkgroups.call(pass, ...size)
      })
      return pass
    })
    return encoder
  })
  await sequence.run(1)
  sequence.dispose()
  device.dispose()
  return dispatches
}

test.each(['dot(x_i, x_j)', 'vector(x_j)*norm(x_i)'])('%s is divided by the length of its vectors', async (text) => {
  const short = await dispatchesOf(text, 1)
  expect(short).toBeLessThanOrEqual(2)
  expect(await dispatchesOf(text, 2 ** 12)).toBeGreaterThanOrEqual(4 * short)
})
