/**
 * The state of a simulation as it moves. It takes steps on the current device, survives the loss of one, and lets nobody read numbers
 * that are not finite. Its caller lets one call at a time in.
 *
 * @module
 */
import { isRefusal } from '../../contract/candidates/refusals.ts'
import { looksFinite } from '../../ground/arrays/magnitudes.ts'
import { type FloatArray, firstNotFinite } from '../../ground/checks.ts'
import { DeviceLostError, DivergedError } from '../../ground/errors.ts'
import { open } from '../../problem/workloads/define-domain.ts'
import type { Boundary } from '../../problem/workloads/domain.ts'
import { countOf } from '../arrays.ts'
import type { ForceParts } from '../forces/force.ts'
import { boxOfParts } from '../forces/system-box.ts'
import type { Integrator } from '../integrators.ts'
import { boundaryNow, scaledBox } from '../numbers/box.ts'
import { type NumberChanges, NumberNames } from '../numbers/changes.ts'
import { numbersOf, withNumbers } from '../numbers/description.ts'
import type { SimulationNumbers } from '../numbers/numbers.ts'
import { withExpressions } from '../numbers/of-time.ts'
import { keepsPasses } from '../numbers/passes.ts'
import { totalOf } from '../reading/scratch-run.ts'
import type { StraySum } from '../reading/stray-sum.ts'
import { restored } from '../snapshot.ts'
import { type BoundSimulation, boundWith, type ClockedState, type SimulationState } from '../state.ts'
import { type Change, ChangeLog } from './change-log.ts'
import { type ClockState, timeOf } from './clocks/clock-state.ts'
import { type Divergence, divergenceIn } from './divergence.ts'
import { type DeviceSource, Recovery } from './recovery.ts'
import { Stepper } from './stepper.ts'

/** The state is saved after so many milliseconds of steps. At most these steps are repeated if a device is lost or numbers diverge. */
const savedEvery = 10_000

/** Whether another device may do the work that failed. */
const isElsewhere = (error: unknown) => isRefusal(error) || error instanceof DeviceLostError

interface ChangeOptions {
  /** How many numbers of points the change holds. */
  readonly numbers?: number
  /** The simulation after the change. */
  readonly after?: BoundSimulation
  /** Whether a stepper can make the change; all can by default. */
  readonly fits?: (stepper: Stepper) => boolean
}

export class LiveState {
  readonly devices: Recovery
  /** Called with each new stepper. */
  readonly #moved: (stepper: Stepper) => void
  /** With the latest state on the host. Steps after it are repeated if the device is lost. */
  #bound: BoundSimulation
  #stepper: Stepper | undefined
  #steps: number
  /** Milliseconds of steps since the state was saved. */
  #unsaved = 0
  #clock: ClockState
  /** The current parameters, tables and length of a step. */
  #numbers: SimulationNumbers
  #names: NumberNames
  /** The simulation of now. Numbers of points, parameters, tables and the length of a step in it may be out of date. */
  #now: BoundSimulation
  readonly #log = new ChangeLog()
  /** When numbers diverged, once a read has found that they did. */
  #found: Promise<Divergence> | undefined

  constructor(source: DeviceSource, bound: BoundSimulation, moved: (stepper: Stepper) => void) {
    this.devices = new Recovery(source)
    this.#moved = moved
    this.#bound = bound
    this.#steps = bound.state.steps
    this.#clock = bound.state.clock
    this.#numbers = numbersOf(bound.state)
    this.#now = bound
    this.#names = new NumberNames(bound.state)
  }

  /** The state of now. Numbers of points, parameters, tables and the length of a step in it may be out of date. */
  get described(): ClockedState {
    return this.#now.state
  }

  /** The same with the data derived from it. */
  get now(): BoundSimulation {
    return this.#now
  }

  /** Takes another description of the same forces and points. */
  describe(state: ClockedState): void {
    this.#now = { ...this.#now, state }
  }

  /** The names of parameters and tables. */
  get names(): NumberNames {
    return this.#names
  }

