// Jobs with a worker that ends during a call, and jobs with a module that traps.

import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { entry, type Phases } from '../../src/run/threads/claims.ts'
import { Executor, LostCallError } from '../../src/run/threads/executor.ts'
import type { Job } from '../../src/run/threads/job.ts'
import { SharedPool } from '../../src/run/threads/pool.ts'
import { PoolExecutor } from '../../src/run/threads/pool-executor.ts'

let pool: SharedPool
beforeEach(() => {
  pool = new SharedPool()
})
afterEach(() => pool.end())

function job(phase: Phases[number]): Job {
  const module = new WebAssembly.Module(Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0))
  const memory = new WebAssembly.Memory({ initial: 1, maximum: 1, shared: true })
  const program = { id: pool.add({ module, over: { memory } }, [phase]), phases: [phase] }
  return { program, phase: 0, block: 0, scratch: 0, scratchBytes: 0, units: 8, callUnits: 1, cost: 1 }
}

it('does every unit once', async () => {
  const units: number[] = []
  await new PoolExecutor(2, 0, pool).run([job((_block, _scratch, first) => units.push(first))], 1)
  expect(units).toEqual([0, 1, 2, 3, 4, 5, 6, 7])
})

it('lets a caller that has other work go on once workers have a job', async () => {
  let calls = 0
  const run = new PoolExecutor(2, 0, pool).run([job(() => calls++)], 1, { early: true })
  expect(calls).toBe(0)
  await run
  expect(calls).toBe(8)
})

it('does not divide a short job among more calls than are worth claiming', async () => {
  let calls = 0
  const many = { ...job(() => calls++), units: 1000, callUnits: 1000 }
  for (const [cost, expected] of [
    [1, 32],
    [0.05, 5],
    [0.015, 2],
    [0.003, 2],
    [1e-6, 1],
    [0, 1],
  ] as const) {
    calls = 0
    await new PoolExecutor(2, -1, pool).run([{ ...many, cost }], 1)
    expect(calls).toBe(expected)
  }
})

it('gives up a call whose worker ended, and continues with the next job', async () => {
  const { control, claims } = pool.shared
  // In the first call, another thread claims the second call, and is gone.
  const takeOne = (_block: number, _scratch: number, first: number) => {
    if (first > 0) return
    Atomics.add(claims, 0, 1n)
    Atomics.store(control, entry.inCall + 1, 1)
    pool.failures.set(1, 'a worker thread exited with code 1')
  }
  const executor = new PoolExecutor(2, 0, pool)
  await expect(executor.run([job(takeOne)], 1)).rejects.toThrow(LostCallError)
  // The lost call does not affect the next job, however long others take for it.
  let calls = 0
  const slowly = () => {
    calls++
    for (const end = performance.now() + 1; performance.now() < end; );
  }
  await executor.run([job(slowly)], 1)
  expect(calls).toBe(8)
  expect(pool.lostCall).toBeUndefined()
})

it('pauses in time, however wrong its estimates are', async () => {
  const busy = () => {
    for (const end = performance.now() + 1; performance.now() < end; );
  }
  const long = { ...job(busy), units: 120, cost: 1e-6 }
  let pauses = 0
  await new Executor().run([long], 1, { onProgress: () => pauses++ })
  // 120 ms in slices of 12, and the end.
  expect(pauses).toBeGreaterThan(5)
})

it('counts a message before a worker can have received it', () => {
  const counted: number[] = []
  class Worker {
    on() {}
    unref() {}
    terminate() {}
    postMessage() {
      counted.push(Atomics.load(pool.shared.control, entry.posted + 1))
    }
  }
  vi.spyOn(process, 'getBuiltinModule').mockReturnValue({ Worker } as never)
  pool.grow(1)
  job(() => {})
  expect(counted).toEqual([1, 2])
  vi.restoreAllMocks()
})

it('reports a trap with what to do', async () => {
  const trap = () => {
    throw new WebAssembly.RuntimeError('unreachable')
  }
  await expect(new PoolExecutor(2, 0, pool).run([job(trap)], 1)).rejects.toThrow(
    /^Cannot finish the run: .*\(RuntimeError: unreachable\); this is a fault of cpu-wasm, please report it/,
  )
  expect(() => new Executor().run([job(trap)], 1)).toThrow(/unreachable/)
})

/** A program with a module that only traps, and with a phase for this thread. */
function trappingProgram(phase: Phases[number]) {
  const types = [1, 8, 1, 0x60, 4, 0x7f, 0x7f, 0x7f, 0x7f, 0]
  const traps = [...[3, 2, 1, 0], ...[7, 5, 1, 1, 0x66, 0, 0], ...[10, 5, 1, 3, 0, 0, 0x0b]]
  const module = new WebAssembly.Module(Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, ...types, ...traps))
  const memory = new WebAssembly.Memory({ initial: 1, maximum: 1, shared: true })
  return { id: pool.add({ module, over: { memory } }, [phase]), phases: [phase] }
}

it('reports why a call failed in a worker', async () => {
  const slowly = () => {
    for (const end = performance.now() + 5; performance.now() < end; );
  }
  const failing = { ...job(() => {}), program: trappingProgram(slowly), units: 200 }
  pool.grow(1)
  await vi.waitUntil(() => pool.alive.length > 0, 10_000)
  await expect(new PoolExecutor(2, 0, pool).run([failing], 1)).rejects.toThrow(
    /\(RuntimeError: unreachable\); this is a fault/,
  )
})

it('forgets the failure of a job before the next job', async () => {
  const executor = new PoolExecutor(2, 0, pool)
  const failing = (text: string) =>
    job(() => {
      throw new WebAssembly.RuntimeError(text)
    })
  await expect(executor.run([failing('the first reason')], 1)).rejects.toThrow(/the first reason/)
  await executor.run([job(() => {})], 1)
  await expect(executor.run([failing('the second reason')], 1)).rejects.toThrow(/the second reason/)
})
