// What a bad device gets: a verdict or a typed error with reason and remedy, never a hang, never an unhandled rejection.
// On Dawn's null backend, which refuses, runs out and is lost as others are, and computes nothing.

import {
  accelerations,
  BackendUnavailableError,
  type Bindings,
  DeviceLostError,
  gravity,
  map,
  type Program,
  type Shape,
} from '@manybody/core'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { WebGpuDevice } from '../../src/device.ts'
import { findAdapter } from '../../src/host/adapter.ts'
import { type GpuHost, openHost } from '../../src/host/host.ts'
import { webgpu } from '../../src/index.ts'

const count = 64
const shape: Shape = { dimension: 3, targets: count, sources: count, sameSet: true, vectors: ['position'] }
const workload = accelerations(gravity({ softening: 0.1 }))
const arrays = { position: new Float32Array(3 * count), mass: new Float32Array(count) }
const points = { count, arrays }
const bindings: Bindings = { targets: points, sources: points, parameters: workload.law.parameters }

type Listen = (event: 'unhandledRejection', listener: (reason: unknown) => void) => void
const { process } = globalThis as unknown as { readonly process: { readonly on: Listen; readonly off: Listen } }
const unhandled: unknown[] = []
const note = (reason: unknown) => unhandled.push(reason)
beforeAll(() => void process.on('unhandledRejection', note))
afterAll(async () => {
  await new Promise((resolve) => setTimeout(resolve, 20))
  process.off('unhandledRejection', note)
  expect(unhandled).toEqual([])
})
afterEach(() => void vi.unstubAllGlobals())

async function opened() {
  const host = await openHost(await findAdapter({ dawn: ['backend=null'] }))
  return { host, device: new WebGpuDevice(host) }
}

/** Waits a little longer each time, so that the fault meets every stage of what runs. */
const moments = [0, 1, 2, 3, 5, 8, 13, 21, 34, 55]
async function after(turns: number): Promise<void> {
  for (let n = 0; n < turns; n++) await Promise.resolve()
}

/** The error, or `none`. */
const faultOf = (work: Promise<unknown>) =>
  work.then(
    () => 'none',
    (error: unknown) => error,
  )

describe('the loss of a device is reported', () => {
  const works: Readonly<Record<string, (device: WebGpuDevice, program: Program) => Promise<unknown>>> = {
    'while it compiles': (device) => device.prepare(workload, shape),
    'during a run': (_, program) => program.run(bindings),
    'while it allocates': (device) => device.buffer(1000),
    'while it is written and read': async (device) => {
      const buffer = await device.buffer(100)
      await buffer.write(new Float32Array(100))
      await buffer.read()
    },
    'during a sequence': async (device, program) => {
      const acceleration = await device.buffer(3 * count)
      const sequence = await device.sequence([{ program, bindings, outputs: { acceleration } }])
      await sequence.run(100)
    },
  }
  test.each(Object.entries(works))('%s', async (_, work) => {
    for (const turns of moments) {
      const { host, device } = await opened()
      const program = await device.prepare(workload, shape)
      const fault = faultOf(work(device, program))
      await after(turns)
      host.device.destroy()
      const found = await fault
      // It may have ended before.
      if (found !== 'none') expect(found).toBeInstanceOf(DeviceLostError)
      await device.lost
      expect(await faultOf(work(device, program))).toBeInstanceOf(DeviceLostError)
    }
  })

  test('while it tunes', async () => {
    for (const turns of [...moments, 100, 200, 400]) {
      const { host } = await opened()
      const device = new WebGpuDevice(host, 'quick')
      const fault = faultOf(device.prepare(workload, shape))
      await after(turns)
      host.device.destroy()
      expect(await fault).toBeInstanceOf(DeviceLostError)
      expect(device.learned).toEqual({})
    }
  })

  test('while it times a plan', async () => {
    const tuned = async (lostAt: number) => {
      const { host } = await opened()
      const device = new WebGpuDevice(host, 'quick')
      const { queue } = host.device
      const submit = queue.submit.bind(queue)
      let submissions = 0
      vi.spyOn(queue, 'submit').mockImplementation((commands) => {
        submit(commands)
        submissions++
        if (submissions === lostAt) host.device.destroy()
      })
      return { fault: await faultOf(device.prepare(workload, shape)), device, submissions }
    }
    const { fault, device, submissions } = await tuned(0)
    expect(fault).toBe('none')
    expect(Object.keys(device.learned)).toHaveLength(1)
    for (const lostAt of [1, 3, submissions]) {
      const lost = await tuned(lostAt)
      expect(lost.fault).toBeInstanceOf(DeviceLostError)
      expect(lost.submissions).toBe(lostAt)
      expect(lost.device.learned).toEqual({})
    }
  })

  test('between runs', async () => {
    const { host, device } = await opened()
    const program = await device.prepare(workload, shape)
    await program.run(bindings)
    host.device.destroy()
    // At once, before anyone was told.
    expect(await faultOf(program.run(bindings))).toBeInstanceOf(DeviceLostError)
  })
})

