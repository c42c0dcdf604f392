// Loss is noticed before a result is trusted, and disposing is not loss. The tests run on Dawn's null backend, which loses
// devices as others do.

import { accelerations, DeviceLostError, gravity, pairTerm, type Shape, sum } from '@manybody/core'
import { afterEach, expect, test, vi } from 'vitest'
import { WebGpuDevice } from '../../src/device.ts'
import { findAdapter, probeOf } from '../../src/run/host/adapter.ts'
import { openHost } from '../../src/run/host/host.ts'

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const shape: Shape = { dimension: 3, targets: 8, sources: 8, sameSet: true, vectors: ['position'] }
const opened = async () => openHost(await findAdapter({ dawn: ['backend=null'] }))

test('a lost device rejects every call', async () => {
  const host = await opened()
  const device = new WebGpuDevice(host)
  const workload = accelerations(gravity())
  const program = await device.prepare(workload, shape)
  host.device.destroy()
  const loss = await device.lost
  expect(loss.remedy).toContain('open the backend again')
  const set = { count: 8, arrays: { position: new Float32Array(24), mass: new Float32Array(8) } }
  const run = program.run({ targets: set, sources: set, parameters: workload.law.parameters })
  await expect(run).rejects.toThrow(DeviceLostError)
  await expect(device.prepare(workload, shape)).rejects.toThrow(DeviceLostError)
  await expect(device.buffer(8)).rejects.toThrow(DeviceLostError)
})

test('a disposed device does not count as lost', async () => {
  const host = await opened()
  new WebGpuDevice(host).dispose()
  await host.device.lost
  const first = await Promise.race([host.lost.then(() => 'lost'), Promise.resolve('quiet')])
  expect(first).toBe('quiet')
  expect(() => host.check()).toThrow('it was disposed')
})

test('attributes share a binding, as long as it holds all of them', async () => {
  const device = new WebGpuDevice(await openHost(await findAdapter({ dawn: ['backend=null'] }), true))
  const names = Array.from({ length: 64 }, (_, n) => `a${n}`)
  const law = sum(pairTerm(names.map((name) => `${name}_j`).join(' + '))())
  expect(device.supports(law, { ...shape, targets: 4e5, sources: 4e5 })).toEqual({ ok: true })
  expect(device.supports(law, { ...shape, targets: 5e5, sources: 5e5 })).toMatchObject({
    ok: false,
    reason: /^its arrays share a binding of 150750000 bytes, device limit is 134217728; use fewer points/,
  })
  expect(device.supports(accelerations(gravity()), { ...shape, targets: 5e5, sources: 5e5 })).toEqual({ ok: true })
})

test('a missing adapter is reported with the reason and a remedy', () => {
  const reason = 'there is none; install one'
  expect(probeOf({ ok: false, reason })).toEqual({ available: false, reason })
})

test.each<[info: Partial<GPUAdapterInfo>, name: string]>([
  [{ vendor: 'nvidia', device: 'nvidia-h200', description: '570.1' }, 'nvidia-h200'],
  [
    { vendor: 'google', device: 'swiftshader-device-subzero-', description: 'driver 5.0' },
    'swiftshader-device-subzero',
  ],
  [{ vendor: 'apple', device: '0x1234', description: 'Apple M2' }, 'Apple M2'],
  [{ vendor: 'google', architecture: 'swiftshader', device: '', description: '' }, 'google swiftshader'],
  [{}, 'unnamed'],
])('an adapter with %j has a name', async (info, name) => {
  const adapter = { info, features: new Set() }
  vi.stubGlobal('navigator', { gpu: { requestAdapter: async () => adapter } })
  expect(await findAdapter({})).toMatchObject({ ok: true, name })
})

/** A device with failing calls. It reports its loss `later` milliseconds after a failure, or never. */
async function failing(later: number | undefined) {
  let lose: (info: { reason: string; message: string }) => void = () => {}
  const fail = async () => {
    if (later !== undefined) setTimeout(() => lose({ reason: 'unknown', message: 'the process ended' }), later)
    throw new Error('Instance dropped.')
  }
  const device = {
    lost: new Promise((resolve) => {
      lose = resolve
    }),
    features: new Set(),
    limits: {},
    queue: { onSubmittedWorkDone: fail },
    createComputePipelineAsync: fail,
    pushErrorScope: () => {},
    popErrorScope: fail,
    destroy: () => {},
  }
  const adapter = { features: new Set(), limits: {}, requestDevice: async () => device }
  return openHost({
    ok: true,
    adapter: adapter as unknown as GPUAdapter,
    name: 'a device',
    kind: 'hardware',
    dawn: false,
  })
}

test.each(['guarded', 'finished'] as const)(
  '%s: a call that fails just before the loss is reported is attributed to it',
  async (name) => {
    vi.useFakeTimers()
    const faultOf = async (later: number | undefined): Promise<unknown> => {
      const host = await failing(later)
      const call = name === 'guarded' ? host.guarded('submit work', () => 0) : host.finished()
      const fault = call.then(
        () => 'none',
        (error: unknown) => error,
      )
      await vi.runAllTimersAsync()
      return fault
    }
    const lost = await faultOf(2000)
    expect(lost).toBeInstanceOf(DeviceLostError)
    expect(lost).toMatchObject({ message: expect.stringContaining('the process ended') })
    expect(await faultOf(undefined)).toMatchObject({ message: 'Instance dropped.' })
  },
)
