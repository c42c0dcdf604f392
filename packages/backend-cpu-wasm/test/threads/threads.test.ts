// Workers really take part, do not change results, and end when they should.

import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Worker } from 'node:worker_threads'
import { accelerations, type Device, type FloatArray, gravity } from '@manybody/core'
import { bind } from '@manybody/core/judge'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { cpuWasm } from '../../src/index.ts'
import { points } from '../support/points.ts'
import { endSilently, until, watchWorkers } from '../support/workers.ts'

const workload = accelerations(gravity({ softening: 0.05 }))
const data = points(2000)

async function acceleration(device: Device, variant: string): Promise<{ result: FloatArray; threads: Set<string> }> {
  const { bindings, shape } = bind(workload, data)
  const program = await device.prepare(workload, shape, { variant })
  const threads = new Set<string>()
  let result: FloatArray = new Float32Array()
  // A worker takes part when it has started; how long that takes is the machine's affair.
  for (let attempt = 0; attempt < 10_000 && !threads.has('2 threads'); attempt++) {
    result = (await program.run(bindings)).acceleration as FloatArray
    threads.add(program.report.variant.split(', ').at(-1) ?? '')
    await new Promise((resolve) => setTimeout(resolve, 2))
  }
  program.dispose()
  return { result, threads }
}

describe('two threads', () => {
  it('both compute, with the results of a single thread', async () => {
    const one = await cpuWasm().open({ threads: 1 })
    const two = await cpuWasm().open({ threads: 2 })
    expect(two.info.features).toContain('threads')
    expect(one.info.features).not.toContain('threads')
    const { bindings, shape } = bind(workload, data)
    const program = await one.prepare(workload, shape, { variant: 'simd' })
    const expected = (await program.run(bindings)).acceleration
    expect(program.report.variant).toBe('simd, 1 thread')
    const shared = await acceleration(two, 'simd')
    expect(shared.threads).toContain('2 threads')
    expect(shared.result).toEqual(expected)
    const once = await acceleration(two, 'pairs-once')
    expect(once.threads).toContain('2 threads')
    const size = Math.max(...once.result.map(Math.abs))
    for (const [i, a] of once.result.entries())
      expect(Math.abs(a - (expected?.[i] as number)) / size).toBeLessThan(1e-6)
    one.dispose()
    two.dispose()
  })

  it('work for two devices in turn', async () => {
    const devices = await Promise.all([
      cpuWasm().open({ threads: 2 }),
      cpuWasm().open({ threads: 2, precision: 'f64' }),
    ])
    const { bindings, shape } = bind(workload, data)
    const programs = await Promise.all(devices.map((device) => device.prepare(workload, shape, { variant: 'simd' })))
    const results = await Promise.all([...programs, ...programs].map((program) => program.run(bindings)))
    expect(results[2]).toEqual(results[0])
    const [single, double] = results.map(({ acceleration }) => acceleration as FloatArray)
    for (const [i, a] of (single ?? []).entries()) expect(a / (double?.[i] ?? 0)).toBeCloseTo(1, 2)
    for (const device of devices) device.dispose()
  })
})

it('reports that fewer threads run than requested', async () => {
  const infos = [9999, 31].map(async (threads) => {
    const device = await cpuWasm().open({ threads })
    device.dispose()
    return device.info
  })
  const [many, most] = await Promise.all(infos)
  expect(many?.limits.threads).toBe(31)
  expect(many?.notes).toEqual(['31 of 9999 threads are used, the most that this backend supports'])
  expect(most?.notes).toEqual([])
})

