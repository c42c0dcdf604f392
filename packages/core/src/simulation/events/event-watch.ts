/**
 * Watches a running simulation for events: looks for them between steps, changes the points that they name, and tells a listener.
 *
 * The events of a step are looked for and resolved one after the other in the order of their list.
 *
 * @module
 */

import type { FloatArray } from '../../ground/checks.ts'
import { open } from '../../problem/typed-at-once.ts'
import { sidesOf } from '../../problem/workloads/domain.ts'
import { foundArrays, type PointArrays } from '../arrays.ts'
import type { CallOrder } from '../call-order.ts'
import { boundaryNow } from '../numbers/box.ts'
import type { LiveChanges } from '../stepping/live-changes.ts'
import type { LiveState } from '../stepping/live-state.ts'
import { bounced } from './bouncing.ts'
import { arraysRead, conditionOf, type System } from './conditions.ts'
import { type EventReport, isPairEvent, type PairEvent, type SimulationEvent } from './events.ts'
import { boundaryIn } from './looks.ts'
import { bodiesOf, mergedNumbers } from './merging.ts'
import { pairsAmong, type TouchingPair } from './touching.ts'

/** Hears of events. Its simulation waits for it, and it may read and change that, but take no steps. */
export type EventListener = (event: EventReport) => unknown

type Found = Pick<EventReport, 'pairs' | 'points' | 'places'>

export class EventWatch {
  listener: EventListener | undefined
  readonly #live: LiveState
  readonly #changes: LiveChanges
  readonly #order: CallOrder

  constructor(live: LiveState, changes: LiveChanges, order: CallOrder) {
    this.#live = live
    this.#changes = changes
    this.#order = order
  }

  get #watched(): readonly (readonly [SimulationEvent, number])[] {
    const { events = [] } = this.#live.described
    return events.map((event, n) => [event, n] as const).filter(([{ resolve }]) => resolve || this.listener)
  }

  /** @throws Error while the listener works, which must not take steps nor change their length */
  requireFree(name: string): void {
    if (this.#order.inside)
      throw new Error(
        `Cannot call ${name} in a listener of events: the steps wait for it; call it after they have ended`,
      )
  }

  /** The number of the next step after which it looks; infinite if it never does. */
  after(steps: number): number {
    let next = Number.POSITIVE_INFINITY
    for (const [{ every = 1 }] of this.#watched) next = Math.min(next, (Math.floor(steps / every) + 1) * every)
    return next
  }

  /** Looks for the events of this step. @throws as the listener does */
  async look(): Promise<void> {
    const { steps } = this.#live
    for (const [event, n] of this.#watched) {
      if (steps % (event.every ?? 1) !== 0) continue
      const points = await this.#live.on((stepper) => stepper.marked(event, n))
      const { time } = this.#live
      const found = points && (await this.#resolve(event, points))
      if (!found || !this.listener) continue
      const { listener } = this
      await this.#order.within(async () => listener({ event: n, steps, time, ...found }))
    }
  }

  /** Changes the points of an event. @returns its points, or undefined if a closer look found none */
  async #resolve(event: SimulationEvent, marked: Uint32Array): Promise<Found | undefined> {
    if (!isPairEvent(event)) return this.#remove(event, [...marked], [])
    const system = await this.#system(event, marked)
    const pairs = pairsAmong(event, system)
    if (pairs.length === 0) return undefined
    if (event.resolve === 'merge') return this.#merge(event, pairs, system)
    if (event.resolve === 'bounce') return this.#bounce(event, pairs, system)
    const among = inAll(pairs, system)
    return this.#remove(event, pointsOf(among), among)
  }

  async #remove(
    { resolve }: SimulationEvent,
    points: readonly number[],
    pairs: readonly TouchingPair[],
  ): Promise<Found | undefined> {
    if (resolve !== 'remove') return { pairs, points }
    return { pairs, points, places: await this.#changes.remove(points) }
  }

  async #merge(event: PairEvent, pairs: readonly TouchingPair[], system: System): Promise<Found | undefined> {
    const fixed = this.#fixedIn(system)
    const bodies = bodiesOf(pairs, fixed)
    if (bodies.length === 0) return undefined
    const inertia = this.#live.parts.inertia as string
    const written = mergedNumbers(bodies, { ...system, event, inertia, fixed })
    const merging = inAll(bodies, system)
    const gone = merging.flatMap(([, ...others]) => others).sort((a, b) => a - b)
    const places = await this.#changes.merge(written, gone)
    for (const [first = 0, ...others] of merging) for (const other of others) places[other] = places[first] as number
    const parts = new Set(merging.flat())
    const joining = inAll(pairs, system).filter((pair) => pair.every((point) => parts.has(point)))
    return { pairs: joining, points: sorted(parts), places }
  }

  async #bounce(event: PairEvent, pairs: readonly TouchingPair[], system: System): Promise<Found | undefined> {
    const masses = system.arrays[this.#live.parts.inertia as string] as FloatArray
    const { restitution = 1 } = event
    const found = bounced(pairs, { ...system, masses, restitution, fixed: this.#fixedIn(system) })
    if (!found) return undefined
    await this.#changes.write(found.velocity)
    const among = inAll(found.pairs, system)
    return { pairs: among, points: pointsOf(among) }
  }

  /** The points of a system that are fixed. */
  #fixedIn({ points }: System): ReadonlySet<number> {
    const fixed = new Set(this.#live.described.fixed)
    return new Set([...points.keys()].filter((point) => fixed.has(points[point] as number)))
  }

  /** Some points as they are now, with the arrays that an event reads. */
  async #system(event: PairEvent, points: Uint32Array): Promise<System> {
    const { arrays, dimension, computed: own = {} } = this.#live.described
    const given = Object.keys(arrays).filter((name) => !foundArrays.includes(name) && !Object.hasOwn(own, name))
    const read = [
      ...['position', ...arraysRead(conditionOf(event), arrays, dimension)],
      ...(event.resolve === 'bounce' ? ['velocity', this.#live.parts.inertia as string] : []),
      ...(event.resolve === 'merge' ? given : []),
    ]
    const now: Record<string, FloatArray> = {}
    for (const name of new Set(read)) now[name] = await this.#live.readAt(name, points)
    const boundary = boundaryIn(this.#live.parts)
    const lengths = sidesOf(boundary ? boundaryNow(boundary, this.#live.numbers) : open())
    return { points, arrays: now as PointArrays, dimension, lengths }
  }
}

/** Groups of points of a system, by their indices among all points. */
const inAll = <Group extends readonly number[]>(groups: readonly Group[], { points }: System): readonly Group[] =>
  groups.map((group) => group.map((point) => points[point]) as readonly number[] as Group)

const sorted = (points: Iterable<number>): readonly number[] => [...new Set(points)].sort((a, b) => a - b)

const pointsOf = (pairs: readonly TouchingPair[]): readonly number[] => sorted(pairs.flat())
