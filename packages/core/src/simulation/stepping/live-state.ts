/**
 * The state of a simulation as it moves. It takes steps on the current device, survives the loss of one, and lets nobody read numbers
 * that are not finite. Its caller lets one call at a time in.
 *
 * @module
 */
import type { Device } from '../../contract/backend.ts'
import { isRefusal, Refusals } from '../../contract/candidates/refusals.ts'
import { type FloatArray, firstNotFinite } from '../../ground/checks.ts'
import { DivergedError } from '../../ground/errors.ts'
import type { Precision } from '../../ground/precision.ts'
import { requireMassOfNoise } from '../check-integrator.ts'
import type { ForceParts } from '../forces/force.ts'
import type { Integrator } from '../integrators.ts'
import { type NumberChanges, NumberNames } from '../numbers/changes.ts'
import { numbersOf, withNumbers } from '../numbers/description.ts'
import type { SimulationNumbers } from '../numbers/numbers.ts'
import { totalOf } from '../reading/scratch-run.ts'
import type { StraySum } from '../reading/stray-sum.ts'
import { restored, rewritten } from '../snapshot.ts'
import { type BoundSimulation, boundWith, type ClockedState, fixedPoints, type SimulationState } from '../state.ts'
import { type ClockState, clockAt } from './clock-state.ts'
import { Stepper } from './stepper.ts'
import { merged, type Written } from './written.ts'

/** The part of an engine that a simulation uses: a device, and another if that one is lost or cannot run it. */
export interface DeviceSource {
  readonly device: Device
  recovering<T>(
    work: (programs: { readonly device: Device }) => Promise<T>,
    refusals: Refusals,
  ): Promise<T & { readonly recoveries: readonly string[]; readonly notes: readonly string[] }>
}

/** The state is saved after so many milliseconds of steps. At most these steps are repeated if a device is lost or numbers diverge. */
const savedEvery = 10_000

/** The most changes that are repeated after a device was lost. */
const mostChanges = 1000

/** They hold at most so many times the numbers of all positions. */
const mostWritten = 4

/** A change of the simulation, and how many steps it had taken before. */
interface Change {
  readonly steps: number
  readonly apply: (stepper: Stepper) => Promise<void> | void
  /** Whether it sets all numbers. */
  readonly numbers?: true
}

export class LiveState {
  readonly #source: DeviceSource
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
  /** The points that are held now. */
  #fixed: readonly number[] | undefined
  /** The changes since the state was saved, and how many of them the stepper has made. */
  #changes: Change[] = []
  #done = 0
  /** How many numbers of points are among them. */
  #written = 0
  /** When numbers diverged, once a read has found that they did. */
  #found: Promise<Divergence> | undefined
  #recoveries: string[] = []
  #notes: readonly string[] = []
  /** The candidates that cannot run it. */
  readonly #refusals = new Refusals('simulation')
  #disposed = false

  constructor(source: DeviceSource, bound: BoundSimulation, moved: (stepper: Stepper) => void) {
    this.#source = source
    this.#moved = moved
    this.#bound = bound
    this.#steps = bound.state.steps
    this.#clock = bound.state.clock
    this.#numbers = numbersOf(bound.state)
    this.#fixed = bound.state.fixed
    this.#names = new NumberNames(bound.state)
  }

