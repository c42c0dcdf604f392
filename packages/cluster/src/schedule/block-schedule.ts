/**
 * Decides who computes which blocks. Fast workers get many blocks at once, so that all calls take about the same time. Towards the end,
 * calls get shorter. When all blocks are given out, an idle worker gets blocks that another will finish later. The first result counts.
 *
 * It knows neither messages nor clocks: the caller passes the workers, their speeds and the time.
 *
 * @module
 */
import type { Blocks } from '../wire/partition.ts'
import { ByDue, type GivenBlocks } from './by-due.ts'
import { callsAhead, messages } from './waits.ts'

export interface Asking {
  readonly worker: string
  /** Blocks per millisecond, as measured or expected. */
  readonly speed: number
  /** Workers that share the blocks. */
  readonly workers: number
  readonly now: number
}

/**
 * The shortest, usual and longest call, in milliseconds. The last calls of a run are short, so that workers end together. Long runs have
 * longer calls, because each call costs all processes together some 10 ms of processor time. If a worker slows down to a quarter, it is
 * silent for four times as long. This must be less than its lease.
 */
const [shortestCall, callTime, longestCall] = [10, 800, 6000]

/**
 * Below these milliseconds, a worker's share is one call, or two. The first half of a very short share would not come much sooner, and a
 * GPU is slow with little work.
 */
const [inOne, inTwo] = [8, 80]

/**
 * In long runs, half of the remaining blocks make this many calls for each worker. A worker that slows down to a quarter then still ends
 * its call with the others.
 */
const callsOfLongRun = 4

export class BlockSchedule {
  readonly #done: Uint8Array
  /** How many workers have each block. */
  readonly #holders: Uint8Array
  /** Blocks that nobody has, the next at the end. */
  #pending: Blocks[]
  #waiting: number
  readonly #given = new Map<string, readonly GivenBlocks[]>()
  #left: number
  /** Unfinished blocks that only one worker has; undefined after a worker was lost, until an idle worker asks. */
  #alone: ByDue | undefined
  /** Milliseconds that the latest ended call and its results spent on their way. */
  #latestWay = 0
  /** Blocks that a second worker got because the first was late. */
  repeated = 0

  /**
   * @param wave blocks that a fast worker computes in about the time of one
   * @param onWay milliseconds that a call and its results may be on their way, besides the computing time
   */
  constructor(
    readonly blocks: number,
    readonly wave: number = 1,
    readonly onWay: number = messages,
  ) {
    this.#alone = new ByDue([])
    this.#done = new Uint8Array(blocks)
    this.#holders = new Uint8Array(blocks)
    this.#left = blocks
    this.#pending = blocks > 0 ? [{ first: 0, last: blocks }] : []
    this.#waiting = blocks
  }

  get finished(): boolean {
    return this.#left === 0
  }

  /** The fraction of blocks that are done. */
  get progress(): number {
    return this.blocks === 0 ? 1 : 1 - this.#left / this.blocks
  }

  /** The next blocks for a worker; undefined if it would finish no block sooner than the present holder. */
  take(asking: Asking): Blocks | undefined {
    const { worker, speed, now } = asking
    const held = this.#given.get(worker) ?? []
    // The blocks begin when the worker's earlier blocks are done.
    const since = Math.max(now, ...held.map(({ due }) => due))
    const next = this.#nextPending(asking)
    const span = next ?? this.#late(asking, since)
    if (!span) return undefined
    const given = { ...span, worker, since, due: since + (span.last - span.first) / speed }
    this.#given.set(worker, [...held, given])
    this.#hold(span, 1)
    if (next) this.#alone?.add(given)
    return span
  }

  /** When a worker's oldest call should end; 0 if it has none. */
  due(worker: string): number {
    return this.#given.get(worker)?.[0]?.due ?? 0
  }

