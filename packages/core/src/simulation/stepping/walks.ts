/**
 * Steps of a simulation: a number of them, or up to a time. Progress and aborts take effect between stretches of steps.
 *
 * @module
 */
import { radauIn } from '../gauss-radau/ias15.ts'
import { inBoxOf } from '../numbers/box.ts'
import { withNumbers } from '../numbers/description.ts'
import type { SimulationNumbers } from '../numbers/numbers.ts'
import { keepsPasses } from '../numbers/passes.ts'
import { endless } from './clocks/adaptive-clock.ts'
import { clockAt } from './clocks/clock-state.ts'
import type { LiveState } from './live-state.ts'

export interface StepOptions {
  /** Parameters of these steps alone, as in `run`. `set` changes them for all further steps. */
  readonly parameters?: Readonly<Record<string, number>>
  readonly signal?: AbortSignal
  /** Called with the fraction of the steps done, 0 to 1, and about how many seconds the others will take. */
  readonly onProgress?: (fraction: number, secondsLeft: number) => void
}

/**
 * The target length of an uninterrupted stretch of steps, in milliseconds. Progress is reported and aborts take effect
 * between stretches.
 */
const stretch = 100

/** Works between steps. */
export interface BetweenSteps {
  /** The number of the next step after which it works; infinite if it never does. */
  after(steps: number): number
  look(): Promise<void>
  /** @throws Error if no steps may be taken now */
  requireFree?(name: string): void
}

export class Walks {
  readonly #live: LiveState
  /** How many steps make a stretch. It is kept across calls, because the device idles between stretches. */
  #together = 1

  /** Looks for events and keeps the pressure between steps, if there is one or the other. */
  watch: BetweenSteps | undefined

  constructor(live: LiveState) {
    this.#live = live
  }

