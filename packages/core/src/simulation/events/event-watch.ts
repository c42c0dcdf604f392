/**
 * Watches a running simulation for events: looks for them between steps, changes the points that they name, and tells a listener.
 *
 * The events of a step are looked for and resolved one after the other in the order of their list.
 *
 * @module
 */
import type { FloatArray } from '../../ground/checks.ts'
import { open, sidesOf } from '../../problem/workloads/domain.ts'
import { foundArrays, type PointArrays } from '../arrays.ts'
import type { CallOrder } from '../call-order.ts'
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
  async #resolve(event: SimulationEvent, marked: readonly number[]): Promise<Found | undefined> {
    if (!isPairEvent(event)) return this.#remove(event, marked, [])
    const system = await this.#system(event)
    const pairs = pairsAmong(event, marked, system)
    if (pairs.length === 0) return undefined
    if (event.resolve === 'merge') return this.#merge(event, pairs, system)
    if (event.resolve === 'bounce') return this.#bounce(event, pairs, system)
    return this.#remove(event, pointsOf(pairs), pairs)
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
    const fixed = this.#fixed
    const bodies = bodiesOf(pairs, fixed)
    if (bodies.length === 0) return undefined
    const inertia = this.#live.parts.inertia as string
    const written = mergedNumbers(bodies, { ...system, event, inertia, fixed })
    const gone = bodies.flatMap(([, ...others]) => others).sort((a, b) => a - b)
    const places = await this.#changes.merge(written, gone)
    for (const [first = 0, ...others] of bodies) for (const other of others) places[other] = places[first] as number
    const parts = new Set(bodies.flat())
    return { pairs: pairs.filter((pair) => pair.every((point) => parts.has(point))), points: sorted(parts), places }
  }

  async #bounce(event: PairEvent, pairs: readonly TouchingPair[], system: System): Promise<Found | undefined> {
    const masses = system.arrays[this.#live.parts.inertia as string] as FloatArray
    const { restitution = 1 } = event
    const found = bounced(pairs, { ...system, masses, restitution, fixed: this.#fixed })
    if (!found) return undefined
    await this.#changes.write(found.velocity)
    return { pairs: found.pairs, points: pointsOf(found.pairs) }
  }

  get #fixed(): ReadonlySet<number> {
    return new Set(this.#live.described.fixed)
  }

  /** The points as they are now, with the arrays that an event reads. */
  async #system(event: PairEvent): Promise<System> {
    const { arrays, dimension, computed: own = {} } = this.#live.described
    const given = Object.keys(arrays).filter((name) => !foundArrays.includes(name) && !Object.hasOwn(own, name))
    const read = [
      ...['position', ...arraysRead(conditionOf(event), arrays, dimension)],
      ...(event.resolve === 'bounce' ? ['velocity', this.#live.parts.inertia as string] : []),
      ...(event.resolve === 'merge' ? given : []),
    ]
    const now: Record<string, FloatArray> = {}
    for (const name of new Set(read)) now[name] = await this.#live.read(name)
    const lengths = sidesOf(boundaryIn(this.#live.parts) ?? open())
    return { arrays: now as PointArrays, dimension, lengths }
  }
}

const sorted = (points: Iterable<number>): readonly number[] => [...new Set(points)].sort((a, b) => a - b)

const pointsOf = (pairs: readonly TouchingPair[]): readonly number[] => sorted(pairs.flat())