  /**
   * Marks blocks as done by a worker. Returns, for each of them, whether this was the first result.
   *
   * @param computed milliseconds that the worker computed, if it has said so
   */
  finish(worker: string, span: Blocks, now: number, computed: number = Number.POSITIVE_INFINITY): boolean[] {
    const held = this.#given.get(worker) ?? []
    const ended = held.find(({ first, last }) => first === span.first && last === span.last)
    if (ended) {
      this.#latestWay = Math.max(0, now - ended.since - computed)
      this.#end(ended, held, now)
    } else this.#await(this.#pending.flatMap((waiting) => without(waiting, span)))
    const fresh = Array.from({ length: span.last - span.first }, (_, n) => this.#done[span.first + n] === 0)
    this.#done.fill(1, span.first, span.last)
    this.#left -= fresh.filter(Boolean).length
    return fresh
  }

  #end(ended: GivenBlocks, held: readonly GivenBlocks[], now: number): void {
    this.#hold(ended, -1)
    this.#alone?.remove(ended)
    let begins = now
    const rest = held.flatMap((given) => {
      if (given === ended) return []
      const next = { ...given, since: begins, due: begins + given.due - given.since }
      begins = next.due
      this.#alone?.replace(given, next)
      return [next]
    })
    this.#given.set(ended.worker, rest)
  }

  /** Takes back the blocks of a worker that is gone or refuses them. */
  release(worker: string): void {
    const lost = this.#given.get(worker) ?? []
    this.#given.delete(worker)
    for (const span of lost) this.#hold(span, -1)
    this.#awaitAgain(lost)
  }

  /** Takes back blocks after their results were thrown away. */
  reopen(blocks: readonly number[]): void {
    for (const block of blocks) this.#done[block] = 0
    this.#left += blocks.length
    this.#awaitAgain(blocks.map((block) => ({ first: block, last: block + 1 })))
  }

  /** Makes blocks available again, unless a worker has them or has finished them. */
  #awaitAgain(spans: readonly Blocks[]): void {
    this.#await([...this.#pending, ...spans.flatMap((span) => this.#orphans(span))])
  }

  #await(spans: readonly Blocks[]): void {
    this.#pending = spans.toSorted((a, b) => b.first - a.first)
    this.#waiting = spans.reduce((sum, { first, last }) => sum + last - first, 0)
    this.#alone = undefined
  }

  #nextPending({ speed, workers }: Asking): Blocks | undefined {
    const next = this.#pending.pop()
    if (!next) return undefined
    const fair = Math.ceil(this.#waiting / (2 * workers))
    const share = Math.ceil(this.blocks / workers)
    const usual = Math.floor(Math.max(speed * callTime, Math.min(speed * longestCall, fair / callsOfLongRun)))
    const wanted = Math.max(1, Math.min(fair, usual), fewest(speed, share))
    const size = Math.min(wanted > this.wave ? wanted - (wanted % this.wave) : wanted, next.last - next.first)
    const split = next.first + size
    if (split < next.last) this.#pending.push({ first: split, last: next.last })
    this.#waiting -= size
    return { first: next.first, last: split }
  }

  /** Blocks that one other worker has, and that this one would finish sooner. */
  #late({ worker, speed, now }: Asking, since: number): Blocks | undefined {
    this.#alone ??= new ByDue([...this.#given.values()].flat().filter((given) => this.#isAlone(given)))
    // Messages to all workers reach some of them first, so twice the latest way is allowed.
    const onWay = Math.max(this.onWay, 2 * this.#latestWay)
    const latest = this.#alone.latest(worker, now, onWay)
    if (!latest) return undefined
    const { first, last } = latest.given
    if (since + (last - first) / speed + onWay >= latest.end) return undefined
    this.#alone.remove(latest.given)
    this.repeated += last - first
    return { first, last }
  }

  #isAlone({ first }: Blocks): boolean {
    return this.#holders[first] === 1 && this.#done[first] === 0
  }

  #hold({ first, last }: Blocks, change: number): void {
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

/** The fewest blocks of a call, as long as that many are left. */
function fewest(speed: number, share: number): number {
  if (share < speed * inOne) return share
  if (share < speed * inTwo) return Math.ceil(share / callsAhead)
  return Math.floor(speed * shortestCall)
}

/** The parts of a span outside another. */
const without = (span: Blocks, other: Blocks): Blocks[] =>
  [
    { first: span.first, last: Math.min(span.last, other.first) },
    { first: Math.max(span.first, other.last), last: span.last },
  ].filter(({ first, last }) => first < last)
