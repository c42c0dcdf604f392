/**
 * Who computes which blocks. Fast workers get many at once, so that each call takes about the same time; towards the end calls
 * get shorter. When all blocks are given out, a worker without work gets blocks that another will finish later, and the first
 * result counts.
 *
 * It knows neither messages nor clocks: its caller says who asks, how fast they are, and what time it is.
 *
 * @module
 */
import type { Blocks } from '../wire/partition.ts'

export interface Asking {
  readonly worker: string
  /** Blocks in a millisecond, as measured or expected. */
  readonly speed: number
  /** Workers that share the blocks. */
  readonly workers: number
  readonly now: number
}

/** A call that will be done later than all others that could be given to a second worker. */
interface Latest {
  readonly worker: string
  readonly span: Blocks
  readonly end: number
  readonly now: number
}

interface HeldBlocks extends Blocks {
  readonly due: number
  readonly since: number
}

/**
 * How long a call should take at least, usually, and at most, in milliseconds. A GPU is slow with little work, and short runs are over
 * after one call of each worker. Long runs have longer calls, as each costs some milliseconds of processor time.
 */
const [shortestCall, callTime, longestCall] = [10, 400, 2000]

/** A long run has about twice as many calls for each worker. */
const callsOfLongRun = 16

export class BlockSchedule {
  readonly #done: Uint8Array
  /** How many workers have each block. */
  readonly #holders: Uint8Array
  /** Blocks that nobody has, ascending. */
  #pending: readonly Blocks[]
  readonly #given = new Map<string, readonly HeldBlocks[]>()
  #left: number
  /** Found once for all who ask at the same time; undefined as soon as anything changes. */
  #latest: Latest | undefined
  /** Blocks that were given to a second worker because the first was late. */
  repeated = 0

  constructor(readonly blocks: number) {
    this.#done = new Uint8Array(blocks)
    this.#holders = new Uint8Array(blocks)
    this.#left = blocks
    this.#pending = blocks > 0 ? [{ first: 0, last: blocks }] : []
  }

  get finished(): boolean {
    return this.#left === 0
  }

  /** The fraction of blocks that are done. */
  get progress(): number {
    return this.blocks === 0 ? 1 : 1 - this.#left / this.blocks
  }

  /** The next blocks for a worker; undefined if there is nothing that it would finish sooner than those who have it. */
  take(asking: Asking): Blocks | undefined {
    const span = this.#nextPending(asking) ?? this.#late(asking)
    if (!span) return undefined
    const { worker, speed, now } = asking
    const held = this.#given.get(worker) ?? []
    // It begins when those are done that the worker has.
    const since = Math.max(now, ...held.map(({ due }) => due))
    this.#given.set(worker, [...held, { ...span, since, due: since + (span.last - span.first) / speed }])
    this.#hold(span, 1)
    return span
  }

  /** Marks blocks as done by a worker. Returns, for each of them, whether this was the first result. */
  finish(worker: string, span: Blocks): boolean[] {
    const held = this.#given.get(worker) ?? []
    const rest = held.filter(({ first, last }) => first !== span.first || last !== span.last)
    this.#given.set(worker, rest)
    if (rest.length < held.length) this.#hold(span, -1)
    const fresh = Array.from({ length: span.last - span.first }, (_, n) => this.#done[span.first + n] === 0)
    this.#done.fill(1, span.first, span.last)
    this.#latest = undefined
    this.#left -= fresh.filter(Boolean).length
    // A worker that was believed to be gone may have finished blocks that wait for another.
    if (this.#pending.some((waiting) => overlap(waiting, span)))
      this.#pending = this.#pending.flatMap((waiting) => without(waiting, span))
    return fresh
  }

  /** Takes back what a worker has, because it is gone or refuses it. */
  release(worker: string): void {
    const lost = this.#given.get(worker) ?? []
    this.#given.delete(worker)
    for (const span of lost) this.#hold(span, -1)
    this.#await(lost)
  }

  /** Blocks whose results were thrown away. */
  reopen(blocks: readonly number[]): void {
    for (const block of blocks) this.#done[block] = 0
    this.#latest = undefined
    this.#left += blocks.length
    this.#await(blocks.map((block) => ({ first: block, last: block + 1 })))
  }

  #await(spans: readonly Blocks[]): void {
    const orphans = spans.flatMap((span) => this.#orphans(span))
    this.#pending = [...this.#pending, ...orphans].sort((a, b) => a.first - b.first)
  }

  #nextPending({ speed, workers }: Asking): Blocks | undefined {
    const [next] = this.#pending
    if (!next) return undefined
    const waiting = this.#pending.reduce((sum, { first, last }) => sum + last - first, 0)
    const fair = Math.ceil(waiting / (2 * workers))
    const least = Math.min(Math.floor(speed * shortestCall), Math.ceil(this.blocks / workers))
    const usual = Math.floor(Math.max(speed * callTime, Math.min(speed * longestCall, fair / callsOfLongRun)))
    const wanted = Math.max(1, Math.min(fair, usual), least)
    const size = Math.min(wanted, next.last - next.first)
    const span = { first: next.first, last: next.first + size }
    this.#pending = [...without(next, span), ...this.#pending.slice(1)]
    return span
  }

  /** Blocks that one other worker has, and that this one would finish sooner. */
  #late({ worker, speed, now }: Asking): Blocks | undefined {
    if (this.#latest?.now !== now) this.#latest = this.#latestAt(now)
    const latest = this.#latest?.worker === worker ? this.#latestAt(now, worker) : this.#latest
    if (!latest) return undefined
    const { first, last } = latest.span
    if (now + (last - first) / speed >= latest.end) return undefined
    this.repeated += last - first
    return { first, last }
  }

  #latestAt(now: number, except?: string): Latest | undefined {
    let latest: Latest | undefined
    for (const [worker, spans] of this.#given) {
      if (worker === except) continue
      for (const span of spans) {
        const end = expectedEnd(span, now)
        if (end > (latest?.end ?? 0) && this.#holders[span.first] === 1 && this.#done[span.first] === 0)
          latest = { worker, span, end, now }
      }
    }
    return latest
  }

  #hold({ first, last }: Blocks, change: number): void {
    this.#latest = undefined
    for (let block = first; block < last; block++) this.#holders[block] = (this.#holders[block] as number) + change
  }

  /** The parts of a span that are neither done nor with anyone. */
  #orphans({ first, last }: Blocks): Blocks[] {
    const parts: Blocks[] = []
    for (let block = first; block < last; block++) {
      if (this.#done[block] === 1 || this.#holders[block] !== 0) continue
      const before = parts.at(-1)
      if (before?.last === block) parts[parts.length - 1] = { first: before.first, last: block + 1 }
      else parts.push({ first: block, last: block + 1 })
    }
    return parts
  }
}

/** When a call will be done. One that is overdue by more than a quarter is expected to take as long again. */
const expectedEnd = ({ due, since }: HeldBlocks, now: number): number =>
  now <= due + (due - since) / 4 ? Math.max(due, now) : now + (now - since)

const overlap = (a: Blocks, b: Blocks): boolean => a.first < b.last && b.first < a.last

/** The parts of a span outside another. */
const without = (span: Blocks, other: Blocks): Blocks[] =>
  [
    { first: span.first, last: Math.min(span.last, other.first) },
    { first: Math.max(span.first, other.last), last: span.last },
  ].filter(({ first, last }) => first < last)
