// Sizes beyond the limits of a device: a typed error with a remedy, or fewer parts. The tests run on Dawn's null backend, which
// computes nothing.

import { describe, expect, test, vi } from 'vitest'
import { WebGpuDevice } from '../../src/device.ts'
import type { GpuHost } from '../../src/run/host/host.ts'
import { arrays, bindings, count, opened, shape, workload } from '../support/null-device.ts'

describe('a size limit', () => {
  test('rejects an array that is too large', async () => {
    const { device } = await opened()
    await expect(device.buffer(2 ** 40)).rejects.toThrow(/Cannot allocate .* at most \d+ bytes .*; compute fewer/)
  })

  test('is reported with a remedy when the device is out of memory', async () => {
    const { host } = await opened()
    vi.spyOn(host.device, 'popErrorScope')
      .mockResolvedValueOnce(null)
      .mockResolvedValueOnce({ message: 'no page left' } as GPUError)
    await expect(host.guarded('allocate', () => 1)).rejects.toThrow(
      'Cannot allocate: the device is out of memory (no page left); dispose of arrays',
    )
  })

  /** The host with one limit lowered. */
  const limitedTo = (host: GpuHost, limit: keyof GPUSupportedLimits, most: number): GpuHost => {
    const limits = new Proxy(host.limits, {
      get: (all, name) => (name === limit ? most : Reflect.get(all, name, all)),
    })
    return { ...host, limits }
  }

  test('rejects an array of the caller that no shader can bind', async () => {
    const { host, device } = await opened()
    const small = new WebGpuDevice(limitedTo(host, 'maxStorageBufferBindingSize', 12 * count))
    const program = await small.prepare(workload, shape)
    // One buffer of a device holds more than a shader of it may bind.
    const mass = await small.buffer(4 * count)
    const large = { count, arrays: { ...arrays, mass } }
    await expect(program.run({ ...bindings, targets: large, sources: large })).rejects.toThrow(
      'Cannot bind points_mass of "gravity, sum of acceleration',
    )
    await expect(program.run({ ...bindings, targets: large, sources: large })).rejects.toThrow(
      `${16 * count} bytes, device limit is ${12 * count}; compute fewer targets at a time`,
    )
    expect((await program.run(bindings)).acceleration).toHaveLength(3 * count)
    device.dispose()
  })

  test('of one array reduces the number of parts, and the run succeeds', async () => {
    const { host, device } = await opened()
    const small = new WebGpuDevice(limitedTo(host, 'maxStorageBufferBindingSize', 3 * 12 * count))
    const program = await small.prepare(workload, shape, { variant: 'split', sizes: { parts: 32 } })
    expect(program.report.variant).toContain('parts 3 of 32, as many as fit one array')
    expect((await program.run(bindings)).acceleration).toHaveLength(3 * count)
    device.dispose()
  })

  test.each(['vectorised', 'tiled-vectorised'])(
    'of packed sources rejects the variant %s, while other variants run',
    async (variant) => {
      const { host, device } = await opened()
      const small = new WebGpuDevice(limitedTo(host, 'maxStorageBufferBindingSize', 12 * count))
      await expect(small.prepare(workload, shape, { variant })).rejects.toThrow(
        `"variant" ${variant} packs ${count} sources into more than ${12 * count} bytes, the limit of one array on this device; name another`,
      )
      const program = await small.prepare(workload, shape, { variant: 'tiled' })
      expect((await program.run(bindings)).acceleration).toHaveLength(3 * count)
      device.dispose()
    },
  )

  test('rejects more workgroups than a dispatch may have', async () => {
    const { host, device } = await opened()
    const small = new WebGpuDevice(limitedTo(host, 'maxComputeWorkgroupsPerDimension', 0))
    await expect((await small.prepare(workload, shape)).run(bindings)).rejects.toThrow(
      /Cannot dispatch .* device limit is 0 per dimension; use a plan with/,
    )
    device.dispose()
  })
})