  /** Takes steps; undefined if that is done. @throws `signal.reason` when aborted, and then `steps` says how far it got */
  walk(count: number, options: StepOptions): Promise<void> | undefined {
    const { parameters, signal, onProgress } = options
    this.watch?.requireFree?.('step')
    if (parameters) return this.#using(parameters, () => this.#walk(count, options))
    if (count === 0 || count > this.#together || signal || onProgress || this.watch) return this.#walk(count, options)
    // One stretch, of which nobody hears.
    const spent = this.#live.advance(this.#live.steps + count)
    return spent instanceof Promise ? spent.then((late) => this.#slow(late)) : this.#slow(spent)
  }

  /** Shortens stretches that took too long. @param spent milliseconds */
  #slow(spent: number): undefined {
    if (spent > 4 * stretch) this.#together = Math.ceil(this.#together / 2)
  }

  /** Takes steps. The last one ends at a time. @throws RangeError for a time that was before */
  walkUntil(time: number, { parameters, ...options }: StepOptions): Promise<void> {
    const { dt: given, integrator } = this.#live.described
    this.watch?.requireFree?.('stepUntil')
    // Steps of the host adapt without a rule.
    const dt = radauIn(integrator) ? { longest: Number.POSITIVE_INFINITY } : given
    const backwards = this.#live.dt < 0
    const turned = typeof dt === 'number' ? `; set({ dt: ${-this.#live.dt} }) turns the run round` : ''
    if (backwards ? time > this.#live.time : time < this.#live.time)
      throw new RangeError(
        `"time" expected a number ${backwards ? '<=' : '>='} ${this.#live.time}, the time reached, got ${time}${turned}`,
      )
    const work = () =>
      typeof dt === 'number' ? this.#walkEvenly(time, options) : this.#walkAdapting(time, dt.longest, options)
    return parameters ? this.#using(parameters, work) : work()
  }

  /** Whole steps, and one for the rest. */
  async #walkEvenly(time: number, { signal, onProgress }: StepOptions): Promise<void> {
    const { dt } = this.#live.clock
    const count = Math.ceil((time - this.#live.time) / dt - 1e-9)
    const share = Math.max(0, count - 1) / count
    if (time === this.#live.time) return
    await this.#walk(Math.max(0, count - 1), {
      ...(signal && { signal }),
      onProgress: (fraction, left) => onProgress?.(fraction * share, left / share),
    })
    const [before, taken] = [this.#live.numbers, this.#live.steps]
    const missing = time - this.#live.time
    this.#live.want({ ...before, clock: { ...clockAt(before.clock, taken), dt: missing } })
    try {
      await this.#walk(1, { ...(signal && { signal }) })
    } finally {
      // A listener of events or a barostat may fail after the step.
      const { steps } = this.#live
      const clock = { time: [time, 0], steps, dt } as const
      this.#live.want(steps > taken ? inBoxOf({ ...before, clock }, this.#live.numbers) : before)
    }
    onProgress?.(1, 0)
  }

  /** As many steps at a time as are surely too few, and at last one by one. */
  async #walkAdapting(time: number, longest: number, { signal, onProgress }: StepOptions): Promise<void> {
    const [from, began] = [this.#live.time, performance.now()]
    await this.#live.change((stepper) => stepper.until(time))
    try {
      // The last step misses the end by the rounding of its length.
      const rounding = this.#live.devices.precision === 'f32' ? 2 ** -22 : 2 ** -50
      for (let left = time - from; Math.abs(left) > rounding * Math.abs(this.#live.clock.dt); ) {
        await this.#walk(Math.max(1, Math.floor(left / longest)), { ...(signal && { signal }) })
        left = time - this.#live.time
        const done = 1 - left / (time - from)
        onProgress?.(done, ((performance.now() - began) / 1000) * (1 / done - 1))
      }
    } catch (error) {
      await this.#live.change((stepper) => stepper.until(endless))
      throw error
    }
    await this.#live.land(time)
  }

  /** Works with other parameters for the time of the work. */
  async #using(parameters: NonNullable<StepOptions['parameters']>, work: () => Promise<void>): Promise<void> {
    const usual = this.#live.numbers
    const own = this.#live.names.changed(usual, { parameters }, this.#live.steps)
    if (!keepsPasses(this.#live.now, usual, own))
      throw new RangeError(
        '"parameters" expected cutoffs that need no other programs for some steps alone; call set before the steps, and after them',
      )
    this.#live.want(own)
    const goOn = () => this.#goOnWith(inBoxOf({ ...usual, clock: this.#live.numbers.clock }, this.#live.numbers))
    try {
      await this.#live.on((stepper) => stepper.settle())
      await work()
    } catch (error) {
      // The first failure is the one to tell.
      await goOn().catch(() => {})
      throw error
    }
    await goOn()
  }

  /** Takes the usual numbers again. In a box that has changed meanwhile, their cutoffs may need other programs. @throws RangeError */
  async #goOnWith(usual: SimulationNumbers): Promise<void> {
    if (keepsPasses(this.#live.now, this.#live.numbers, usual)) {
      if (this.#live.described.barostat) await this.#live.on(async (stepper) => stepper.requireReach(usual))
      return this.#live.want(usual)
    }
    await this.#live.replace((state) => withNumbers(state, usual))
  }

  async #walk(count: number, { signal, onProgress }: Omit<StepOptions, 'parameters'>): Promise<void> {
    const goal = this.#live.steps + count
    const began = performance.now()
    while (this.#live.steps < goal) {
      signal?.throwIfAborted()
      const look = this.watch?.after(this.#live.steps) ?? goal
      const free = Math.min(this.#live.steps + this.#together, goal)
      const next = Math.min(free, look)
      const spent = await this.#live.advance(next, signal)
      this.#slow(spent)
      if (spent < stretch && next === free && next < goal) this.#together *= 2
      if (next === look) await this.watch?.look()
      const done = 1 - (goal - next) / count
      onProgress?.(done, ((performance.now() - began) / 1000) * (1 / done - 1))
    }
  }
}
