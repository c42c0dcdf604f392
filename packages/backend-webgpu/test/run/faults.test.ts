// A bad device gets a verdict or a typed error with reason and remedy, never a hang, never an unhandled rejection. The tests
// run on Dawn's null backend, which refuses, runs out and is lost as others are, and computes nothing.

import { DeviceLostError, map, type Program } from '@manybody/core'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { WebGpuDevice } from '../../src/device.ts'
import { arrays, bindings, count, faultOf, opened, shape, workload } from '../support/null-device.ts'

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

/** Numbers of turns to wait, so that the fault meets every stage of the work. */
const moments = [0, 1, 2, 3, 5, 8, 13, 21, 34, 55]
async function after(turns: number): Promise<void> {
  for (let n = 0; n < turns; n++) await Promise.resolve()
}

describe('the loss of a device is reported', () => {
  const works: Readonly<Record<string, (device: WebGpuDevice, program: Program) => Promise<unknown>>> = {
    'while it compiles': (device) => device.prepare(workload, shape),
    'during a run': (_, program) => program.run(bindings),
    'during a run like the one before': async (_, program) => {
      await program.run(bindings)
      await program.run(bindings)
    },
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

test('work that the device accepted is submitted again without asking for errors', async () => {
  const { host, device } = await opened()
  const asked = vi.spyOn(host.device, 'popErrorScope')
  const answers = async (work: Promise<unknown>) => {
    asked.mockClear()
    await work
    return asked.mock.calls.length
  }
  const program = await device.prepare(workload, shape)
  expect(await answers(program.run(bindings))).toBeGreaterThan(0)
  expect(await answers(program.run(bindings))).toBe(0)
  // Each of several calls in flight has buffers that were never checked for errors.
  expect(await answers(Promise.all([program.run(bindings), program.run(bindings)]))).toBeGreaterThan(0)
  expect(await answers(Promise.all([program.run(bindings), program.run(bindings)]))).toBe(0)
})

test('work that is refused after it was accepted fails', async () => {
  const { host, device } = await opened()
  const made = vi.spyOn(host.device, 'createBuffer')
  const program = await device.prepare(workload, shape)
  await program.run(bindings)
  // Only a fault of ours can do this.
  for (const { value } of made.mock.results) if (/^array/.test(value.label)) value.destroy()
  expect(String(await faultOf(program.run(bindings)))).toMatch(
    /refused what it had accepted before .*destroyed.*run again/s,
  )
})

test('a clock that is wrong delays no run', async () => {
  const { host, device } = await opened()
  const program = await device.prepare(workload, shape)
  const buffers = Object.getPrototypeOf(host.device.createBuffer({ size: 16, usage: 128 })) as GPUBuffer
  const { getMappedRange } = buffers
  const wrong = vi.spyOn(buffers, 'getMappedRange').mockImplementation(function (this: GPUBuffer, ...range) {
    const bytes = getMappedRange.apply(this, range)
    // The two timestamps are the last numbers that a run reads, and a hundred years apart.
    new BigUint64Array(bytes, bytes.byteLength - 16).set([0n, 10n ** 18n * 3n])
    return bytes
  })
  for (let n = 0; n < 4; n++) await program.run(bindings)
  expect(wrong).toHaveBeenCalledTimes(4)
  expect(program.report.timings.compute).toBeLessThan(60_000)
  wrong.mockRestore()
}, 60_000)

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
    // The submissions behind it run.
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

test('a run that is aborted before it starts does nothing', async () => {
  const { device } = await opened()
  const program = await device.prepare(map({ twice: '2*mass' }), shape)
  const set = { count, arrays: { mass: arrays.mass } }
  const aborted = program.run({ targets: set, sources: set, parameters: {} }, { signal: AbortSignal.abort('enough') })
  await expect(aborted).rejects.toBe('enough')
})
