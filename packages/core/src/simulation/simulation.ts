/**
 * A system that moves. Its state stays on the device between reads, and survives the loss of the device.
 *
 * @module
 */

import type { Device } from '../backend.ts'
import {
  type FloatArray,
  finite,
  firstNotFinite,
  type Numbers,
  onlyNamed,
  takenArray,
  whileRunning,
  whole,
} from '../checks.ts'
import { DivergedError } from '../errors.ts'
import { record } from '../names.ts'
import type { Floats, Precision } from '../precision.ts'
import { onePoint } from './arrays.ts'
import type { ForceError } from './forces/tolerances.ts'
import { checkedFrames, type Frame, type FrameOptions } from './reading/frames.ts'
import { type GpuBuffer, GpuBuffers, type Replaced } from './reading/gpu-buffers.ts'
import { angularMomentumOf, kineticOf, momentumOf } from './reading/invariants.ts'
import { totalOf } from './reading/scratch-run.ts'
import {
  type PressureOptions,
  type TemperatureOptions,
  temperatureOf,
  volumeOf,
  withoutDrift,
} from './reading/thermodynamics.ts'
import {
  boundTotals,
  checkedTotals,
  type GroupOptions,
  requireFiniteTotals,
  type TotalOptions,
  type TotalOutputs,
  type TotalRequest,
  type Totals,
} from './reading/totals.ts'
import { rewritten, stored } from './snapshot.ts'
import { forcesIn, type SimulationState } from './state.ts'
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

export interface Energy {
  readonly kinetic: number
  readonly potential: number
  readonly total: number
}

/**
 * The target length of an uninterrupted stretch of steps, in milliseconds. Progress is reported and aborts take effect
 * between stretches.
 */
const stretch = 50

export class Simulation<P extends Precision = 'f32'> implements AsyncDisposable {
  readonly #source: DeviceSource
  /** The latest state on the host. Steps after it are repeated if the device is lost. */
  #saved: SimulationState
  #stepper: Stepper | undefined
  #steps: number
  /** How many steps make a stretch. The device idles between stretches, so later calls continue with what was found. */
  #together = 1
  /** The latest step after which positions were finite. */
  #finiteSteps: number
  #recoveries: string[] = []
  #turn: Promise<unknown> = Promise.resolve()
  #disposed = false
  readonly #gpuBuffers = new GpuBuffers()

  constructor(source: DeviceSource, state: SimulationState) {
    this.#source = source
    this.#saved = state
    this.#steps = state.steps
    this.#finiteSteps = state.steps
  }

  /** Steps taken. */
  get steps(): number {
    return this.#steps
  }

  /** Time reached, `steps * dt`. */
  get time(): number {
    return this.#steps * this.#saved.dt
  }

  /** Devices lost so far, in order; usually empty. */
  get recoveries(): readonly string[] {
    return this.#recoveries
  }

  /**
   * Advances by `count` steps.
   *
   * @throws RangeError unless count is an integer >= 0; `signal.reason` when aborted, and then `steps` says how far it got
   */
  async step(count = 1, options: StepOptions = {}): Promise<void> {
    whole(count, 'count', 0)
    onlyNamed(options, 'option of step', ['signal', 'onProgress'], whileRunning)
    return this.#inTurn(() => this.#walk(count, options))
  }

  /**
   * A copy of the current `position`, `velocity`, `acceleration`, an attribute, or one component, such as `velocity_x`.
   *
   * @throws {@link DivergedError}, like everything that reads, if numbers are no longer finite
   */
  read(name: string): Promise<Floats<P>> {
    return this.#inTurn(async () => (await this.#read(name)) as Floats<P>)
  }

  /**
   * Frames for a film: `for await (const { position } of simulation.frames({ every: 10 }))` takes ten steps before each. They
   * go on until the loop ends or the signal aborts. Between frames the simulation stands still, so that a frame may also `write`.
   *
   * @throws as `step` and `read`
   */
  frames<Name extends string = 'position'>(options: FrameOptions<Name> = {}): AsyncGenerator<Frame<P, Name>, void> {
    return this.#frames(checkedFrames(options, this.#saved))
  }

