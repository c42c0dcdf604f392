// Without shared memory: workers compute on copies, the results equal those of one thread, and a worker that ends costs nothing
// but time.

import {
  accelerations,
  coulomb,
  type Device,
  type FloatArray,
  forces,
  gravity,
  matrix,
  nearest,
  neighborsWithin,
  pairPotential,
  pairTerm,
  type Workload,
} from '@manybody/core'
import { bind } from '@manybody/core/judge'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { cpuWasm } from '../../src/index.ts'
import { CopyPool, EndedError, runOnCopies } from '../../src/run/threads/copies.ts'
import type { MemoryPart, WorkerTask } from '../../src/run/threads/messages.ts'
import { points as pointsOf } from '../support/points.ts'
import { endSilently, until, watchWorkers } from '../support/workers.ts'

beforeEach(() => {
  vi.stubGlobal('SharedArrayBuffer', undefined)
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

const points = (count: number) => ({ ...pointsOf(count), kind: Float32Array.from({ length: count }, (_, n) => n % 2) })

/** Runs until a second thread has taken part. */
async function together(device: Device, workload: Workload, variant: string, count: number) {
  const { bindings, shape } = bind(workload, points(count))
  const program = await device.prepare(workload, shape, { variant })
  let results = await program.run(bindings)
  for (let attempt = 0; attempt < 10_000 && !program.report.variant.includes('2 threads'); attempt++) {
    await new Promise((resolve) => setTimeout(resolve, 2))
    results = await program.run(bindings)
  }
  expect(program.report.variant).toContain('2 threads')
  return results
}

const softGravity = gravity({ softening: 0.05 })
const mixture = pairPotential('epsilon[kind_i, kind_j]/(1 + r2)', {
  tables: {
    epsilon: [
      [1, 2],
      [3, 4],
    ],
  },
})()

it.each([
  ['every ordered pair', accelerations(softGravity), 'simd', 1500],
  ['another result and a law with a singularity', forces(coulomb()), 'simd', 1500],
  ['whole numbers', nearest(5), 'simd', 1500],
  ['lists', neighborsWithin(0.3), 'simd', 1500],
  ['lists by blocks', neighborsWithin(0.2), 'blocks', 3000],
  ['tables', forces(mixture), 'simd', 1500],
  ['a matrix', matrix(pairTerm('exp(-r2)')()), 'simd', 200],
  [
    'exclusions',
    accelerations(softGravity, {
      exclusions: [
        [1, 2],
        [3, 800],
      ],
    }),
    'simd',
    1500,
  ],
] as const)('two threads have the same results as one: %s', async (_, workload, variant, count) => {
  const one = await cpuWasm().open({ threads: 1 })
  const two = await cpuWasm({ threadsFrom: 0 }).open({ threads: 2 })
  const { bindings, shape } = bind(workload, points(count))
  const expected = await (await one.prepare(workload, shape, { variant })).run(bindings)
  expect(await together(two, workload, variant, count)).toEqual(expected)
  expect(two.info.features).toContain('copied-memory')
  expect(two.info.features).not.toContain('shared-memory')
  expect(two.info.notes?.join()).toMatch(/copies/)
  one.dispose()
  two.dispose()
})

it('two threads visit each pair once', async () => {
  const one = await cpuWasm().open({ threads: 1 })
  const two = await cpuWasm({ threadsFrom: 0 }).open({ threads: 2 })
  const workload = accelerations(softGravity)
  const { bindings, shape } = bind(workload, points(1500))
  const expected = (await (await one.prepare(workload, shape)).run(bindings)).acceleration as FloatArray
  const got = (await together(two, workload, 'pairs-once', 1500)).acceleration as FloatArray
  const size = Math.max(...expected.map(Math.abs))
  for (const [i, a] of got.entries()) expect(Math.abs(a - (expected[i] as number)) / size).toBeLessThan(1e-6)
  one.dispose()
  two.dispose()
})

it('continues earlier results', async () => {
  const two = await cpuWasm({ threadsFrom: 0 }).open({ threads: 2 })
  const workload = accelerations(softGravity)
  await together(two, workload, 'simd', 1000)
  const { bindings, shape } = bind(workload, points(1000))
  const program = await two.prepare(workload, shape, { variant: 'simd' })
  const whole = (await program.run(bindings)).acceleration as FloatArray
  const initial = await program.run(bindings, { sources: [0, 300] })
  const got = (await program.run(bindings, { sources: [300, 1000], initial })).acceleration as FloatArray
  const size = Math.max(...whole.map(Math.abs))
  for (const [i, a] of got.entries()) expect(Math.abs(a - (whole[i] as number)) / size).toBeLessThan(1e-6)
  two.dispose()
})

it('leaves the columns of a matrix outside a range of sources at 0', async () => {
  const two = await cpuWasm({ threadsFrom: 0 }).open({ threads: 2 })
  const workload = matrix(pairTerm('exp(-r2)')())
  const { bindings, shape } = bind(workload, points(200))
  const program = await two.prepare(workload, shape, { variant: 'simd' })
  const shared = async (sources: readonly [number, number]) => {
    for (let attempt = 0; attempt < 10_000; attempt++) {
      const { value = [] } = await program.run(bindings, { sources })
      if (program.report.variant.includes('2 threads')) return value
      await new Promise((resolve) => setTimeout(resolve, 2))
    }
    throw new Error('the second thread took no part')
  }
  // The workers' memory then has numbers in all columns.
  const whole = await shared([0, 200])
  const part = await shared([0, 50])
  expect(Array.from(part)).toEqual(Array.from(whole, (value, n) => (n % 200 < 50 ? value : 0)))
  two.dispose()
})

it('copies only if that is expected to pay', async () => {
  const device = await cpuWasm().open({ threads: 2 })
  const workload = accelerations(softGravity)
  const { bindings, shape } = bind(workload, points(300))
  const program = await device.prepare(workload, shape)
  await until(() => device.info.features.includes('workers-inline'))
  await new Promise((resolve) => setTimeout(resolve, 100))
  for (let n = 0; n < 5; n++) await program.run(bindings)
  expect(program.report.variant).toContain('1 thread')
  device.dispose()
})

it('refuses tasks of a worker that has ended', async () => {
  const workers = watchWorkers()
  const pool = new CopyPool(undefined)
  pool.grow(1)
  const nothing = { program: 0, memoryBytes: 64, parts: [], calls: [], take: [] }
  await until(() => pool.alive.includes(1))
  expect(await pool.perform(1, nothing)).toEqual([])
  await workers[0]?.terminate()
  await until(() => pool.failures.has(1))
  await expect(pool.perform(1, nothing)).rejects.toThrow('exited with code')
  pool.end()
})

it('gives up a worker that a page has ended, which sends no event', async () => {
  const workers = watchWorkers()
  const pool = new CopyPool(undefined)
  pool.grow(1)
  const nothing = { program: 0, memoryBytes: 64, parts: [], calls: [], take: [] }
  await until(() => pool.alive.includes(1))
  await endSilently(workers[0])
  const tasks = [pool.perform(1, nothing), pool.perform(1, nothing)]
  for (const task of tasks) await expect(task).rejects.toThrow('it did not answer any more')
  expect(pool.alive).toEqual([])
  await expect(pool.perform(1, nothing)).rejects.toThrow('it did not answer any more')
  pool.end()
})

it('has the results of one thread if its workers end silently in a run, and in those after it', async () => {
  const workers = watchWorkers()
  const workload = accelerations(softGravity)
  const one = await cpuWasm().open({ threads: 1 })
  const two = await cpuWasm({ threadsFrom: 0 }).open({ threads: 2 })
  await together(two, workload, 'simd', 1500)
  const { bindings, shape } = bind(workload, points(12_000))
  const expected = await (await one.prepare(workload, shape, { variant: 'simd' })).run(bindings)
  const program = await two.prepare(workload, shape, { variant: 'simd' })
  let ended: Promise<void> | undefined
  const run = () =>
    program.run(bindings, {
      onProgress: () => {
        ended ??= endSilently(workers.at(-1))
      },
    })
  expect(await run()).toEqual(expected)
  await ended
  expect(await run()).toEqual(expected)
  expect(program.report.variant).toContain('1 thread')
  one.dispose()
  two.dispose()
})

it('rejects a task that fails in a worker, with the reason, and does the next one', async () => {
  const pool = new CopyPool(undefined)
  pool.grow(1)
  await until(() => pool.alive.includes(1))
  const nothing = { program: 0, memoryBytes: 64, parts: [], calls: [], take: [] }
  // Its bytes do not fit the memory.
  const parts = [{ address: 2 ** 28, bytes: new Uint8Array(8) }]
  await expect(pool.perform(1, { ...nothing, parts })).rejects.toThrow(/RangeError.*; this is a fault of cpu-wasm/)
  expect(await pool.perform(1, nothing)).toEqual([])
  pool.end()
})

it('repeats the tasks of a worker after one of them failed', async () => {
  const later = () => new Promise<void>((resolve) => setTimeout(resolve, 5))
  const done: number[] = []
  let tasks = 0
  const perform = async (_thread: number, { calls }: WorkerTask): Promise<readonly MemoryPart[]> => {
    const count = tasks++
    if (count === 0) return []
    // Of two tasks, the first is answered late, and the second fails at once. All later tasks fail, too.
    if (count === 1) await later()
    else throw new EndedError('a worker thread exited with code 1')
    for (const { first, last } of calls) for (let unit = first; unit < last; unit++) done.push(unit)
    return []
  }
  const own = (_block: number, _scratch: number, first: number) => void done.push(first)
  await onCopies({ units: 40, cost: 40, own, perform, ifDue: later })
  expect(done.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 40 }, (_, unit) => unit))
})