test('a call that fails because the device is lost reports the loss', async () => {
  const { host } = await opened()
  vi.spyOn(host.device, 'popErrorScope').mockRejectedValue(new Error('no scope'))
  expect(await faultOf(host.guarded('work', () => host.device.destroy()))).toBeInstanceOf(DeviceLostError)
})

test('a failed run returns its buffers only after their mapping has ended', async () => {
  const { host, device } = await opened()
  const program = await device.prepare(workload, shape)
  await program.run(bindings)
  const buffers = Object.getPrototypeOf(host.device.createBuffer({ size: 16, usage: 128 })) as GPUBuffer
  const { mapAsync } = buffers
  const slow = vi.spyOn(buffers, 'mapAsync').mockImplementation(async function (this: GPUBuffer, ...range) {
    const mapped = mapAsync.apply(this, range)
    await new Promise((resolve) => setTimeout(resolve, 50))
    return mapped
  })
  const mass = await device.buffer(count)
  mass.dispose()
  const wrong = { count, arrays: { ...arrays, mass } }
  await expect(program.run({ ...bindings, targets: wrong, sources: wrong })).rejects.toThrow('Cannot submit work')
  expect((await program.run(bindings)).acceleration).toHaveLength(3 * count)
  slow.mockRestore()
})

test('a failed sequence returns its buffers only after all its submissions have ended', async () => {
  const { host, device } = await opened()
  const program = await device.prepare(workload, shape)
  const acceleration = await device.buffer(3 * count)
  const sequence = await device.sequence([{ program, bindings, outputs: { acceleration } }])
  const { queue } = host.device
  const submit = queue.submit.bind(queue)
  let submissions = 0
  vi.spyOn(queue, 'submit').mockImplementation((commands) => {
    submissions++
    // Those behind it run.
    if (submissions === 2) throw new Error('the queue is full')
    submit(commands)
  })
  const done = queue.onSubmittedWorkDone.bind(queue)
  let running = 0
  vi.spyOn(queue, 'onSubmittedWorkDone').mockImplementation(async () => {
    running++
    await done()
    await new Promise((resolve) => setTimeout(resolve, 50))
    running--
  })
  await expect(sequence.run(1000)).rejects.toThrow('the queue is full')
  expect(submissions).toBeGreaterThan(2)
  expect(running).toBe(0)
})

test('an aborted sequence returns its buffers only after all its submissions have ended', async () => {
  const { host, device } = await opened()
  const program = await device.prepare(workload, shape)
  const acceleration = await device.buffer(3 * count)
  const sequence = await device.sequence([{ program, bindings, outputs: { acceleration } }])
  const { queue } = host.device
  const done = queue.onSubmittedWorkDone.bind(queue)
  const controller = new AbortController()
  let running = 0
  vi.spyOn(queue, 'onSubmittedWorkDone').mockImplementation(async () => {
    running++
    controller.abort('enough')
    await done()
    await new Promise((resolve) => setTimeout(resolve, 50))
    running--
  })
  await expect(sequence.run(1e5, { signal: controller.signal })).rejects.toBe('enough')
  expect(running).toBe(0)
})

describe('disposing', () => {
  test('of a device during a run rejects the run', async () => {
    for (const turns of moments) {
      const { device } = await opened()
      const program = await device.prepare(workload, shape)
      const fault = faultOf(program.run(bindings))
      await after(turns)
      device.dispose()
      const found = await fault
      if (found !== 'none') expect(String(found)).toContain('it was disposed; open the backend again')
    }
  })

  test('of a program lets its current run end', async () => {
    for (const turns of moments) {
      const { device } = await opened()
      const program = await device.prepare(workload, shape)
      const run = program.run(bindings)
      await after(turns)
      program.dispose()
      expect((await run).acceleration).toHaveLength(3 * count)
      await expect(program.run(bindings)).rejects.toThrow('it was disposed; prepare it again')
    }
  })

  test('of a sequence lets its current run end', async () => {
    const { device } = await opened()
    const program = await device.prepare(workload, shape)
    const acceleration = await device.buffer(3 * count)
    const sequence = await device.sequence([{ program, bindings, outputs: { acceleration } }])
    const run = sequence.run(100)
    sequence.dispose()
    await run
    await expect(sequence.run(1)).rejects.toThrow('it was disposed; make it again')
  })

  test('of an array that a run reads makes that run fail, but not the next', async () => {
    const { device } = await opened()
    const program = await device.prepare(workload, shape)
    const mass = await device.buffer(count)
    mass.dispose()
    const wrong = { count, arrays: { ...arrays, mass } }
    await expect(program.run({ ...bindings, targets: wrong, sources: wrong })).rejects.toThrow('Cannot submit work')
    expect((await program.run(bindings)).acceleration).toHaveLength(3 * count)
    await expect(mass.read()).rejects.toThrow('Cannot read device array')
    await expect(mass.write(new Float32Array(count))).rejects.toThrow('Cannot write device array')
  })
})

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

test('a run that is aborted before it starts does nothing', async () => {
  const { device } = await opened()
  const program = await device.prepare(map({ twice: '2*mass' }), shape)
  const set = { count, arrays: { mass: arrays.mass } }
  const aborted = program.run({ targets: set, sources: set, parameters: {} }, { signal: AbortSignal.abort('enough') })
  await expect(aborted).rejects.toBe('enough')
})