describe.each(['shared', 'copied'])('workers that do not start or do not stay, with %s memory', (memory) => {
  beforeEach(() => {
    if (memory === 'copied') vi.stubGlobal('SharedArrayBuffer', undefined)
  })
  afterEach(() => {
    vi.unstubAllGlobals()
    vi.restoreAllMocks()
  })

  it.each([
    ['as their code throws', () => new URL('data:text/javascript,throw Error("forbidden")'), /forbidden/],
    ['as their file is missing', () => new URL('file:///nowhere/worker.js'), /nowhere/],
    [
      'as the platform refuses',
      () => {
        throw new Error('no more threads')
      },
      /no more threads/,
    ],
  ] as const)('%s leave one thread, as the notes say', async (_, change, reason) => {
    watchWorkers(change)
    const device = await cpuWasm({ threadsFrom: 0 }).open({ threads: 3 })
    const { bindings, shape } = bind(workload, data)
    const program = await device.prepare(workload, shape)
    await until(() => device.info.limits.threads === 1)
    await program.run(bindings)
    expect(program.report.variant).toContain('1 thread')
    expect(device.info.features).not.toContain('threads')
    expect(device.info.notes?.join()).toMatch(/^one thread is used, because no worker could be started/)
    expect(device.info.notes?.join()).toMatch(reason)
    device.dispose()
  })

  it('leave one thread if they run and never answer, as the notes say after a while', async () => {
    const started = watchWorkers(() => new URL('data:text/javascript,setInterval(()=>{},1e6)'))
    const device = await cpuWasm({ threadsFrom: 0 }).open({ threads: 3 })
    const { bindings, shape } = bind(workload, data)
    const program = await device.prepare(workload, shape)
    await program.run(bindings)
    expect(started.length).toBe(2)
    expect(program.report.variant).toContain('1 thread')
    expect(device.info.notes?.join()).not.toMatch(/answered/)
    const now = performance.now()
    vi.spyOn(performance, 'now').mockReturnValue(now + 10_000)
    expect(device.info.notes?.join()).toMatch(/2 of 2 workers have not answered/)
    device.dispose()
  })

  it('are named if some started and ended', async () => {
    const workers = watchWorkers()
    const device = await cpuWasm({ threadsFrom: 0 }).open({ threads: 3 })
    const { shape } = bind(workload, data)
    await device.prepare(workload, shape)
    await until(() => device.info.features.includes('workers-inline'))
    await workers[0]?.terminate()
    await until(() => /1 of 2 workers ended/.test(device.info.notes?.join() ?? ''))
    await workers[1]?.terminate()
    await until(() => device.info.limits.threads === 1)
    expect(device.info.notes?.join()).toMatch(/one thread is used, because all workers have ended \(.*exited/)
    device.dispose()
  })
})

describe('a worker that ends during a call over shared memory', () => {
  afterEach(() => vi.restoreAllMocks())

  const ways: readonly (readonly [string, (worker: Worker | undefined) => void, RegExp])[] = [
    ['reports it at once', (worker) => void worker?.terminate(), /exited with code/],
    ['reports it although a page sends no event', (worker) => void endSilently(worker), /did not answer/],
  ]
  it.each(ways)('loses the device, which %s', async (_, end, reason) => {
    const large = bind(workload, points(20000))
    // It may be between two calls when it ends, which harms nobody.
    for (let attempt = 0; attempt < 10; attempt++) {
      const workers = watchWorkers()
      const device = await cpuWasm({ threadsFrom: 0 }).open({ threads: 2 })
      await acceleration(device, 'simd')
      const program = await device.prepare(workload, large.shape, { variant: 'simd' })
      const fault: unknown = await program.run(large.bindings, { onProgress: () => end(workers[0]) }).then(
        () => undefined,
        (error: unknown) => error,
      )
      if (fault !== undefined) {
        expect(fault).toMatchObject({ name: 'DeviceLostError', message: expect.stringMatching(reason) })
        expect(await device.lost).toMatchObject({ remedy: expect.stringMatching(/threads: 1/) })
        await expect(program.run(large.bindings)).rejects.toMatchObject({ name: 'DeviceLostError' })
        device.dispose()
        return
      }
      device.dispose()
      vi.restoreAllMocks()
    }
    throw new Error('no worker ended in the middle of a call')
  })
})

describe('a process', () => {
  it('ends while its workers sleep', () => {
    const script = fileURLToPath(new URL('../support/leaves-device-open.ts', import.meta.url))
    const { status, stdout, signal } = spawnSync(process.execPath, ['--import', 'tsx', script], {
      timeout: 120_000,
      encoding: 'utf8',
    })
    expect({ status, signal, stdout }).toEqual({ status: 0, signal: null, stdout: 'done\n' })
  })
})