it('does not wait for tasks in workers after an abort', async () => {
  const reason = new Error('no longer wanted')
  const given: WorkerTask[] = []
  // It accepts its inputs, and never ends a task.
  const perform = (_thread: number, task: WorkerTask) => {
    given.push(task)
    return task.calls.length === 0 ? Promise.resolve([]) : new Promise<never>(() => {})
  }
  const aborted = () => Promise.reject(reason)
  await expect(onCopies({ units: 40, cost: 40, own: () => {}, perform, ifDue: aborted })).rejects.toBe(reason)
  expect(given.filter(({ calls }) => calls.length > 0)).toHaveLength(2)
})

it('does not wait for workers after an abort, when it has done its own work', async () => {
  const reason = new Error('no longer wanted')
  const perform = (_thread: number, task: WorkerTask) =>
    task.calls.length === 0 ? Promise.resolve([]) : new Promise<never>(() => {})
  const now = () => Promise.reject(reason)
  const later = () => new Promise<void>((resolve) => setTimeout(resolve, 1))
  await expect(onCopies({ units: 40, cost: 40, own: () => {}, perform, ifDue: later, now })).rejects.toBe(reason)
})

it('gives a worker tasks of at most 25 milliseconds, because it cannot be interrupted', async () => {
  const [units, unitTime] = [40_000, 0.125]
  let clock = 0
  vi.spyOn(performance, 'now').mockImplementation(() => clock)
  const tasks: number[] = []
  let last: Promise<unknown> = Promise.resolve()
  // One task after the other. Each takes the time of its units.
  const perform = async (_thread: number, { calls }: WorkerTask): Promise<readonly MemoryPart[]> => {
    const time = unitTime * calls.reduce((total, { first, last }) => total + last - first, 0)
    last = last.then(() => new Promise((resolve) => setImmediate(resolve)))
    await last
    clock += time
    if (time > 0) tasks.push(time)
    return []
  }
  const later = () => new Promise<void>((resolve) => setTimeout(resolve, 1))
  await onCopies({ units, cost: unitTime * units, own: () => {}, perform, ifDue: later })
  expect(tasks.reduce((total, time) => total + time, 0)).toBeGreaterThan(0.5 * unitTime * units)
  expect(Math.max(...tasks)).toBeGreaterThan(12)
  expect(Math.max(...tasks)).toBeLessThanOrEqual(25)
})