  get integrator(): Integrator {
    return withNumbers(this.described, this.#numbers).integrator
  }

  get parts(): ForceParts {
    return this.#now.parts
  }

  get steps(): number {
    return this.#steps
  }

  get time(): number {
    return timeOf(this.described, this.#clock, this.#steps)
  }

  get dt(): number {
    return this.#clock.dt
  }

  /** The current parameters, tables and length of a step. */
  get numbers(): SimulationNumbers {
    return this.#numbers
  }

  get clock(): ClockState {
    return this.#clock
  }

  /** The boundary of the forces between points now: their box, if they have one. */
  get boundary(): Boundary {
    return boundaryNow(boxOfParts(this.parts) ?? open(), this.#numbers)
  }

  /** Scales the box, and the places of the points in it. */
  async scale(factor: number): Promise<void> {
    const numbers = scaledBox(this.#numbers, factor)
    await this.change((stepper) => stepper.scale(numbers))
    this.#numbers = numbers
  }

  /** Takes steps up to this number. They took so many milliseconds. */
  advance(steps: number, signal?: AbortSignal): number | Promise<number> {
    const start = performance.now()
    const current = this.#current
    const waiting = current ? this.#advance(current, steps, signal) : this.#advanceAgain(steps, signal)
    if (waiting !== undefined) return this.#advanced(waiting, current !== undefined, { steps, signal, start })
    const spent = this.#took(steps, start)
    return this.#full ? this.save().then(() => spent) : spent
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
    const spent = this.#took(steps, start)
    if (this.#full) await this.save()
    return spent
  }

  #advanceAgain(steps: number, signal: AbortSignal | undefined): Promise<void> {
    return this.#recovering(async (stepper) => this.#advance(stepper, steps, signal))
  }

  #took(steps: number, start: number): number {
    this.#steps = steps
    const spent = performance.now() - start
    this.#unsaved += spent
    return spent
  }

  /** Whether the state should be saved. */
  get #full(): boolean {
    return this.#unsaved > savedEvery || this.#log.full(this.#positions)
  }

  /** The stepper, if it is up to date and its device is not known to be lost. */
  get #current(): Stepper | undefined {
    const stepper = this.#stepper
    const current = stepper?.intact && stepper.steps === this.#steps && this.#log.done
    return current && this.devices.isOn(stepper.device) ? stepper : undefined
  }

  /** Changes the stepper, and its successor if the device is lost. @returns whether the stepper can be changed so */
  async change(
    apply: Change['apply'],
    { numbers = 0, after = this.#now, fits = () => true }: ChangeOptions = {},
  ): Promise<boolean> {
    const done = await this.on(async (stepper) => {
      if (!fits(stepper)) return false
      await apply(stepper)
      return true
    })
    if (!done) return false
    this.#log.made({ steps: this.#steps, apply }, numbers)
    this.#now = after
    if (this.#log.full(this.#positions)) this.keep(await this.requireFinite(false))
    return true
  }

  get #positions(): number {
    return countOf(this.described) * this.described.dimension
  }

  /** Sets the time, which differs by rounding from the time reached. */
  async land(time: number): Promise<void> {
    await this.change((stepper) => stepper.land(time))
    this.#clock = { ...(await this.on(async (stepper) => stepper.clock())), time: [time, 0] }
  }

  /** The current state, which is finite. From now on it is the saved one. */
  async save(): Promise<ClockedState> {
    this.keep(await this.requireFinite())
    return this.described
  }

  /** Goes on from a state, which the stepper has. */
  keep(state: ClockedState): void {
    this.#bound = this.#boundTo(state)
    this.#now = this.#bound
    this.#unsaved = 0
    this.#log.clear()
  }

  /** Changes parameters, tables and the length of a step. Expressions of the time make the programs again. @throws TypeError, RangeError, and then nothing has changed */
  async set(changes: NumberChanges): Promise<void> {
    const before = this.#numbers
    const names = this.#names
    const { numbers: plain, expressions } = names.apart(changes)
    const numbers = names.changed(before, plain, this.#steps)
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

  /** The numbers of all that is computed from now on. Of several without a step between, the last ones count. */
  want(numbers: SimulationNumbers): void {
    const clock = numbers.clock !== this.#numbers.clock
    this.#numbers = numbers
    if (clock) this.#clock = numbers.clock
    if (this.#stepper) this.#stepper.wanted = numbers
    const apply = (stepper: Stepper) => {
      stepper.wanted = numbers
    }
    this.#log.renumbered({ steps: this.#steps, numbers: true, apply }, this.#stepper !== undefined)
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
    return this.#current?.reads.atOnce(name, into) === true && looksFinite(into)
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
    const stepper = await this.devices.on((device) => Stepper.create(device, bound))
    this.#drop()
    this.#stepper = stepper
    this.#bound = bound
    this.keep(bound.state)
    this.#clock = bound.state.clock
    this.#numbers = numbersOf(bound.state)
    this.#names = new NumberNames(bound.state)
    this.#moved(stepper)
  }

  #boundTo(state: ClockedState): BoundSimulation {
    return boundWith(this.#now, state)
  }

  /** Says why a sum over forces is not finite. */
  async why({ point, quantity }: Pick<StraySum, 'point' | 'quantity'>): Promise<string | undefined> {
    const state = await this.requireFinite()
    const { whyStray } = await import('../reading/why-stray.ts')
    const { precision } = this.devices
    return whyStray({ ...this.#boundTo(state), time: this.time, point, quantity, precision })
  }

  /** A state that is not finite cannot be continued, here or on another device. */
  async #check(name: string, array: FloatArray): Promise<void> {
    const index = firstNotFinite(array)
    if (index < 0) return
    this.#found ??= this.#findDivergence()
    const { finiteSteps, why } = await this.#found
    throw new DivergedError(`"${name}" is ${array[index]} at index ${index}`, this.#steps, finiteSteps, why)
  }

  #findDivergence(): Promise<Divergence> {
    return this.devices.on((device) => {
      this.#drop()
      return divergenceIn({ bound: this.#bound, changes: this.#log.changes, steps: this.#steps }, device)
    })
  }

  /** Works on an up-to-date stepper. If its device is lost or cannot do the work, another one does. */
  async on<T>(work: (stepper: Stepper) => Promise<T>): Promise<T> {
    const current = this.#current
    if (!current) return this.#recovering(work)
    try {
      return await work(current)
    } catch (error) {
      if (!isElsewhere(error)) throw error
    }
    return this.#recovering(work)
  }

  /** Makes the stepper again from the saved state if necessary. */
  #recovering<T>(work: (stepper: Stepper) => Promise<T>): Promise<T> {
    return this.devices.on(async (device) => {
      if (this.#stepper?.device !== device || !this.#stepper.intact) {
        this.#drop()
        this.#stepper = await Stepper.create(device, this.#bound)
        this.#log.again()
        this.#moved(this.#stepper)
      }
      const stepper = this.#stepper
      try {
        await this.#log.catchUp(stepper, async (steps) => this.#advance(stepper, steps))
        await this.#advance(stepper, this.#steps)
        return await work(stepper)
      } catch (error) {
        if (!stepper.intact) this.#drop()
        // The next candidate continues from here.
        else if (isRefusal(error)) await this.save()
        throw error
      }
    })
  }

  /** Takes steps up to this number; undefined if that is done. */
  #advance(stepper: Stepper, steps: number, signal?: AbortSignal): Promise<void> | undefined {
    if (steps <= stepper.steps) return undefined
    const waiting = stepper.run(steps - stepper.steps, signal)
    const clock = waiting === undefined ? stepper.clock() : waiting.then(() => stepper.clock())
    if (clock instanceof Promise) return clock.then((read) => this.#setClock(read))
    this.#setClock(clock)
    return undefined
  }

  #setClock(clock: ClockState): void {
    this.#clock = clock
  }

  /** Releases its memory on the device. Calls under way, and later ones, fail. */
  dispose(): void {
    this.devices.dispose()
    this.#drop()
  }

  #drop(): void {
    this.#stepper?.dispose()
    this.#stepper = undefined
  }
}
