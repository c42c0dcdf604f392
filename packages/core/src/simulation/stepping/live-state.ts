/**
 * The state of a simulation as it moves: its steps, its changes and its numbers, of which nobody reads any that are not finite. Its caller
 * lets one call at a time in. `live-stepper.ts` survives the loss of a device.
 *
 * @module
 */
import { looksFinite } from '../../ground/arrays/magnitudes.ts'
import { type FloatArray, firstNotFinite } from '../../ground/checks.ts'
import { DivergedError } from '../../ground/errors.ts'
import { scaledBox } from '../numbers/box.ts'
import type { NumberChanges } from '../numbers/changes.ts'
import { withNumbers } from '../numbers/description.ts'
import { withExpressions } from '../numbers/of-time.ts'
import { keepsPasses } from '../numbers/passes.ts'
import { totalOf } from '../reading/scratch-run.ts'
import type { StraySum } from '../reading/stray-sum.ts'
import { restored } from '../snapshot.ts'
import type { BoundSimulation, ClockedState, SimulationState } from '../state.ts'
import type { Change } from './change-log.ts'
import type { Divergence } from './divergence.ts'
import { isElsewhere, LiveStepper } from './live-stepper.ts'
import { Stepper } from './stepper.ts'

interface ChangeOptions {
  /** How many numbers of points the change holds. */
  readonly numbers?: number
  /** The simulation after the change. */
  readonly after?: BoundSimulation
  /** Whether a stepper can make the change; all can by default. */
  readonly fits?: (stepper: Stepper) => boolean
}

export class LiveState extends LiveStepper {
  /** When numbers diverged, once a read has found that they did. */
  #found: Promise<Divergence> | undefined

  /** Scales the box, and the places of the points in it. */
  async scale(factor: number): Promise<void> {
    const numbers = scaledBox(this.numbers, factor)
    await this.change((stepper) => stepper.scale(numbers))
    this.setNumbers(numbers)
  }

  /** Takes steps up to this number. They took so many milliseconds. */
  advance(steps: number, signal?: AbortSignal): number | Promise<number> {
    const start = performance.now()
    const current = this.current
    const waiting = current ? this.advanceOn(current, steps, signal) : this.#advanceAgain(steps, signal)
    if (waiting !== undefined) return this.#advanced(waiting, current !== undefined, { steps, signal, start })
    const spent = this.took(steps, start)
    return this.full ? this.save().then(() => spent) : spent
  }

  /** Waits for steps. If they began at once and the device was lost or cannot take them, another does. */
  async #advanced(
    waiting: Promise<void>,
    atOnce: boolean,
    { steps, signal, start }: { steps: number; signal: AbortSignal | undefined; start: number },
  ): Promise<number> {
    try {
      await waiting
    } catch (error) {
      if (!atOnce || !isElsewhere(error)) throw error
      await this.#advanceAgain(steps, signal)
    }
    const spent = this.took(steps, start)
    if (this.full) await this.save()
    return spent
  }

  #advanceAgain(steps: number, signal: AbortSignal | undefined): Promise<void> {
    return this.recovering(async (stepper) => this.advanceOn(stepper, steps, signal))
  }

  /** Changes the stepper, and its successor if the device is lost, within the call if nothing has to wait. @returns whether the stepper can be changed so */
  change(
    apply: Change['apply'],
    { numbers = 0, after = this.now, fits = () => true }: ChangeOptions = {},
  ): Promise<boolean> | boolean {
    const done = this.atOnce((stepper) => {
      if (!fits(stepper)) return false
      return apply(stepper)?.then(() => true) ?? true
    })
    const made = () => {
      this.made({ steps: this.steps, apply }, numbers, after)
      return this.full ? this.#keepNow() : true
    }
    if (done instanceof Promise) return done.then((is) => is && made())
    return done && made()
  }

  async #keepNow(): Promise<true> {
    this.keep(await this.requireFinite(false))
    return true
  }

  /** Sets the time, which differs by rounding from the time reached. */
  async land(time: number): Promise<void> {
    await this.change((stepper) => stepper.land(time))
    this.setClock({ ...(await this.on(async (stepper) => stepper.clock())), time: [time, 0] })
  }

  /** The current state, which is finite. From now on it is the saved one. */
  async save(): Promise<ClockedState> {
    this.keep(await this.requireFinite())
    return this.described
  }

  /** Changes parameters, tables and the length of a step. Expressions of the time make the programs again. @throws TypeError, RangeError, and then nothing has changed */
  async set(changes: NumberChanges): Promise<void> {
    const before = this.numbers
    const { names } = this
    const { numbers: plain, expressions } = names.apart(changes)
    const numbers = names.changed(before, plain, this.steps)
    if (expressions) return this.replace((state) => withExpressions(withNumbers(state, numbers), expressions, names))
    if (!keepsPasses(this.now, before, numbers)) return this.replace((state) => withNumbers(state, numbers))
    this.want(numbers)
    try {
      await this.on((stepper) => stepper.settle())
    } catch (error) {
      this.want(before)
      throw error
    }
  }

  /** The current state. @throws {@link DivergedError} unless it is finite */
  async requireFinite(withForces: boolean = true): Promise<ClockedState> {
    const state = await this.on((stepper) => stepper.save(withForces))
    for (const [name, array] of Object.entries(state.arrays)) await this.#check(name, array)
    return state
  }

  /** Finds numbers that are not finite by their sum, and reads them only then. */
  async requireFiniteArray(name: string): Promise<void> {
    const total = await this.on((stepper) => totalOf(stepper.buffer(name)))
    if (!Number.isFinite(total)) await this.read(name)
  }

  /** Reads finite numbers within the call; false if that has to wait. */
  readAtOnce(name: string, into: FloatArray): boolean {
    return this.current?.reads.atOnce(name, into) === true && looksFinite(into)
  }

  async read(name: string, into?: FloatArray): Promise<FloatArray> {
    const array = await this.on((stepper) => stepper.reads.array(name, into))
    await this.#check(name, array)
    return array
  }

  /** An array of the points, for some of them alone. */
  async readAt(name: string, points: Uint32Array): Promise<FloatArray> {
    const numbers = await this.on((stepper) => stepper.reads.at(name, points))
    // With its place among all numbers, a stray one is told better.
    if (firstNotFinite(numbers) >= 0) await this.read(name)
    return numbers
  }

  /** Goes on with another description. @throws TypeError, RangeError, and then nothing has changed */
  async replace(changed: (state: ClockedState) => SimulationState | Promise<SimulationState>): Promise<void> {
    const bound = restored({ ...(await changed(await this.requireFinite(false))), checksum: undefined })
    const stepper = await this.devices.on((programs) => Stepper.create(programs, bound))
    this.goOn(stepper, bound)
  }

  /** Says why a sum over forces is not finite. */
  async why({ point, quantity }: Pick<StraySum, 'point' | 'quantity'>): Promise<string | undefined> {
    const state = await this.requireFinite()
    const { whyStray } = await import('../reading/why-stray.ts')
    const { precision } = this.devices
    return whyStray({ ...this.boundTo(state), time: this.time, point, quantity, precision })
  }

  /** A state that is not finite cannot be continued, here or on another device. */
  async #check(name: string, array: FloatArray): Promise<void> {
    const index = firstNotFinite(array)
    if (index < 0) return
    this.#found ??= this.findDivergence()
    const { finiteSteps, why } = await this.#found
    throw new DivergedError(`"${name}" is ${array[index]} at index ${index}`, this.steps, finiteSteps, why)
  }
}