interface OnCopies {
  readonly units: number
  readonly cost: number
  /** Does a unit on this thread. */
  readonly own: (block: number, scratch: number, first: number) => void
  readonly perform: CopyPool['perform']
  readonly ifDue: () => Promise<void>
  /** By default as `ifDue`. */
  readonly now?: () => Promise<void>
}

/** Runs a job on this thread and on one worker that performs tasks as it is told. */
function onCopies({ units, cost, own, perform, ifDue, now = ifDue }: OnCopies): Promise<number> {
  const copies = { memory: new WebAssembly.Memory({ initial: 1 }), inputs: [], results: () => [] }
  const program = { id: 1, phases: [own] }
  const job = {
    ...{ program, phase: 0, block: 0, scratch: 0, scratchBytes: 0, units, callUnits: 1, cost },
    copies: () => copies,
  }
  return runOnCopies({ perform } as unknown as CopyPool, [1], job, copies, { ifDue, now })
}

describe.each([
  ['every ordered pair', 'simd'],
  ['each pair once', 'pairs-once'],
] as const)('a worker that ends during a run: %s', (_, variant) => {
  it('is replaced by the others', async () => {
    const workers = watchWorkers()
    const device = await cpuWasm({ threadsFrom: 0 }).open({ threads: 2 })
    const workload = accelerations(softGravity)
    await together(device, workload, variant, 500)
    const { bindings, shape } = bind(workload, points(12_000))
    const program = await device.prepare(workload, shape, { variant })
    const expected = (await program.run(bindings)).acceleration as FloatArray
    expect(program.report.variant).toContain('2 threads')
    const run = program.run(bindings, { onProgress: () => void workers[0]?.terminate() })
    const got = (await run).acceleration as FloatArray
    expect(device.info.limits.threads).toBe(1)
    expect(device.info.notes?.join()).toMatch(/exited with code/)
    const size = Math.max(...expected.map(Math.abs))
    for (const [i, a] of got.entries()) expect(Math.abs(a - (expected[i] as number)) / size).toBeLessThan(1e-6)
    device.dispose()
  })
})
