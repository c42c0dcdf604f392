/** Computes and draws at the page's request: the engine, the simulation and the pictures. It runs in a worker, or on the page's thread. */

import type { SimulationState } from 'manybody'
import { Screen } from '../drawing/screen.ts'
import { stagingOf, type View } from '../drawing/staging.ts'
import { compare, verify, wholeSelection } from '../running/check.ts'
import { driftOf } from '../running/drift.ts'
import { Player } from '../running/player.ts'
import { edgesOf, firstArrays, type Session } from '../running/session.ts'
import { received, type SentSetup, type SetupChange, sent } from '../running/setup.ts'
import { textsOf } from '../running/texts.ts'
import { messageOf, type Page, type Shown, type Work } from './messages.ts'

/** Milliseconds from one measurement of the conserved quantities to the next. */
const measuring = 500

export class Runner implements Work {
  readonly #screen: Screen
  readonly #player: Player
  #measured = 0
  #comparison: AbortController | undefined

  constructor(readonly page: Page) {
    this.#screen = new Screen(page)
    this.#player = new Player({
      session: async (session) => {
        await this.#screen.show(session.source, stagingOf(session.setup))
        await page.session(shownOf(session))
      },
      stepped: (session, taken, milliseconds) => {
        this.#screen.touch()
        void page.stepped({ steps: session.simulation.steps, taken, milliseconds })
        void this.#measureDrift(session)
      },
      failed: (error) => void page.failed(messageOf(error)),
    })
  }

  /** Takes the steps of a picture and draws it, for each picture of the browser. */
  animate(): void {
    this.#player.tick()
    this.#screen.draw()
    requestAnimationFrame(() => this.animate())
  }

  async ready(webgpu: boolean): Promise<boolean> {
    const painted = new OffscreenCanvas(1, 1).getContext('webgl2') !== null
    return painted && 'requestAnimationFrame' in globalThis && (!webgpu || 'gpu' in navigator)
  }

  async view(view: View): Promise<void> {
    this.#screen.view = view
  }

  async preview(sentSetup: SentSetup): Promise<void> {
    const setup = received(sentSetup)
    const arrays = firstArrays(setup)
    await this.#screen.show({ kind: 'arrays', arrays: () => arrays, edges: edgesOf(setup) }, stagingOf(setup))
  }

  async start(setup: SentSetup, fitting: boolean, state?: SimulationState): Promise<void> {
    if (fitting) this.#player.fit()
    else this.#player.fitting = false
    await this.#player.start(received(setup), state)
  }

  change(part: SetupChange): Promise<void> {
    return this.#player.change(part)
  }

  async run(running: boolean): Promise<void> {
    this.#player.running = running
  }

  advance(steps: number): Promise<void> {
    return this.#player.advance(steps)
  }

  snapshot() {
    return this.#between(async ({ setup, simulation }) => ({ setup: sent(setup), state: await simulation.snapshot() }))
  }

  selection() {
    return this.#between(({ engine }) => wholeSelection(engine.selection))
  }

  verify() {
    return this.#between(verify)
  }

  async compare(): Promise<void> {
    const comparison = new AbortController()
    this.#comparison = comparison
    await this.#between(async (session, signal) => {
      signal.addEventListener('abort', () => comparison.abort())
      for await (const row of compare(session, comparison.signal)) void this.page.compared(row)
    })
  }

  async stopComparing(): Promise<void> {
    this.#comparison?.abort()
  }

  texts() {
    return this.#between(textsOf)
  }

  /** Asks the session between two steps. */
  #between<T>(work: (session: Session, signal: AbortSignal) => Promise<T>): Promise<T | undefined> {
    return this.#player.whenIdle(async (signal) => this.#player.session && work(this.#player.session, signal))
  }

  async #measureDrift(session: Session): Promise<void> {
    if (performance.now() - this.#measured < measuring || session.setup.scene.conserves.length === 0) return
    this.#measured = performance.now()
    try {
      const drift = await this.#player.whenIdle(() => driftOf(session))
      if (drift) void this.page.drift(drift)
    } catch {
      // A session that has ended measures nothing. One that diverged reports it at its next step.
    }
  }
}

const shownOf = ({ setup, engine, simulation, stepWork }: Session): Shown => ({
  setup: sent(setup),
  backend: engine.device.info.backend,
  device: engine.device.info.name,
  steps: simulation.steps,
  stepWork,
  recoveries: simulation.recoveries.map(String),
})
