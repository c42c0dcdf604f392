// The schedule of blocks, with simulated workers and a simulated clock.

import { describe, expect, it } from 'vitest'
import { BlockSchedule } from '../src/schedule/block-schedule.ts'
import type { Blocks } from '../src/wire/partition.ts'

interface Simulated {
  readonly name: string
  /** Blocks per millisecond. */
  readonly speed: number
  /** When the worker vanishes, if it does. */
  readonly until?: number
}

/** Milliseconds that a call takes besides its blocks. */
const overhead = 2

/** Runs a schedule to its end. Returns its time, its calls, and the number of first results from each worker. */
function simulate(blocks: number, workers: readonly Simulated[], lease = 3000) {
  const schedule = new BlockSchedule(blocks)
  const counted = new Uint8Array(blocks)
  const done = new Map<string, number>()
  const events: { at: number; act: () => void }[] = []
  const gone = new Set<string>()
  let [now, calls] = [0, 0]
  const ask = ({ name, speed, until = Number.POSITIVE_INFINITY }: Simulated) => {
    if (gone.has(name)) return
    const span = schedule.take({ worker: name, speed, workers: workers.length - gone.size, now })
    if (!span) {
      if (now < until) events.push({ at: now + 200, act: () => ask({ name, speed, until }) })
      return
    }
    calls++
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
    for (const [n, fresh] of schedule.finish(worker.name, span, now).entries())
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
  return { time: now, calls, done, counted, repeated: schedule.repeated }
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

  it('has few calls in a long run, and yet its workers end together', () => {
    const { time, calls } = simulate(
      4000,
      named(4, () => 1 / 128),
    )
    // With calls of 0.2 s, there would be 2500.
    expect(calls).toBeLessThan(170)
    expect(time).toBeLessThan(1.005 * (4000 / 4) * 128)
  })

  it('divides a short run equally among workers that take two calls ahead', () => {
    for (const workers of [2, 4]) {
      const schedule = new BlockSchedule(274)
      const blocks = Array.from({ length: workers }, (_, n) => {
        const ask = () => schedule.take({ worker: `w${n}`, speed: 8, workers, now: 0 }) ?? { first: 0, last: 0 }
        return [ask(), ask()].reduce((sum, { first, last }) => sum + last - first, 0)
      })
      expect(Math.max(...blocks)).toBeLessThan((1.1 * 274) / workers)
    }
  })

  it.each([
    ['a share of 4 ms is one call', 8, [64, 64, 64, 64]],
    ['a share of 32 ms is two', 1, [32, 32, 32, 32]],
  ])('%s', (_, speed, sizes) => {
    const schedule = new BlockSchedule(256)
    const first = sizes.map((_, n) => schedule.take({ worker: `w${n}`, speed: 2 * speed, workers: 4, now: 0 }))
    expect(first.map((span) => (span ? span.last - span.first : 0))).toEqual(sizes)
  })

  it('keeps a thousand workers busy', () => {
    const workers = named(1000, (n) => 0.004 * (1 + (n % 3)))
    const together = workers.reduce((sum, { speed }) => sum + speed, 0)
    const { time } = simulate(40_000, workers)
    expect(time).toBeLessThan(1.1 * (40_000 / together))
  })

  it('has two fast workers end a long run together', () => {
    const ends = [0, 0]
    const schedule = new BlockSchedule(4000)
    const ask = (n: number) => schedule.take({ worker: `w${n}`, speed: 8, workers: 2, now: ends[n] as number })
    for (let calls = 0; calls < 100; calls++) {
      const n = (ends[0] as number) <= (ends[1] as number) ? 0 : 1
      const span = ask(n)
      if (!span) break
      ends[n] = (ends[n] as number) + (span.last - span.first) / 8
      schedule.finish(`w${n}`, span, ends[n] as number)
    }
    expect(schedule.finished).toBe(true)
    expect(Math.abs((ends[0] as number) - (ends[1] as number))).toBeLessThan(12)
  })

  it('gives fast workers whole waves', () => {
    const schedule = new BlockSchedule(3907, 64)
    for (let left = 3907; left > 0; ) {
      const span = schedule.take({ worker: 'a', speed: 8, workers: 2, now: 0 }) as Blocks
      const size = span.last - span.first
      expect(size === left || size % 64 === 0).toBe(true)
      left -= size
    }
    expect(new BlockSchedule(3907, 64).take({ worker: 'a', speed: 1, workers: 1000, now: 0 })).toEqual({
      first: 0,
      last: 4,
    })
  })

  it('does not repeat blocks whose results are on their way', () => {
    const schedule = new BlockSchedule(16)
    const ask = (worker: string, now: number) => schedule.take({ worker, speed: 4, workers: 2, now })
    expect([ask('a', 0), ask('b', 0)]).toEqual([
      { first: 0, last: 8 },
      { first: 8, last: 16 },
    ])
    expect(schedule.finish('a', { first: 0, last: 8 }, 6)).not.toContain(false)
    // The other worker also needed 2 ms to compute the blocks, and messages take time besides.
    expect([ask('a', 6), ask('a', 11)]).toEqual([undefined, undefined])
    expect(ask('a', 14)).toEqual({ first: 8, last: 16 })
  })

  it('does not repeat blocks whose results may be as long on their way as those that came', () => {
    const again = (computed: number, now: number) => {
      const schedule = new BlockSchedule(16)
      const ask = (worker: string, at: number) => schedule.take({ worker, speed: 4, workers: 2, now: at })
      const [mine] = [ask('a', 0), ask('b', 0)]
      schedule.finish('a', mine as Blocks, 60, computed)
      return ask('a', now)
    }
    expect([again(2, 60), again(2, 110)]).toEqual([undefined, undefined])
    expect(again(2, 300)).toEqual({ first: 8, last: 16 })
    // The worker itself was slow; the messages were quick.
    expect(again(59, 60)).toEqual({ first: 8, last: 16 })
  })

  it('gives blocks that are late to a second worker, once', () => {
    const schedule = new BlockSchedule(2)
    const ask = (worker: string, speed: number, now: number) => schedule.take({ worker, speed, workers: 3, now })
    expect(ask('a', 0.001, 0)).toEqual({ first: 0, last: 1 })
    expect(ask('b', 1, 0)).toEqual({ first: 1, last: 2 })
    expect(schedule.finish('b', { first: 1, last: 2 }, 1)).toEqual([true])
    expect(ask('b', 1, 1)).toEqual({ first: 0, last: 1 })
    expect(ask('c', 1, 1)).toBeUndefined()
    expect(schedule.repeated).toBe(1)
    expect(schedule.finish('b', { first: 0, last: 1 }, 2)).toEqual([true])
    expect(schedule.finish('a', { first: 0, last: 1 }, 3)).toEqual([false])
    expect(schedule.finished).toBe(true)
  })

  it('gives blocks again that a second worker has, after the first is lost', () => {
    const schedule = new BlockSchedule(1)
    const ask = (worker: string, speed: number, now: number) => schedule.take({ worker, speed, workers: 3, now })
    const all = { first: 0, last: 1 }
    expect(ask('slow', 0.001, 0)).toEqual(all)
    expect(ask('first', 0.01, 1)).toEqual(all)
    expect(ask('second', 0.1, 2)).toBeUndefined()
    schedule.release('slow')
    expect(ask('second', 0.1, 3)).toEqual(all)
    expect(schedule.finish('second', all, 13)).toEqual([true])
  })

  it('expects the next call of a worker to begin when one ends, also if that was late', () => {
    const schedule = new BlockSchedule(3)
    const ask = (worker: string, now: number) => schedule.take({ worker, speed: 0.001, workers: 2, now })
    expect([ask('a', 0), ask('a', 0), ask('b', 0)]).toEqual([0, 1, 2].map((first) => ({ first, last: first + 1 })))
    schedule.finish('a', { first: 0, last: 1 }, 2000)
    // It will be done at 3000. Without this result, it would have been overdue since 2000.
    schedule.finish('b', { first: 2, last: 3 }, 2400)
    expect(ask('b', 2400)).toBeUndefined()
    expect(ask('b', 3300)).toEqual({ first: 1, last: 2 })
  })

  it('does not repeat blocks for a worker that would begin them late, as it has others', () => {
    const schedule = new BlockSchedule(3)
    const ask = (worker: string, now: number) => schedule.take({ worker, speed: 0.001, workers: 2, now })
    expect([ask('a', 0), ask('a', 0), ask('b', 0)]).toEqual([0, 1, 2].map((first) => ({ first, last: first + 1 })))
    // It has a block until 1000, and the other worker will have finished both at 2000.
    expect(ask('b', 100)).toBeUndefined()
  })

  it('answers at once who can do nothing sooner, however many work', () => {
    const many = 10_000
    const schedule = new BlockSchedule(many)
    const ask = (worker: string, now: number) => schedule.take({ worker, speed: 0.001, workers: many, now })
    for (let n = 0; n < many; n++) expect(ask(`w${n}`, n / many)).toBeDefined()
    const began = performance.now()
    for (let n = 0; n < 20_000; n++) if (ask('idle', 1 + n / many)) throw new Error('nothing is late')
    // Looking at all of them takes half a minute.
    expect(performance.now() - began).toBeLessThan(2000)
  })

  it('does not give out a block again if its lost worker has finished it after all', () => {
    const schedule = new BlockSchedule(1)
    schedule.take({ worker: 'a', speed: 1, workers: 1, now: 0 })
    schedule.release('a')
    expect(schedule.finish('a', { first: 0, last: 1 }, 3)).toEqual([true])
    expect(schedule.take({ worker: 'b', speed: 1, workers: 1, now: 9 })).toBeUndefined()
  })

  it('gives blocks again whose results were thrown away', () => {
    const schedule = new BlockSchedule(3)
    const ask = (worker: string) => schedule.take({ worker, speed: 1, workers: 2, now: 0 })
    while (!schedule.finished) schedule.finish('liar', ask('liar') as Blocks, 0)
    schedule.reopen([0, 2])
    expect([ask('a'), ask('b')]).toEqual([
      { first: 0, last: 1 },
      { first: 2, last: 3 },
    ])
    expect(schedule.finish('a', { first: 0, last: 1 }, 3)).toEqual([true])
    expect(schedule.finished).toBe(false)
  })

  it('waits for blocks whose points take long to reach a worker', () => {
    const again = (onWay: number, now: number) => {
      const schedule = new BlockSchedule(2, 1, onWay)
      const ask = (worker: string, at: number) => schedule.take({ worker, speed: 1, workers: 2, now: at })
      const [mine] = [ask('a', 0), ask('b', 0)]
      schedule.finish('a', mine as Blocks, now)
      return ask('a', now)
    }
    expect(again(10, 30)).toEqual({ first: 1, last: 2 })
    expect(again(40, 30)).toBeUndefined()
    expect(again(40, 90)).toEqual({ first: 1, last: 2 })
  })
})
