// The commands of a repeated run are recorded while the device computes the run before. The test runs on Dawn's null backend.

import { expect, test, vi } from 'vitest'
import { bindings, opened, shape, workload } from '../support/null-device.ts'

test('a repeated run submits commands that were recorded before it began', async () => {
  const { host, device } = await opened()
  const program = await device.prepare(workload, shape)
  for (let n = 0; n < 2; n++) await program.run(bindings)
  const calls: string[] = []
  const { createCommandEncoder } = host.device
  vi.spyOn(host.device, 'createCommandEncoder').mockImplementation((descriptor) => {
    calls.push('record')
    return createCommandEncoder.call(host.device, descriptor)
  })
  const { queue } = host.device
  const { submit } = queue
  vi.spyOn(queue, 'submit').mockImplementation((commands) => {
    calls.push('submit')
    submit.call(queue, commands)
  })
  for (let n = 0; n < 3; n++) {
    calls.push('run')
    await program.run(bindings)
  }
  const once = ['run', 'submit', 'record']
  expect(calls).toEqual([...once, ...once, ...once])
  program.dispose()
  device.dispose()
})
