/**
 * The state of a simulation as it moves: it takes steps on whatever device there is, survives the loss of one, and lets nobody
 * read numbers that are not finite. Its caller lets one call at a time in.
 *
 * @module
 */
import type { Device } from '../../backend.ts'
import { type FloatArray, firstNotFinite } from '../../checks.ts'
import { DivergedError } from '../../errors.ts'
import { totalOf } from '../reading/scratch-run.ts'
import { rewritten } from '../snapshot.ts'
import type { SimulationState } from '../state.ts'
import { Stepper } from './stepper.ts'

/** What a simulation needs from an engine: a device, and another if that one is lost. */
export interface DeviceSource {
  recovering<T>(work: (device: Device) => Promise<T>): Promise<T & { readonly recoveries: readonly string[] }>
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
const stretch = 50

export class LiveState {
  readonly #source: DeviceSource
  /** Called with each new stepper. */
  readonly #moved: (stepper: Stepper) => void
  /** The latest state on the host. Steps after it are repeated if the device is lost. */
  #saved: SimulationState
  #stepper: Stepper | undefined
  #steps: number
  /** How many steps make a stretch. The device idles between stretches, so later calls continue with what was found. */
  #together = 1
  /** The latest step after which positions were finite. */
  #finiteSteps: number
  #recoveries: string[] = []
  #disposed = false

  constructor(source: DeviceSource, state: SimulationState, moved: (stepper: Stepper) => void) {
    this.#source = source
    this.#moved = moved
    this.#saved = state
    this.#steps = state.steps
    this.#finiteSteps = state.steps
  }

  /** The latest state on the host: its description is the current one, its numbers need not be. */
  get saved(): SimulationState {
    return this.#saved
  }

  get steps(): number {
    return this.#steps
  }

  get time(): number {
    return this.#steps * this.#saved.dt
  }

  get recoveries(): readonly string[] {
    return this.#recoveries
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
      const done = 1 - (goal - next) / count
      onProgress?.(done, ((performance.now() - began) / 1000) * (1 / done - 1))
    }
  }

  /** The current state, which is finite. From now on it is the saved one. */
  async save(): Promise<SimulationState> {
    this.#saved = await this.requireFinite()
    return this.#saved
  }

  /** The current state. @throws {@link DivergedError} unless it is finite */
  async requireFinite(): Promise<SimulationState> {
    const state = await this.on((stepper) => stepper.save())
    for (const [name, array] of Object.entries(state.arrays)) this.#check(name, array)
    return state
  }

  /** Finds numbers that are not finite by their sum, and reads them only then. */
  async requireFiniteArray(name: string): Promise<void> {
    const total = await this.on((stepper) => totalOf(stepper.buffer(name)))
    if (!Number.isFinite(total)) await this.read(name)
  }

  async read(name: string): Promise<FloatArray> {
    const array = await this.on((stepper) => stepper.read(name))
    this.#check(name, array)
    return array
  }

  async write(name: string, numbers: FloatArray): Promise<void> {
    const state = rewritten(await this.requireFinite(), name, numbers)
    await this.on((stepper) => stepper.write(name, state))
    this.#saved = state
  }

  /** A state that is not finite cannot be continued, here or on another device. */
  #check(name: string, array: FloatArray): void {
    const index = firstNotFinite(array)
    if (index >= 0)
      throw new DivergedError(`"${name}" is ${array[index]} at index ${index}`, this.#steps, this.#finiteSteps)
    if (name === 'position') this.#finiteSteps = this.#steps
  }

  /** Works on an up-to-date stepper, made again from the saved state if necessary. */
  async on<T>(work: (stepper: Stepper) => Promise<T>): Promise<T> {
    const { value, recoveries } = await this.#source.recovering(async (device) => {
      if (this.#disposed) throw new Error('Cannot continue: the simulation was disposed; resume a snapshot of it')
      if (this.#stepper?.device !== device) {
        this.#drop()
        this.#stepper = await Stepper.create(device, this.#saved)
        this.#moved(this.#stepper)
      }
      const stepper = this.#stepper
      try {
        await this.#advance(stepper, this.#steps)
        return { value: await work(stepper) }
      } catch (error) {
        if (!stepper.intact) this.#drop()
        throw error
      }
    })
    this.#recoveries = [...this.#recoveries, ...recoveries]
    return value
  }

  async #advance(stepper: Stepper, steps: number, signal?: AbortSignal): Promise<void> {
    if (steps > stepper.steps) await stepper.run(steps - stepper.steps, signal)
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
