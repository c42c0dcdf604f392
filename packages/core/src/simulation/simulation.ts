/**
 * A system that moves, as users see it. Its state stays on the device between reads, and survives the loss of the device.
 *
 * @module
 */

import { finite, onlyNamed, takenArray, unexpected, whileRunning, whole } from '../ground/checks.ts'
import { deepCopy } from '../ground/deep-copy.ts'
import type { Floats, Precision } from '../ground/precision.ts'
import type { TableInput } from '../ground/table.ts'
import { withBuffersRead } from '../problem/loaded-at-once.ts'
import type { Boundary } from '../problem/workloads/domain.ts'
import type { ArrayInput } from '../problem/workloads/numbers/gpu-buffers.ts'
import { isArray, pointNames } from './arrays.ts'
import type { BarostatWatch } from './barostat/barostat-watch.ts'
import { CallOrder } from './call-order.ts'
import type { EventListener, EventWatch } from './events/event-watch.ts'
import { listNamed, type OtherLinks, withLinks } from './forces/other-links.ts'
import type { ForceError } from './forces/tolerances.ts'
import type { Integrator } from './integrators.ts'
import type { MinimizeOptions, Minimum } from './minimize/minimize.ts'
import type { NumberChanges } from './numbers/changes.ts'
import { framesOf } from './reading/film.ts'
import { checkedFrames, type Frame, type FrameOptions } from './reading/frames.ts'
import { type GpuBuffer, GpuBuffers, type Replaced } from './reading/gpu-buffers.ts'
import { type Energy, Measures } from './reading/measures.ts'
import type { PressureOptions, TemperatureOptions } from './reading/thermodynamics.ts'
import {
  checkedTotals,
  type GroupOptions,
  requireTotals,
  type TotalOptions,
  type TotalOutputs,
  type Totals,
} from './reading/total-request.ts'
import { stored } from './snapshot.ts'
import type { BoundSimulation, SimulationOptions, SimulationState } from './state.ts'
import { LiveChanges } from './stepping/live-changes.ts'
import { LiveState } from './stepping/live-state.ts'
import type { DeviceSource } from './stepping/recovery.ts'
import { type StepOptions, Walks } from './stepping/walks.ts'
import { worksBetween } from './stepping/works-between.ts'
import { pointsOf, requireNoOptions, type WriteOptions, writtenTo } from './stepping/written.ts'

/** Numbers of points, a parameter or an expression of the time for it, a table, the indices of points, or lists of them. */
export type Writable = ArrayInput | number | string | TableInput | Iterable<number> | Iterable<readonly number[]>

const stepOptions = ['signal', 'onProgress', 'parameters'] as const
const noOptions: StepOptions = {}

/** Makes the watch for events, and that of a barostat. */
interface WorkBetween {
  readonly watching?: (...parts: ConstructorParameters<typeof EventWatch>) => EventWatch
  readonly pressing?: (...parts: ConstructorParameters<typeof BarostatWatch>) => BarostatWatch
}

export class Simulation<P extends Precision = 'f32'> implements AsyncDisposable {
  readonly #live: LiveState
  readonly #changes: LiveChanges
  readonly #measures: Measures
  readonly #walks: Walks
  readonly #watch: EventWatch | undefined
  readonly #order = new CallOrder()
  readonly #gpuBuffers = new GpuBuffers()
  readonly #source: DeviceSource