  async *#frames<Name extends string>({
    every,
    fields,
    ...rest
  }: ReturnType<typeof checkedFrames<Name>>): AsyncGenerator<Frame<P, Name>, void> {
    for (;;) {
      await this.step(every, rest)
      yield await this.#inTurn(async () => {
        const read: Record<string, unknown> = record([])
        for (const name of fields) read[name] = await this.#read(name)
        return { ...read, steps: this.#steps, time: this.time } as Frame<P, Name>
      })
    }
  }

  /**
   * Where an array is on WebGPU: the numbers of its points one after the other, for a compute pass or as vertices. Passes that
   * are submitted after a step has resolved see that step. The buffer is valid until `dispose`, or until `replaced` is called
   * with another: after a device was lost, or a step aborted.
   *
   * @throws TypeError if the simulation does not run on WebGPU
   */
  gpuBuffer(name: string, replaced?: Replaced): Promise<GpuBuffer> {
    return this.#inTurn(() => this.#on(async (stepper) => this.#gpuBuffers.of(stepper, name, replaced)))
  }

  /**
   * Sums over all points, found on the device: `await simulation.total({ mass: 'mass', heat: 'mass*velocity_x^2/2' })`. With `by`
   * and `groups`, one sum for each group of points: by cell, by galaxy, or in bins of a histogram.
   *
   * @throws {@link ExpressionError}, TypeError, RangeError for wrong expressions, or values that are not finite
   */
  total<Name extends string>(
    outputs: TotalOutputs<Name>,
    options: GroupOptions,
  ): Promise<Readonly<Record<Name, Float64Array>>>
  total<Name extends string>(
    outputs: TotalOutputs<Name>,
    options?: TotalOptions,
  ): Promise<Readonly<Record<Name, number>>>
  total(outputs: TotalOutputs, options: Partial<GroupOptions> = {}): Promise<Totals> {
    const request = checkedTotals(outputs, options)
    boundTotals(request, onePoint(this.#saved))
    return this.#inTurn(() => this.#totals(request))
  }

  /** Kinetic, potential and total energy. @throws TypeError if the law has no potential */
  energy(): Promise<Energy> {
    return this.#inTurn(async () => {
      const potential = await this.#on((stepper) => stepper.potential())
      const { kinetic } = await this.#sums((inertia) => ({ kinetic: kineticOf(inertia, this.#saved.dimension) }))
      // Points at infinity have no potential, and a total without them would look right.
      await this.#requireFiniteArray('position')
      return { kinetic, potential, total: kinetic + potential }
    })
  }

  /**
   * How exact the forces with a tolerance are now, measured on 64 points each. The simulation measures them itself after every 64
   * steps, and takes a more exact setting when a tolerance is exceeded. Empty if all forces are exact.
   */
  forceErrors(): Promise<readonly ForceError[]> {
    return this.#inTurn(() => this.#on((stepper) => stepper.errors()))
  }

  /** Total momentum, one number per axis. */
  momentum(): Promise<Float64Array> {
    return this.#inTurn(async () => {
      const sums = await this.#sums((inertia) => momentumOf(inertia, this.#saved.dimension))
      return Float64Array.from(Object.values(sums))
    })
  }

  /** Total angular momentum about the origin: three numbers in 3-D, one in 2-D. */
  angularMomentum(): Promise<Float64Array> {
    return this.#inTurn(async () => {
      const sums = await this.#sums((inertia) => angularMomentumOf(inertia, this.#saved.dimension))
      return Float64Array.from(Object.values(sums))
    })
  }

  /** `2 K / (degrees boltzmann)` from the kinetic energy K. A drift of all points counts: see `removeDrift`. */
  temperature(options: TemperatureOptions = {}): Promise<number> {
    return this.#inTurn(() => this.#temperature(options))
  }

  async #temperature(options: TemperatureOptions): Promise<number> {
    const { arrays, dimension, fixed = [] } = this.#saved
    const { kinetic } = await this.#sums((inertia) => ({ kinetic: kineticOf(inertia, dimension) }))
    return temperatureOf(kinetic, arrays.velocity.length - fixed.length * dimension, options)
  }

  /**
   * `(2 K + W) / (dimension volume)`, with the virial W of the forces between points. External forces do not count.
   *
   * @throws TypeError without a periodic box or a volume
   */
  pressure(options: PressureOptions = {}): Promise<number> {
    return this.#inTurn(async () => {
      const volume = volumeOf(forcesIn(this.#saved), options)
      const { dimension } = this.#saved
      const { kinetic } = await this.#sums((inertia) => ({ kinetic: kineticOf(inertia, dimension) }))
      const virial = await this.#on((stepper) => stepper.virial())
      return (2 * kinetic + virial) / (dimension * volume)
    })
  }

  /**
   * Replaces `position`, `velocity` or an attribute by other numbers, and computes the forces again.
   *
   * @throws TypeError, RangeError as `engine.simulate`, and then nothing has changed
   */
  async write(name: string, numbers: Numbers): Promise<void> {
    const copy = takenArray(numbers, String(name))
    return this.#inTurn(() => this.#write(name, copy))
  }

  /**
   * Multiplies all velocities, so that the temperature is the one given: a thermostat without noise, if it is called every few steps.
   *
   * @throws RangeError if nothing moves
   */
  async rescale(temperature: number, options: TemperatureOptions = {}): Promise<void> {
    finite(temperature, 'temperature', 0)
    return this.#inTurn(async () => {
      const now = await this.#temperature(options)
      if (now === 0) throw new RangeError('Cannot rescale velocities: no point moves; give the particles a velocity')
      const factor = Math.sqrt(temperature / now)
      await this.#write(
        'velocity',
        (await this.#read('velocity')).map((v) => factor * v),
      )
    })
  }

  /** Takes the velocity of the centre of mass from all points that are not fixed: their momentum is then 0. */
  removeDrift(): Promise<void> {
    return this.#inTurn(async () =>
      this.#write('velocity', withoutDrift(await this.#motion(), this.#saved.fixed ?? [])),
    )
  }

  /**
   * The whole state as plain data. `engine.resume` continues from it bit for bit. After a device loss, the simulation continues
   * from the latest snapshot.
   */
  snapshot(): Promise<SimulationState> {
    return this.#inTurn(async () => {
      this.#saved = await this.#current()
      return stored(this.#saved)
    })
  }

  /** Releases its memory on the device. Calls under way, and later ones, fail. */
  dispose(): void {
    this.#disposed = true
    this.#drop()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.dispose()
  }

  #drop(): void {
    this.#stepper?.dispose()
    this.#stepper = undefined
  }

  /** Runs calls one after the other, in order, so that nothing is read in the middle of a step. */
  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#turn.then(work)
    this.#turn = result.catch(() => {})
    return result
  }

  async #walk(count: number, { signal, onProgress }: StepOptions): Promise<void> {
    const goal = this.#steps + count
    const began = performance.now()
    while (this.#steps < goal) {
      signal?.throwIfAborted()
      const next = Math.min(this.#steps + this.#together, goal)
      const start = performance.now()
      await this.#on((stepper) => this.#advance(stepper, next, signal))
      this.#steps = next
      const spent = performance.now() - start
      if (spent > 4 * stretch) this.#together = Math.ceil(this.#together / 2)
      else if (spent < stretch && next < goal) this.#together *= 2
      const done = 1 - (goal - next) / count
      onProgress?.(done, ((performance.now() - began) / 1000) * (1 / done - 1))
    }
  }

  /** The current state, which is finite. */
  async #current(): Promise<SimulationState> {
    const state = await this.#on((stepper) => stepper.save())
    for (const [name, array] of Object.entries(state.arrays)) this.#requireFinite(name, array)
    return state
  }

  async #write(name: string, numbers: FloatArray): Promise<void> {
    const state = rewritten(await this.#current(), name, numbers)
    await this.#on((stepper) => stepper.write(name, state))
    this.#saved = state
  }

  async #read(name: string): Promise<FloatArray> {
    const array = await this.#on((stepper) => stepper.read(name))
    this.#requireFinite(name, array)
    return array
  }

  /** A state that is not finite cannot be continued, here or on another device. */
  #requireFinite(name: string, array: FloatArray): void {
    const index = firstNotFinite(array)
    if (index >= 0)
      throw new DivergedError(`"${name}" is ${array[index]} at index ${index}`, this.#steps, this.#finiteSteps)
    if (name === 'position') this.#finiteSteps = this.#steps
  }

  async #motion(): Promise<{ velocity: FloatArray; mass: FloatArray; dimension: number }> {
    const velocity = await this.#read('velocity')
    return { velocity, mass: await this.#read(this.#inertia()), dimension: this.#saved.dimension }
  }

  #inertia(): string {
    const { inertia } = forcesIn(this.#saved)
    if (inertia === undefined)
      throw new TypeError(
        "Cannot find a momentum or a kinetic energy: no force has an inertia; define one with { inertia: 'mass' }",
      )
    return inertia
  }

  async #sums<Name extends string>(outputs: (inertia: string) => TotalOutputs<Name>): Promise<Record<Name, number>> {
    return (await this.#totals(checkedTotals(outputs(this.#inertia()), {}))) as Record<Name, number>
  }

  async #totals(request: TotalRequest): Promise<Totals> {
    const totals = await this.#on((stepper) => stepper.totals(request))
    try {
      requireFiniteTotals(totals)
    } catch (error) {
      // Say which numbers of the state are not finite, if any are the reason.
      await this.#current()
      throw error
    }
    return totals
  }

  /** Finds numbers that are not finite by their sum, and reads them only then. */
  async #requireFiniteArray(name: string): Promise<void> {
    const total = await this.#on((stepper) => totalOf(stepper.buffer(name)))
    if (!Number.isFinite(total)) await this.#read(name)
  }

  /** Works on an up-to-date stepper, made again from the saved state if necessary. */
  async #on<T>(work: (stepper: Stepper) => Promise<T>): Promise<T> {
    const { value, recoveries } = await this.#source.recovering(async (device) => {
      if (this.#disposed) throw new Error('Cannot continue: the simulation was disposed; resume a snapshot of it')
      if (this.#stepper?.device !== device) {
        this.#drop()
        this.#stepper = await Stepper.create(device, this.#saved)
        this.#gpuBuffers.moved(this.#stepper)
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
}
