// A sequence asks for the end of each submission as soon as it is queued. Asked later, it would also wait for newer
// submissions, and the device would idle. The test runs on Dawn's null backend.

import { expect, test } from 'vitest'
import type { GpuHost } from '../../src/run/host/host.ts'
import { createMemory } from '../../src/run/host/memory.ts'
import { createSequence } from '../../src/run/programs/sequence.ts'
import { arrays, bindings, opened, shape, workload } from '../support/null-device.ts'

test('each submission of a sequence is asked for before the next is queued', async () => {
  const { host, device } = await opened()
  const calls: string[] = []
  const watched: GpuHost = {
    ...host,
    guarded: (action, call, kinds) => {
      if (action === 'submit a sequence') calls.push('submit')
      return host.guarded(action, call, kinds)
    },
    finished: () => {
      calls.push('ask')
      return host.finished()
    },
  }
  const inputs = await Promise.all(
    Object.entries(arrays).map(async ([name, { length }]) => [name, await device.buffer(length)] as const),
  )
  const set = { ...bindings.targets, arrays: Object.fromEntries(inputs) }
  const stage = {
    program: await device.prepare(workload, shape),
    bindings: { ...bindings, targets: set, sources: set },
    outputs: { acceleration: await device.buffer(arrays.position.length) },
  }
  const sequence = await createSequence(watched, createMemory(host), [stage])
  await sequence.run(200)
  expect(calls.length).toBeGreaterThan(4)
  expect(calls).toEqual(calls.map((_, n) => (n % 2 === 0 ? 'submit' : 'ask')))
  device.dispose()
})