  /** @param works make the work between steps, if there is any */
  constructor(source: DeviceSource, bound: BoundSimulation, { watching, pressing }: WorkBetween = {}) {
    this.#source = source
    this.#live = new LiveState(source, bound, (stepper) => this.#gpuBuffers.moved(stepper))
    this.#changes = new LiveChanges(this.#live)
    this.#measures = new Measures(this.#live, this.#changes)
    this.#walks = new Walks(this.#live)
    this.#watch = watching?.(this.#live, this.#changes, this.#order)
    // Events see the box as the barostat leaves it.
    const works = [pressing?.(this.#live, this.#measures), this.#watch].filter((work) => work !== undefined)
    this.#walks.watch = works.length > 1 ? worksBetween(works, () => this.steps) : works[0]
  }

  /** Steps taken. */
  get steps(): number {
    return this.#live.steps
  }

  /** Time reached: the time of the start plus the lengths of all steps since. */
  get time(): number {
    return this.#live.time
  }

  /** The length of a step. Where steps adapt, the length of the latest step; 0 before the first. */
  get dt(): number {
    return this.#live.dt
  }

  /** The boundary of the forces between points: their periodic box as it is now, or open space. A barostat changes it. */
  get boundary(): Boundary {
    return this.#live.boundary
  }

  /** The method of the steps: the one given, or the one chosen by the forces. */
  get integrator(): Integrator {
    return this.#live.integrator
  }

  /** Devices lost so far, in order; usually empty. */
  get recoveries(): readonly string[] {
    return this.#live.devices.recoveries
  }

  /** Sentences for a person: why it runs on another device than the engine's. Known after the first call that waits. */
  get notes(): readonly string[] {
    return this.#live.devices.notes
  }

  /**
   * Advances by `count` steps.
   *
   * @throws RangeError unless count is an integer >= 0; `signal.reason` when aborted, and then `steps` says how far it got
   */
  async step(count = 1, options: StepOptions = noOptions): Promise<void> {
    whole(count, 'count', 0)
    if (options !== noOptions) onlyNamed(options, 'option of step', stepOptions, whileRunning)
    return this.#order.atOnce(() => this.#walks.walk(count, options))
  }

  /**
   * Advances to a time: by whole steps, and a last one for the rest. Adaptive steps go there, too.
   *
   * @throws RangeError for a time that was before; `signal.reason` when aborted
   */
  async stepUntil(time: number, options: StepOptions = {}): Promise<void> {
    finite(time, 'time')
    onlyNamed(options, 'option of stepUntil', stepOptions, whileRunning)
    return this.#order.inTurn(async () => this.#walks.walkUntil(time, options))
  }

  /**
   * Calls a function after each event, once its points have changed. It gets the pairs or points, and may be asynchronous: the steps wait
   * for it. It may read and change the simulation, but not take steps; an error that it throws rejects the call that takes them.
   * Events without `resolve` are looked for only if there is such a function. Nothing stops it.
   *
   * @throws TypeError if the simulation has no events
   */
  onEvent(listener: EventListener | undefined): void {
    if (listener !== undefined && typeof listener !== 'function') throw unexpected('listener', 'a function', listener)
    if (!this.#watch)
      throw new TypeError('"onEvent" expected a simulation with events; give simulate a list of them: events: [...]')
    this.#watch.listener = listener
  }

  /**
   * A copy of the current `position`, `velocity`, `acceleration`, an attribute, or one component, such as `velocity_x`.
   *
   * @throws {@link DivergedError}, like everything that reads, if numbers are no longer finite
   */
  read(name: string): Promise<Floats<P>> {
    return this.#order.inTurn(async () => (await this.#live.read(name)) as Floats<P>)
  }

  /**
   * Frames for a film: `for await (const { position } of simulation.frames({ every: 10 }))` takes ten steps before each. They
   * go on until the loop ends or the signal aborts. Between frames the simulation stands still, so that a frame may also `write`,
   * unless `ahead` lets the device go on meanwhile.
   *
   * @throws as `step` and `read`
   */
  frames<Name extends string = 'position'>(options: FrameOptions<Name> = {}): AsyncGenerator<Frame<P, Name>, void> {
    const checked = checkedFrames(options, this.#live.described, this.dt < 0)
    return framesOf(checked, {
      ...{ live: this.#live, walks: this.#walks, atOnce: (work) => this.#order.atOnce(work) },
      until: (time, rest) => this.stepUntil(time, rest),
    })
  }

  /**
   * Where an array is on WebGPU: the numbers of its points one after the other, for a compute pass or as vertices. Passes that
   * are submitted after a step has resolved see that step. The buffer is valid until `dispose`, or until `replaced` is called
   * with another: after a device was lost, or a step aborted.
   *
   * @throws TypeError if the simulation does not run on WebGPU
   */
  gpuBuffer(name: string, replaced?: Replaced): Promise<GpuBuffer> {
    return this.#order.inTurn(async () => {
      const buffer = await this.#live.on(async (stepper) => {
        const given = this.#gpuBuffers.of(stepper, name)
        if (stepper.showsForces) await stepper.current()
        return given
      })
      if (replaced) this.#gpuBuffers.listen(name, replaced)
      this.#live.devices.stay('the simulation stays there, because its GPU buffers are in use')
      return buffer
    })
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
    requireTotals(request, pointNames(this.#live.described))
    return this.#order.inTurn(() => this.#measures.totals(request))
  }

  /** Kinetic, potential and total energy. @throws TypeError if the law has no potential */
  energy(): Promise<Energy> {
    return this.#order.inTurn(() => this.#measures.energy())
  }

  /**
   * How exact the forces with a tolerance are now, measured on 64 points each. The simulation measures them itself after every 64
   * steps, and takes a more exact setting when a tolerance is exceeded. Empty if all forces are exact.
   */
  forceErrors(): Promise<readonly ForceError[]> {
    return this.#order.inTurn(() => this.#measures.forceErrors())
  }

  /** Total momentum, one number per axis. */
  momentum(): Promise<Float64Array> {
    return this.#order.inTurn(() => this.#measures.momentum())
  }

  /** Total angular momentum about the origin: three numbers in 3-D, one in 2-D, none in 1-D. */
  angularMomentum(): Promise<Float64Array> {
    return this.#order.inTurn(() => this.#measures.angularMomentum())
  }

  /** `2 K / (degrees boltzmann)` from the kinetic energy K. A drift of all points counts: see `removeDrift`. */
  temperature(options: TemperatureOptions = {}): Promise<number> {
    return this.#order.inTurn(() => this.#measures.temperature(options))
  }

  /**
   * `(2 K + W) / (dimension volume)`, with the virial W of the forces between points. External forces do not count.
   *
   * @throws TypeError without a periodic box or a volume
   */
  pressure(options: PressureOptions = {}): Promise<number> {
    return this.#order.inTurn(() => this.#measures.pressure(options))
  }

  /**
   * Changes parameters, cutoffs and tables of forces, the temperature of a thermostat, the pressure of a barostat, and the length of a
   * step, for all further steps. Programs read these numbers, so that most changes compile nothing. Some compile a loop: in bonds, angles,
   * dihedrals and external forces, a number that becomes 0 or was 0, an exponent, and a factor of `time`. A cutoff makes all programs again
   * if it needs other images of a small box, if it becomes equal to that of another force or no longer is, or if its force has a `method`.
   *
   * @throws TypeError, RangeError for unknown names and wrong numbers, and then nothing has changed
   */
  async set(changes: NumberChanges): Promise<void> {
    const copy = deepCopy(changes)
    if (Object(copy).dt !== undefined) this.#watch?.requireFree('set({ dt })')
    return this.#order.inTurn(() => this.#live.set(copy))
  }

  /**
   * Replaces `position`, `velocity` or an attribute by other numbers, of all points or of some. The forces are computed again before they
   * are needed. Or changes one parameter or one table, as `set` does: `write('G', 2)`. Or holds other points in place, `write('fixed', [3])`,
   * which stop where they are; or replaces the `bonds`, `angles`, `dihedrals` or `exclusions` of a force.
   *
   * @throws TypeError, RangeError as `engine.simulate`, and then nothing has changed
   */
  async write(name: string, numbers: Writable, options: WriteOptions = {}): Promise<void> {
    if (typeof name !== 'string') throw unexpected('name', 'that of an array', name)
    const { described, names } = this.#live
    const given = typeof numbers === 'number' || typeof numbers === 'string'
    if (!isArray(described, name) || (given && typeof described.computed?.[name] === 'string')) {
      const whole = given || name === 'fixed' || names.isVector(name) || names.isTable(name)
      if (whole) requireNoOptions(options, name)
      if (given && !(typeof numbers === 'string' && (name === 'fixed' || listNamed(name))))
        return this.set({ parameters: { [name]: numbers } })
      if (name === 'fixed') {
        const points = deepCopy(numbers)
        return this.#order.inTurn(() => this.#changes.fix(points))
      }
      if (listNamed(name)) return this.#writeLinks(name, numbers, options)
      if (names.isVector(name)) return this.set({ parameters: { [name]: numbers as ArrayLike<number> } })
      if (names.isTable(name)) return this.set({ tables: { [name]: numbers as TableInput } })
      if (names.parameters.includes(name)) throw unexpected(name, 'a number, as it is a parameter', numbers)
    }
    const points = pointsOf(options)
    const read = withBuffersRead(numbers as ArrayInput, this.#source.device, name)
    if (!(read instanceof Promise)) {
      const copy = takenArray(read, name)
      return this.#order.inTurn(async () => this.#changes.write(writtenTo(this.#live.described, name, copy, points)))
    }
    // It takes its turn now, before calls that come while the buffer is read.
    const outcome = read.then(
      (numbers) => () => takenArray(numbers, name),
      (error) => () => Promise.reject(error),
    )
    return this.#order.inTurn(async () =>
      this.#changes.write(writtenTo(this.#live.described, name, await (await outcome)(), points)),
    )
  }

  /**
   * Adds points behind the others, with `position`, the attributes of the others, and `velocity`, by default 0. In a simulation with a
   * `capacity` they take their places on the device; otherwise, the programs are made again for their number.
   *
   * @returns the index of the first of them
   * @throws TypeError, RangeError as `engine.simulate`, and then nothing has changed
   */
  async add(points: SimulationOptions['particles']): Promise<number> {
    const own = this.#order.free ? points : deepCopy(points)
    return this.#order.atOnce(() => this.#changes.add(own))
  }

  /**
   * Removes points: those with these indices, or those that meet a condition, such as `position_x > 10`. The others move up. Bonds, angles and
   * dihedrals of removed points are refused; exclusions of theirs end.
   *
   * @returns the index that each point has now, by the one that it had; -1 for those that are gone
   * @throws TypeError, RangeError, {@link ExpressionError}, and then nothing has changed
   */
  async remove(points: Iterable<number> | string): Promise<Int32Array> {
    const own = this.#order.free ? points : deepCopy(points)
    return this.#order.atOnce(() => this.#changes.remove(own))
  }

  #writeLinks(name: string, list: unknown, options: WriteOptions): Promise<void> {
    onlyNamed(options, 'option of write', ['attributes'])
    const links = deepCopy({ list, ...options }) as OtherLinks
    return this.#order.inTurn(() => this.#live.replace((state) => withLinks(state, name, links)))
  }

  /**
   * Multiplies all velocities, so that the temperature is the one given: a thermostat without noise, if it is called every few steps.
   *
   * @throws RangeError if nothing moves
   */
  async rescale(temperature: number, options: TemperatureOptions = {}): Promise<void> {
    finite(temperature, 'temperature', 0)
    return this.#order.inTurn(() => this.#measures.rescale(temperature, options))
  }

  /**
   * Moves the points to a minimum of their potential energy (FIRE), and tells how far it got: `{ steps, force, converged }`. Fixed points,
   * velocities and the time stay.
   *
   * @throws TypeError for forces that read velocities; RangeError for forces that are not finite; `signal.reason` when aborted; and then
   * nothing has changed
   */
  async minimize(options: MinimizeOptions): Promise<Minimum> {
    const given = { ...options }
    return this.#order.inTurn(async () => {
      const { minimize } = await import('./minimize/minimize.ts')
      return minimize(this.#live, this.#changes, given)
    })
  }

  /** Takes the velocity of the centre of mass from all points that are not fixed: their momentum is then 0. */
  removeDrift(): Promise<void> {
    return this.#order.inTurn(() => this.#measures.removeDrift())
  }

  /**
   * The whole state as plain data. `engine.resume` continues from it bit for bit. After a device loss, the simulation continues
   * from the latest snapshot, or from the state that it saves after every 10 seconds of steps.
   */
  snapshot(): Promise<SimulationState> {
    return this.#order.inTurn(async () => stored(await this.#live.save()))
  }

  /** Releases its memory on the device. Calls under way, and later ones, fail. */
  dispose(): void {
    this.#live.dispose()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.dispose()
  }
}
