// Claims of calls over shared memory, here by threads that take turns: each unit is computed once, and the calls of a part follow each other.

import { describe, expect, it } from 'vitest'
import { close, entry, type Phases, type Shared, sharedOver, workOnce } from '../../src/run/threads/claims.ts'
import { offer } from '../../src/run/threads/offer.ts'
import type { SharedPool } from '../../src/run/threads/pool.ts'
import { spread } from '../support/points.ts'

const threads = 3

const pool = (): Shared => sharedOver(new SharedArrayBuffer(512 + 8 * 33), 128)

/** Offers a job to threads that exist only here. Returns the number of its calls. */
function offered(shared: Shared, units: number, callUnits: number, parts?: { count: number; units: number }): number {
  Atomics.add(shared.control, entry.generation, 1)
  const ways = { shared, memoryPages: () => 1, forgetLostCalls: () => {}, wake: () => {} }
  const program = { id: 7, phases: [] }
  const job = { ...{ program, phase: 0, block: 0, scratch: 0, scratchBytes: 16, units, callUnits, parts }, cost: 1e6 }
  return offer(ways as unknown as SharedPool, job, threads)
}

/** What each call computed: its units, in the order in which calls began. */
interface Call {
  readonly thread: number
  readonly first: number
  readonly last: number
}

/**
 * Lets a thread do one call.
 *
 * @param during called in the middle of the call, where other threads may work
 */
function call(shared: Shared, thread: number, calls: Call[], during: () => void = () => {}): boolean {
  const phase: Phases[number] = (_, scratch, first, last) => {
    expect(scratch).toBe(16 * thread)
    calls.push({ thread, first, last })
    during()
  }
  return workOnce(shared, new Map([[7, [phase]]]), thread, (error) => {
    throw error
  })
}

const cases = [
  { units: 100, callUnits: 7, parts: undefined },
  { units: 100, callUnits: 7, parts: { count: 4, units: 25 } },
  { units: 99, callUnits: 4, parts: { count: 4, units: 25 } },
  { units: 3, callUnits: 1, parts: { count: 4, units: 1 } },
  { units: 10, callUnits: 100, parts: { count: 4, units: 3 } },
]

describe.each(cases)('a job of %o', ({ units, callUnits, parts }) => {
  it('computes each unit once, and counts its calls', () => {
    const shared = pool()
    const expected = offered(shared, units, callUnits, parts)
    const calls: Call[] = []
    for (let n = 0; call(shared, n % threads, calls); n++);
    expect(calls.length).toBe(expected)
    expect(shared.control[entry.finished]).toBe(expected)
    expect(
      calls
        .flatMap(({ first, last }) => Array.from({ length: last - first }, (_, n) => first + n))
        .sort((a, b) => a - b),
    ).toEqual([...Array(units).keys()])
    expect(close(shared)).toBe(expected)
    expect(call(shared, 0, calls)).toBe(false)
  })

  it('tells how many calls were claimed when it is closed', () => {
    const shared = pool()
    const expected = offered(shared, units, callUnits, parts)
    const calls: Call[] = []
    let claimed = 0
    call(shared, 1, calls, () => {
      call(shared, 2, calls)
      claimed = close(shared)
    })
    expect(claimed).toBe(Math.min(2, expected))
    expect(shared.control[entry.finished]).toBe(claimed)
    for (const thread of [0, 1, 2]) expect(call(shared, thread, calls)).toBe(false)
    expect(calls.length).toBe(claimed)
  })
})

it('no two threads are in one part at a time, and the calls of a part are in order', () => {
  const shared = pool()
  const parts = { count: 4, units: 25 }
  offered(shared, 100, 3, parts)
  const partOf = ({ first }: Pick<Call, 'first'>) => Math.floor(first / parts.units)
  const calls: Call[] = []
  const busy = new Set<number>()
  const random = spread(1000, 3)
  let turn = 0
  /** A thread in whose calls the threads behind it work. */
  const work = (thread: number): boolean =>
    call(shared, thread, calls, () => {
      const part = partOf(calls.at(-1) as Call)
      expect(busy.has(part)).toBe(false)
      busy.add(part)
      if (thread + 1 < threads)
        for (let n = Math.floor(4 * (random[turn++ % 1000] as number)); n > 0; n--) work(thread + 1)
      busy.delete(part)
    })
  while (work(0));
  for (let part = 0; part < parts.count; part++) {
    const own = calls.filter((one) => partOf(one) === part)
    expect(own.map(({ first }) => first)).toEqual(Array.from({ length: 9 }, (_, n) => part * 25 + 3 * n))
    expect(own.at(-1)?.last).toBe(part * 25 + 25)
  }
  // The part with the most work left comes first, so no part is far ahead of another.
  const done = [0, 0, 0, 0]
  for (const one of calls) {
    done[partOf(one)] = (done[partOf(one)] as number) + 1
    expect(Math.max(...done) - Math.min(...done)).toBeLessThanOrEqual(4)
  }
})

it('a thread finds no call of a part in which another is, and none of an earlier job', () => {
  const shared = pool()
  offered(shared, 10, 5, { count: 1, units: 10 })
  const calls: Call[] = []
  call(shared, 0, calls, () => {
    expect(call(shared, 1, calls)).toBe(false)
    expect(calls.length).toBe(1)
    close(shared)
    // The next job has the same part. The call of the first job must not end it.
    offered(shared, 10, 5, { count: 1, units: 10 })
  })
  expect(call(shared, 1, calls)).toBe(true)
  expect(calls.at(-1)).toEqual({ thread: 1, first: 0, last: 1 })
})
