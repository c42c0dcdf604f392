// A WebGPU that lacks something is reported with a reason and a remedy.

import { BackendUnavailableError } from '@manybody/core'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { webgpu } from '../../src/index.ts'
import { findAdapter } from '../../src/run/host/adapter.ts'
import { faultOf } from '../support/null-device.ts'

afterEach(() => void vi.unstubAllGlobals())

describe('an incomplete WebGPU is reported', () => {
  const adapterOf = async () => {
    const found = await findAdapter({ dawn: ['backend=null'] })
    if (!found.ok || !('adapter' in found)) throw new Error('no adapter')
    return found.adapter
  }
  const verdictWith = (gpu: object) => {
    vi.stubGlobal('navigator', { gpu })
    return webgpu().probe()
  }

  test('if it has no adapter', async () => {
    const verdict = await verdictWith({ requestAdapter: async () => null })
    expect(verdict).toMatchObject({ available: false, reason: expect.stringContaining('enable hardware acceleration') })
  })

  test('if requesting an adapter fails', async () => {
    const verdict = await verdictWith({})
    expect(verdict).toMatchObject({
      available: false,
      reason: expect.stringContaining('restart or update the browser'),
    })
  })

  test('if its adapter has no information', async () => {
    const bare = { features: new Set(), limits: {} }
    expect(await verdictWith({ requestAdapter: async () => bare })).toEqual({
      available: true,
      device: 'unnamed',
      kind: 'hardware',
      features: [],
    })
    const fallback = { ...bare, isFallbackAdapter: true }
    expect(await verdictWith({ requestAdapter: async () => fallback })).toMatchObject({ kind: 'software' })
  })

  test('if its adapter refuses to open a device', async () => {
    const adapter = await adapterOf()
    // An adapter gives one device only.
    await adapter.requestDevice()
    vi.stubGlobal('navigator', { gpu: { requestAdapter: async () => adapter } })
    const fault = await faultOf(webgpu().open())
    expect(fault).toBeInstanceOf(BackendUnavailableError)
    expect(String(fault)).toMatch(/refused to open a device .*; close other pages/)
  })

  test('if its devices lack a function', async () => {
    const device = await (await adapterOf()).requestDevice()
    vi.stubGlobal('navigator', {
      gpu: {
        requestAdapter: async () => ({
          features: new Set(),
          limits: {},
          requestDevice: async () => ({ features: device.features, limits: device.limits, lost: device.lost }),
        }),
      },
    })
    const fault = await faultOf(webgpu().open())
    expect(fault).toBeInstanceOf(BackendUnavailableError)
    expect(String(fault)).toMatch(/too old: its devices have no createComputePipelineAsync; update/)
  })

  test('if its package has no `create`', async () => {
    vi.resetModules()
    vi.doMock('webgpu', () => ({ globals: {} }))
    const { webgpu: fresh } = await import('../../src/index.ts')
    const verdict = await fresh({ dawn: ['another'] }).probe()
    expect(verdict).toMatchObject({
      available: false,
      reason: expect.stringContaining('install it for this platform with "npm install webgpu"'),
    })
    vi.doUnmock('webgpu')
  })
})
