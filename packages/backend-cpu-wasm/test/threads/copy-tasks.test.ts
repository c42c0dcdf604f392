// Workers with separate memories get only short tasks at once, because an abort cannot reach them.

import { afterEach, expect, it, vi } from 'vitest'
import { type CopyPool, runOnCopies } from '../../src/run/threads/copies.ts'
import type { Job } from '../../src/run/threads/job.ts'
import type { WorkerTask } from '../../src/run/threads/messages.ts'

afterEach(() => vi.restoreAllMocks())

const memory = new WebAssembly.Memory({ initial: 1 })
const copies = { memory, inputs: [], results: () => [] }
const job = (units: number, cost: number): Job => ({
  program: { id: 1, phases: [() => {}] },
  ...{ phase: 0, block: 0, scratch: 0, scratchBytes: 0, callUnits: 1 },
  units,
  cost,
})
const unitsOf = ({ calls }: WorkerTask) => calls.reduce((sum, { first, last }) => sum + last - first, 0)

it.each([
  ['as fast as estimated', 1],
  ['ten times slower than estimated', 10],
  ['ten times faster than estimated', 0.1],
])('tasks are short enough for an abort if a worker is %s', async (_, slower) => {
  let clock = 0
  vi.spyOn(performance, 'now').mockImplementation(() => clock)
  const lengths: number[] = []
  // A job of 10 s, 1 ms a unit by the estimate; the caller's thread waits, so that the worker does it all.
  const pool = {
    perform: async (_: number, task: WorkerTask) => {
      const milliseconds = unitsOf(task) * slower
      await new Promise((resolve) => setTimeout(resolve))
      clock += milliseconds
      if (milliseconds > 0) lengths.push(milliseconds)
      return []
    },
  } as unknown as CopyPool
  const idle = () => new Promise<void>((resolve) => setTimeout(resolve))
  await runOnCopies(pool, [1], job(10_000, 10_000), copies, { ifDue: idle, now: idle })
  expect(Math.max(...lengths)).toBeLessThanOrEqual(60)
  expect(lengths.toSorted((a, b) => a - b)[lengths.length >> 1]).toBeGreaterThan(slower === 10 ? 5 : 1)
})

it('an abort does not wait for workers', async () => {
  const pool = { perform: () => new Promise(() => {}) } as unknown as CopyPool
  const reason = new Error('stop')
  const stop = () => Promise.reject(reason)
  await expect(runOnCopies(pool, [1], job(100, 1e6), copies, { ifDue: stop, now: stop })).rejects.toBe(reason)
})
