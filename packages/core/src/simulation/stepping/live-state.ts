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
import type { ForceParts } from '../forces/force.ts'
import { totalOf } from '../reading/scratch-run.ts'
import type { StraySum } from '../reading/stray-sum.ts'
import { rewritten } from '../snapshot.ts'
import type { BoundSimulation, ClockedState } from '../state.ts'
import { type ClockState, clockAt } from './clock.ts'
import { Stepper } from './stepper.ts'

/** The part of an engine that a simulation uses: a device, and another if that one is lost or cannot run it. */
export interface DeviceSource {
  readonly device: Device
  recovering<T>(
    work: (programs: { readonly device: Device }) => Promise<T>,
    refusals: Refusals,
  ): Promise<T & { readonly recoveries: readonly string[]; readonly notes: readonly string[] }>
}

export interface StepOptions {
  readonly signal?: AbortSignal
  /** Called with the fraction of the steps done, 0 to 1, and about how many seconds the others will take. */
  readonly onProgress?: (fraction: number, secondsLeft: number) => void
}

/**
 * The target length of an uninterrupted stretch of steps, in milliseconds. Progress is reported and aborts take effect
 * between stretches.
 */
const stretch = 100

/** The state is saved after so many milliseconds of steps. At most these steps are repeated if a device is lost or numbers diverge. */
const savedEvery = 10_000

export class LiveState {
  readonly #source: DeviceSource
  /** Called with each new stepper. */
  readonly #moved: (stepper: Stepper) => void
  /** With the latest state on the host. Steps after it are repeated if the device is lost. */
  #bound: BoundSimulation
  #stepper: Stepper | undefined
  #steps: number
  /** How many steps make a stretch. It is kept across calls, because the device idles between stretches. */
  #together = 1
  /** Milliseconds of steps since the state was saved. */
  #unsaved = 0
  #clock: ClockState
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
  }

  /** The latest state on the host. Its description is up to date, but its numbers may not be. */
  get saved(): ClockedState {
    return this.#bound.state
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

  /** Takes steps. @throws `signal.reason` when aborted, and then `steps` says how far it got */
  async walk(count: number, { signal, onProgress }: StepOptions): Promise<void> {
    const goal = this.#steps + count
    const began = performance.now()
    while (this.#steps < goal) {
      signal?.throwIfAborted()
      const next = Math.min(this.#steps + this.#together, goal)
      const start = performance.now()
      await this.on((stepper) => this.#advance(stepper, next, signal))
      this.#steps = next
      const spent = performance.now() - start
      if (spent > 4 * stretch) this.#together = Math.ceil(this.#together / 2)
      else if (spent < stretch && next < goal) this.#together *= 2
      this.#unsaved += spent
      if (this.#unsaved > savedEvery) await this.save()
      const done = 1 - (goal - next) / count
      onProgress?.(done, ((performance.now() - began) / 1000) * (1 / done - 1))
    }
  }

  /** The current state, which is finite. From now on it is the saved one. */
  async save(): Promise<ClockedState> {
    this.#bound = this.#with(await this.requireFinite())
    this.#unsaved = 0
    return this.saved
  }

  /** The current state. @throws {@link DivergedError} unless it is finite */
  async requireFinite(): Promise<ClockedState> {
    const state = await this.on((stepper) => stepper.save())
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

  async write(name: string, numbers: FloatArray): Promise<void> {
    const state = rewritten(await this.requireFinite(), name, numbers)
    await this.on((stepper) => stepper.write(name, state))
    this.#bound = this.#with(state)
  }

  #with(state: ClockedState): BoundSimulation {
    return { ...this.#bound, state }
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
    return whyStray({ ...this.#with(state), time: this.time, point, quantity, precision })
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
      let good = this.saved
      const start = await stateAfter(0, this.#with(good), device)
      if (!allFinite(start))
        return { value: { finiteSteps: good.steps - 1, why: await whyForces(this.#with(start), device) } }
      for (let bad = this.#steps; bad - good.steps > 1; ) {
        const steps = Math.floor((bad - good.steps) / 2)
        const state = await stateAfter(steps, this.#with(good), device)
        if (allFinite(state)) good = state
        else bad = good.steps + steps
      }
      const next = await stateAfter(1, this.#with(good), device)
      return { value: { finiteSteps: good.steps, why: await whyForces(this.#with(next), device) } }
    })
    return value
  }

  /** Works on an up-to-date stepper, made again from the saved state if necessary. */
  async on<T>(work: (stepper: Stepper) => Promise<T>): Promise<T> {
    const { value } = await this.#recovering(async (device) => {
      if (this.#stepper?.device !== device) {
        this.#drop()
        this.#stepper = await Stepper.create(device, this.#bound)
        this.#moved(this.#stepper)
      }
      const stepper = this.#stepper
      try {
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

async function stateAfter(steps: number, bound: BoundSimulation, device: Device): Promise<ClockedState> {
  const stepper = await Stepper.create(device, bound)
  try {
    if (steps > 0) await stepper.run(steps)
    return await stepper.save()
  } finally {
    stepper.dispose()
  }
}
