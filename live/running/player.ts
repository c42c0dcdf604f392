/** Takes the steps of a session between pictures, one change at a time, and measures their time. */

import type { Engine, SimulationState } from 'manybody'
import { Changes } from './changes.ts'
import { nextCount } from './pace.ts'
import { openEngine, Session } from './session.ts'
import type { Setup, SetupChange } from './setup.ts'

export interface PlayerEvents {
  /** Called when another session runs, or its points have moved. */
  readonly session: (session: Session) => Promise<void>
  /** Called after some steps, with their total milliseconds. */
  readonly stepped: (session: Session, steps: number, milliseconds: number) => void
  readonly failed: (error: unknown) => void
}

/** Milliseconds that a new start waits for earlier work, which it has aborted. Then it takes the device away from that work. */
const patience = 500

export class Player {
  running = true
  /** Whether the number of bodies follows the speed of the device. */
  fitting = true
  session: Session | undefined
  #changes = new Changes()
  #engine: Engine | undefined
  /** The engine of a session that is beginning. */
  #beginning: Engine | undefined
  #slow: number[] = []
  #rounds = 0
  #part: SetupChange | undefined
  #changing: Promise<void> | undefined

  constructor(readonly events: PlayerEvents) {}

  /** Starts over, or continues from a state. It ends all earlier requests, which then have no answer. */
  start(setup: Setup, state?: SimulationState): Promise<void> {
    const ended = this.#changes.end()
    this.#changes = new Changes()
    this.#part = this.#changing = undefined
    return this.#next(async (signal) => {
      if (!(await within(patience, ended))) this.#abandon()
      await this.#begin(setup, signal, state)
    })
  }

  /** Continues the same bodies under another law, on another backend, or backwards. Waiting changes are made together. */
  change(part: SetupChange): Promise<void> {
    this.#part = { ...this.#part, ...part }
    this.#changing ??= this.#next(async (signal) => {
      const [session, all] = [this.session, this.#part]
      this.#part = this.#changing = undefined
      if (session) await this.#begin({ ...session.setup, ...all }, signal, await session.simulation.snapshot())
    })
    return this.#changing
  }

  /** Runs work in turn. Undefined if a new start has ended it. */
  async #next<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T | undefined> {
    const changes = this.#changes
    try {
      return await changes.next(() => work(changes.signal))
    } catch (error) {
      if (changes.signal.aborted) return undefined
      throw error
    }
  }

  /** Takes the device away from work that does not end: a step of many bodies, or a law that compiles slowly. */
  #abandon(): void {
    for (const engine of [this.#engine, this.#beginning]) engine?.dispose()
    this.session = this.#engine = this.#beginning = undefined
  }

  /** Keeps the engine if the setup names the same one. */
  async #begin(setup: Setup, signal: AbortSignal, state?: SimulationState): Promise<void> {
    signal.throwIfAborted()
    this.#slow = []
    const [old, before] = [this.session, this.#engine]
    const same = before && old?.setup.backend === setup.backend && old.setup.variant === setup.variant
    const engine = same ? before : await openEngine(setup)
    try {
      signal.throwIfAborted()
      this.#beginning = engine
      const session: Session = await Session.begin(setup, engine, state, () => this.events.session(session))
      if (signal.aborted) session.dispose()
      signal.throwIfAborted()
      this.session = session
      this.#engine = engine
      await this.events.session(session)
    } catch (error) {
      if (!same) engine.dispose()
      throw error
    } finally {
      if (this.#beginning === engine) this.#beginning = undefined
    }
    old?.dispose()
    if (!same) before?.dispose()
  }

  /** Runs a task on the simulation between two steps. Undefined if a new start has ended it. */
  whenIdle<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T | undefined> {
    return this.#next(work)
  }

  /** Starts to look for the number of bodies again. */
  fit(): void {
    this.fitting = true
    this.#rounds = 0
    this.#slow = []
  }

  /** Called for each picture. While other work is under way, this picture takes no steps. */
  tick(): void {
    if (this.running && !this.#changes.busy) void this.advance(this.session?.setup.scene.steps ?? 1)
  }

  /** Takes these steps when the work under way has ended: a visitor who asks for a step gets it. */
  async advance(steps: number): Promise<void> {
    try {
      await this.#next(async (signal) => {
        const { session } = this
        if (!session) return
        const began = performance.now()
        await session.step(steps, signal)
        signal.throwIfAborted()
        const took = performance.now() - began
        this.events.stepped(session, steps, took)
        this.#slow.push(took)
      })
      await this.#fitCount()
    } catch (error) {
      this.running = false
      this.events.failed(error)
    }
  }

  async #fitCount(): Promise<void> {
    const { session } = this
    if (!this.fitting || !session || this.#slow.length < 4 || this.#rounds >= 5) return
    // The first steps compile.
    const took = Math.min(...this.#slow.slice(1))
    this.#slow = []
    this.#rounds++
    const { scene, tolerance } = session.setup
    const square = scene.work === 'pairs' && tolerance === 0
    const count = nextCount(scene.count.most, square, session.setup.count, took)
    if (count === session.setup.count) this.#rounds = 5
    // Read the setup inside the turn: a waiting change may just have been made.
    else
      await this.#next(async (signal) => {
        if (this.session) await this.#begin({ ...this.session.setup, count }, signal)
      })
  }
}

/** Whether work ends within this many milliseconds. */
async function within(milliseconds: number, work: Promise<unknown>): Promise<boolean> {
  let clock: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<boolean>((resolve) => {
    clock = setTimeout(resolve, milliseconds, false)
  })
  const inTime = await Promise.race([work.then(() => true), late])
  clearTimeout(clock)
  return inTime
}