  /** The latest state on the host. Parameters, tables and the length of a step in its description may be out of date. */
  get saved(): ClockedState {
    const { state } = this.#bound
    if (state.fixed === this.#fixed) return state
    const { fixed: _, ...others } = state
    return { ...others, ...(this.#fixed && { fixed: this.#fixed }) }
  }

  /** The names of parameters and tables. */
  get names(): NumberNames {
    return this.#names
  }

  get integrator(): Integrator {
    return withNumbers(this.saved, this.#numbers).integrator
  }

  get parts(): ForceParts {
    return this.#bound.parts
  }

  get steps(): number {
    return this.#steps
  }

  get time(): number {
    return timeOf(this.saved, this.#clock, this.#steps)
  }

  get dt(): number {
    return this.#clock.dt
  }

  get recoveries(): readonly string[] {
    return this.#recoveries
  }

  /** Why it does not run on the device of the engine. */
  get notes(): readonly string[] {
    return this.#notes
  }

  /** The current parameters, tables and length of a step. */
  get numbers(): SimulationNumbers {
    return this.#numbers
  }

  get clock(): ClockState {
    return this.#clock
  }

  get precision(): Precision {
    return this.#source.device.info.precision
  }

  /** Takes steps up to this number. They took so many milliseconds. */
  async advance(steps: number, signal: AbortSignal | undefined): Promise<number> {
    const start = performance.now()
    await this.on((stepper) => this.#advance(stepper, steps, signal))
    this.#steps = steps
    const spent = performance.now() - start
    this.#unsaved += spent
    if (this.#unsaved > savedEvery || this.#changes.length > mostChanges) await this.save()
    return spent
  }

  /** Changes the stepper, and its successor if the device is lost. @param numbers how many of points the change holds */
  async change(apply: Change['apply'], numbers: number = 0): Promise<void> {
    await this.on(async (stepper) => apply(stepper))
    this.#changes.push({ steps: this.#steps, apply })
    this.#done = this.#changes.length
    this.#written += numbers
    const most = mostWritten * Math.max(1000, this.saved.arrays.position.length)
    if (this.#written > most || this.#changes.length > mostChanges) this.#keep(await this.requireFinite(false))
  }

  /** Sets the time, which differs by rounding from the time reached. */
  async land(time: number): Promise<void> {
    await this.change((stepper) => stepper.land(time))
    this.#clock = { ...(await this.on((stepper) => stepper.clock())), time: [time, 0] }
  }

  /** The current state, which is finite. From now on it is the saved one. */
  async save(): Promise<ClockedState> {
    this.#keep(await this.requireFinite())
    return this.saved
  }

  /** Saves the state of the stepper. */
  #keep(state: ClockedState): void {
    this.#bound = this.#boundTo(state)
    this.#fixed = state.fixed
    this.#unsaved = 0
    this.#changes = []
    this.#done = 0
    this.#written = 0
  }

  /** Changes parameters, tables and the length of a step. @throws TypeError, RangeError, and then nothing has changed */
  async set(changes: NumberChanges): Promise<void> {
    const before = this.#numbers
    this.want(this.#names.changed(before, changes, this.#steps))
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
    if (this.#stepper) this.#stepper.want(numbers)
    const last = this.#changes.at(-1)
    if (last?.numbers && last.steps === this.#steps) {
      this.#changes.pop()
      this.#done = Math.min(this.#done, this.#changes.length)
    }
    this.#changes.push({ steps: this.#steps, numbers: true, apply: (stepper) => stepper.want(numbers) })
    if (this.#stepper) this.#done = this.#changes.length
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

  async read(name: string, into?: FloatArray): Promise<FloatArray> {
    const array = await this.on((stepper) => stepper.read(name, into))
    await this.#check(name, array)
    return array
  }

  /** Replaces numbers of points. @throws TypeError, RangeError, and then nothing has changed */
  async write(written: Written): Promise<void> {
    const { name } = written
    if (name === 'velocity') this.#requireStill(written)
    if (name === 'position' || name === 'velocity')
      return this.change((stepper) => stepper.place(written), written.numbers.length)
    // Laws may forbid numbers of an attribute, which a check of all of them finds.
    const now = await this.requireFinite(false)
    const state = rewritten(now, name, merged(now.arrays[name] as FloatArray, written))
    await this.on((stepper) => stepper.write(name, state))
    this.#keep(state)
  }

  /** Holds other points in place. @throws TypeError, RangeError, and then nothing has changed */
  async fix(given: unknown): Promise<void> {
    const { arrays, dimension, integrator } = this.saved
    const points = fixedPoints(given, arrays.position.length / dimension)
    requireMassOfNoise(integrator, arrays, points)
    await this.change((stepper) => stepper.fix(points))
    this.#fixed = points.length > 0 ? points : undefined
  }

  /** Goes on with another description. @throws TypeError, RangeError, and then nothing has changed */
  async replace(changed: (state: ClockedState) => SimulationState | Promise<SimulationState>): Promise<void> {
    const bound = restored({ ...(await changed(await this.requireFinite(false))), checksum: undefined })
    const { value } = await this.#recovering(async (device) => ({ value: await Stepper.create(device, bound) }))
    this.#drop()
    this.#stepper = value
    this.#bound = bound
    this.#keep(bound.state)
    this.#numbers = numbersOf(bound.state)
    this.#names = new NumberNames(bound.state)
    this.#moved(value)
  }

  /** @throws RangeError for a velocity of a fixed point */
  #requireStill({ numbers, points, width }: Written): void {
    const fixed = new Set(this.saved.fixed)
    if (fixed.size === 0) return
    for (let n = 0; n < numbers.length; n++) {
      const place = Math.floor(n / width)
      const point = points ? (points[place] as number) : place
      if (numbers[n] !== 0 && fixed.has(point))
        throw new RangeError(`"fixed" expected points without velocity, got point ${point}, which moves`)
    }
  }

  #boundTo(state: ClockedState): BoundSimulation {
    return boundWith(this.#bound, state)
  }

  /** Keeps the simulation on its device, even if that device cannot do some later work. @param why for messages */
  stay(why: string): void {
    this.#refusals.stays = why
  }

  /** Says why a sum over forces is not finite. */
  async why({ point, quantity }: Pick<StraySum, 'point' | 'quantity'>): Promise<string | undefined> {
    const state = await this.requireFinite()
    const { whyStray } = await import('../reading/why-stray.ts')
    const { precision } = this.#source.device.info
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

  /** Found by taking the steps since the saved state again. */
  async #findDivergence(): Promise<Divergence> {
    const { value } = await this.#recovering(async (device) => {
      this.#drop()
      let good = this.#bound.state
      const stateAfter = (steps: number) => this.#stateAfter(good, steps, device)
      const start = await stateAfter(0)
      if (!allFinite(start))
        return { value: { finiteSteps: good.steps - 1, why: await whyForces(this.#boundTo(start), device) } }
      for (let bad = this.#steps; bad - good.steps > 1; ) {
        const steps = Math.floor((bad - good.steps) / 2)
        const state = await stateAfter(steps)
        if (allFinite(state)) good = state
        else bad = good.steps + steps
      }
      const next = await stateAfter(1)
      return { value: { finiteSteps: good.steps, why: await whyForces(this.#boundTo(next), device) } }
    })
    return value
  }

  /** The state some steps after another, with the changes on the way. Changes after the last step are not made. */
  async #stateAfter(from: ClockedState, steps: number, device: Device): Promise<ClockedState> {
    const stepper = await Stepper.create(device, this.#boundTo(from))
    const last = from.steps + steps
    try {
      for (const change of this.#changes.filter((one) => one.steps >= from.steps && one.steps < last)) {
        await stepper.run(change.steps - stepper.steps)
        await change.apply(stepper)
      }
      await stepper.run(last - stepper.steps)
      return await stepper.save()
    } finally {
      stepper.dispose()
    }
  }

  /** Works on an up-to-date stepper, made again from the saved state if necessary. */
  async on<T>(work: (stepper: Stepper) => Promise<T>): Promise<T> {
    const { value } = await this.#recovering(async (device) => {
      if (this.#stepper?.device !== device) {
        this.#drop()
        this.#stepper = await Stepper.create(device, this.#bound)
        this.#done = 0
        this.#moved(this.#stepper)
      }
      const stepper = this.#stepper
      try {
        for (; this.#done < this.#changes.length; this.#done++) {
          const { steps, apply } = this.#changes[this.#done] as Change
          await this.#advance(stepper, steps)
          await apply(stepper)
        }
        await this.#advance(stepper, this.#steps)
        return { value: await work(stepper) }
      } catch (error) {
        if (!stepper.intact) this.#drop()
        // The next candidate continues from here.
        else if (isRefusal(error)) await this.save()
        throw error
      }
    })
    return value
  }

  async #recovering<T>(work: (device: Device) => Promise<T>): Promise<T> {
    const { recoveries, notes, ...result } = await this.#source.recovering(({ device }) => {
      if (this.#disposed) throw new Error('Cannot continue: the simulation was disposed; resume a snapshot of it')
      return work(device)
    }, this.#refusals)
    this.#recoveries = [...this.#recoveries, ...recoveries]
    this.#notes = notes
    return result as T
  }

  async #advance(stepper: Stepper, steps: number, signal?: AbortSignal): Promise<void> {
    if (steps <= stepper.steps) return
    await stepper.run(steps - stepper.steps, signal)
    this.#clock = await stepper.clock()
  }

  /** Releases its memory on the device. Calls under way, and later ones, fail. */
  dispose(): void {
    this.#disposed = true
    this.#drop()
  }

  #drop(): void {
    this.#stepper?.dispose()
    this.#stepper = undefined
  }
}

/** When numbers diverged, and why, if the forces tell. */
interface Divergence {
  /** The latest step with finite numbers only; -1 if the numbers at the start were not finite. */
  readonly finiteSteps: number
  readonly why: string | undefined
}

/** Which force of a state has no finite value. */
async function whyForces(bound: BoundSimulation, { info }: Device): Promise<string | undefined> {
  const { state } = bound
  const { arrays, dimension, integrator } = state
  const at = firstNotFinite(
    arrays[integrator.motion === 'first-order' ? 'velocity' : 'acceleration'] ?? arrays.velocity,
  )
  if (at < 0) return undefined
  const { whyStray } = await import('../reading/why-stray.ts')
  const { precision } = info
  return whyStray({
    ...bound,
    time: timeOf(state, state.clock, state.steps),
    point: Math.floor(at / dimension),
    quantity: 'force',
    precision,
  })
}

const allFinite = ({ arrays }: ClockedState) => Object.values(arrays).every((array) => firstNotFinite(array) < 0)

function timeOf({ dt }: Pick<ClockedState, 'dt'>, clock: ClockState, steps: number): number {
  const [now, lost] = (typeof dt === 'number' ? clockAt(clock, steps) : clock).time
  return now + lost
}
