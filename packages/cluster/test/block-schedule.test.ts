// Who computes which blocks, with workers and clocks that are made up.

import { describe, expect, it } from 'vitest'
import { BlockSchedule } from '../src/coordinator/block-schedule.ts'
import type { Blocks } from '../src/wire/partition.ts'

interface Simulated {
  readonly name: string
  /** Blocks in a millisecond. */
  readonly speed: number
  /** When it vanishes, if it does. */
  readonly until?: number
}

/** Milliseconds that a call takes besides its blocks. */
const overhead = 2

/** Runs a schedule to its end; answers the time it took and how many first results came from each worker. */
function simulate(blocks: number, workers: readonly Simulated[], lease = 3000) {
  const schedule = new BlockSchedule(blocks)
  const counted = new Uint8Array(blocks)
  const done = new Map<string, number>()
  const events: { at: number; act: () => void }[] = []
  const gone = new Set<string>()
  let now = 0
  const ask = ({ name, speed, until = Number.POSITIVE_INFINITY }: Simulated) => {
    if (gone.has(name)) return
    const span = schedule.take({ worker: name, speed, workers: workers.length - gone.size, now })
    if (!span) {
      if (now < until) events.push({ at: now + 200, act: () => ask({ name, speed, until }) })
      return
    }
    const at = now + overhead + (span.last - span.first) / speed
    if (at <= until) events.push({ at, act: () => finish({ name, speed, until }, span) })
    else
      events.push({
        at: Math.max(now, until) + lease,
        act: () => {
          gone.add(name)
          schedule.release(name)
        },
      })
  }
  const finish = (worker: Simulated, span: Blocks) => {
    for (const [n, fresh] of schedule.finish(worker.name, span).entries())
      if (fresh) {
        counted[span.first + n] = (counted[span.first + n] as number) + 1
        done.set(worker.name, (done.get(worker.name) ?? 0) + 1)
      }
    ask(worker)
  }
  for (const worker of workers) ask(worker)
  while (!schedule.finished) {
    const next = events.reduce((best, { at }, n) => (at < (events[best]?.at ?? 0) ? n : best), 0)
    const [event] = events.splice(next, 1)
    if (!event) throw new Error('nobody has anything to do, but blocks are left')
    now = event.at
    event.act()
  }
  return { time: now, done, counted, repeated: schedule.repeated }
}

const named = (count: number, speed: (n: number) => number): Simulated[] =>
  Array.from({ length: count }, (_, n) => ({ name: `w${n}`, speed: speed(n) }))

describe('a schedule', () => {
  it('counts every block once, whichever workers vanish', () => {
    for (let seed = 1; seed <= 50; seed++) {
      const workers = named(5, (n) => 0.01 * (1 + ((seed * (n + 3)) % 7))).map((worker, n) =>
        n === 0 ? worker : { ...worker, until: 400 * ((seed * 7 + n * 3) % 11) },
      )
      const { counted } = simulate(211, workers)
      expect(counted.every((times) => times === 1)).toBe(true)
    }
  })

  it('gives a worker that is a hundred times as fast a hundred times the blocks', () => {
    const workers = [
      { name: 'slow', speed: 0.02 },
      { name: 'fast', speed: 2 },
    ]
    const { time, done } = simulate(4000, workers)
    expect((done.get('fast') as number) / 4000).toBeGreaterThan(0.97)
    expect(time).toBeLessThan(1.1 * (4000 / 2.02))
  })

  it('keeps a thousand workers busy', () => {
    const workers = named(1000, (n) => 0.004 * (1 + (n % 3)))
    const together = workers.reduce((sum, { speed }) => sum + speed, 0)
    const { time } = simulate(40_000, workers)
    expect(time).toBeLessThan(1.1 * (40_000 / together))
  })

  it('gives blocks that are late to a second worker, once', () => {
    const schedule = new BlockSchedule(2)
    const ask = (worker: string, speed: number, now: number) => schedule.take({ worker, speed, workers: 3, now })
    expect(ask('a', 0.001, 0)).toEqual({ first: 0, last: 1 })
    expect(ask('b', 1, 0)).toEqual({ first: 1, last: 2 })
    expect(schedule.finish('b', { first: 1, last: 2 })).toEqual([true])
    expect(ask('b', 1, 1)).toEqual({ first: 0, last: 1 })
    expect(ask('c', 1, 1)).toBeUndefined()
    expect(schedule.repeated).toBe(1)
    expect(schedule.finish('b', { first: 0, last: 1 })).toEqual([true])
    expect(schedule.finish('a', { first: 0, last: 1 })).toEqual([false])
    expect(schedule.finished).toBe(true)
  })

  it('does not give out a block again if its lost worker has finished it after all', () => {
    const schedule = new BlockSchedule(1)
    schedule.take({ worker: 'a', speed: 1, workers: 1, now: 0 })
    schedule.release('a')
    expect(schedule.finish('a', { first: 0, last: 1 })).toEqual([true])
    expect(schedule.take({ worker: 'b', speed: 1, workers: 1, now: 9 })).toBeUndefined()
  })

  it('gives blocks again whose results were thrown away', () => {
    const schedule = new BlockSchedule(3)
    const ask = (worker: string) => schedule.take({ worker, speed: 1, workers: 2, now: 0 })
    while (!schedule.finished) schedule.finish('liar', ask('liar') as Blocks)
    schedule.reopen([0, 2])
    expect([ask('a'), ask('b')]).toEqual([
      { first: 0, last: 1 },
      { first: 2, last: 3 },
    ])
    expect(schedule.finish('a', { first: 0, last: 1 })).toEqual([true])
    expect(schedule.finished).toBe(false)
  })
})
