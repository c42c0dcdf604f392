// The shader of a map is compiled for a run by itself; a sequence has one shader for neighbouring maps. The test runs on Dawn's null
// backend.

import { map } from '@manybody/core'
import { expect, test, vi } from 'vitest'
import { opened } from '../support/null-device.ts'

test('a map that runs in a sequence compiles the shader of the sequence alone', async () => {
  const { host, device } = await opened()
  const compiled = vi.spyOn(host.device, 'createComputePipelineAsync')
  const labels = () => compiled.mock.calls.map(([{ label }]) => label)
  const shape = { dimension: 3, targets: 5, sources: 5, sameSet: true, vectors: [] } as const
  const program = await device.prepare(map({ doubled: '2*mass' }), shape)
  expect(labels()).toEqual([])

  const [mass, doubled] = [await device.buffer(5), await device.buffer(5)]
  const points = { count: 5, arrays: { mass } }
  const bindings = { targets: points, sources: points, parameters: {} }
  const sequence = await device.sequence([{ program, bindings, outputs: { doubled } }])
  await sequence.run(2)
  expect(labels()).toEqual([expect.stringContaining('maps in order: doubled')])

  await program.ready?.()
  expect(labels()).toHaveLength(2)
  await program.run({ ...bindings, targets: { count: 5, arrays: { mass: new Float32Array(5) } } })
  expect(labels()).toHaveLength(2)
  sequence.dispose()
  program.dispose()
  device.dispose()
})
