// Sequences convert counts to float32 with one shader, which a device compiles once. The test runs on Dawn's null backend.

import { countWithin } from '@manybody/core'
import { bind } from '@manybody/core/judge'
import { expect, test, vi } from 'vitest'
import { opened } from '../support/null-device.ts'

test('two sequences share the shader that converts their counts', async () => {
  const { host, device } = await opened()
  const compiled = vi.spyOn(host.device, 'createComputePipelineAsync')
  const workload = countWithin(0.5)
  const { shape, bindings } = bind(workload, { position: new Float32Array(15) })
  const program = await device.prepare(workload, shape)
  const [position, count] = [await device.buffer(15), await device.buffer(5)]
  const points = { count: 5, arrays: { position } }
  const stage = { program, bindings: { ...bindings, targets: points, sources: points }, outputs: { count } }
  const first = await device.sequence([stage])
  const labels = () => compiled.mock.calls.map(([{ label }]) => label)
  const before = labels()
  const second = await device.sequence([stage])
  expect(labels()).toEqual(before)
  for (const one of [first, second, program, position, count, device]) one.dispose()
})
