/**
 * A simulation on one device: its arrays, the sequence of one step, and the evaluation of its forces. If the device is lost, the
 * simulation makes another from host data.
 *
 * @module
 */
import type { Device, DeviceBuffer } from '../../contract/backend.ts'
import type { FloatArray } from '../../ground/checks.ts'
import type { Precision } from '../../ground/precision.ts'
import { moving, type PointArrays } from '../arrays.ts'
import type { SimulationEvent } from '../events/events.ts'
import type { Looks } from '../events/looks.ts'
import type { ForceError, Tolerances } from '../forces/tolerances.ts'
import type { HostSteps } from '../gauss-radau/host-steps.ts'
import { radauIn } from '../gauss-radau/ias15.ts'
import { withNumbers } from '../numbers/description.ts'
import { changedForces, type SimulationNumbers, sameNumbers } from '../numbers/numbers.ts'
import { DeviceTotals } from '../reading/device-totals.ts'
import type { TotalRequest, Totals } from '../reading/total-request.ts'
import type { BoundSimulation, ClockedState } from '../state.ts'
import type { ClockState } from './clocks/clock-state.ts'
import { landAt, limitSteps, readClock } from './clocks/device-clock.ts'
import { Energies } from './energies.ts'
import { conditionReadsForces, givenByForces, targetOf, writtenBy } from './outcomes.ts'
import { type Due, PointChanges } from './point-changes.ts'
import { Reads } from './reads.ts'
import type { SharedPrograms } from './recovery.ts'
import { Stages } from './stages.ts'
import { StepArrays } from './step-arrays.ts'
import { type ClockOf, StepPlan } from './step-plan.ts'
import { StepRounds } from './step-rounds.ts'
import { StepSequences } from './step-sequences.ts'

export class Stepper {
  readonly device: Device
  readonly precision: Precision
  /** The latest state on the host. */
  state: ClockedState
  /** The number of steps that the arrays on the device have taken. */
  steps: number
  /** Whether the arrays are the state after that number of steps. False if a run was interrupted. */
  intact = true
  /** The numbers that it will have once it computes. */
  wanted: SimulationNumbers
  readonly due: Due = { forces: false, reach: false, sequenced: undefined, plans: false }
  /** Whether somebody reads the forces of now where the device has them. */
  showsForces = false
  /** Changes its points. */
  readonly points: PointChanges
  readonly energies: Energies
  readonly reads: Reads

  readonly #plan: StepPlan
  readonly #arrays: StepArrays
  readonly #stages: Stages
  #totals: DeviceTotals
  #looks: Looks | undefined
  readonly #sequences: StepSequences
  readonly #rounds: StepRounds
  /** Takes the steps, if the device does not. */
  host: HostSteps | undefined

  private constructor(programs: SharedPrograms, bound: BoundSimulation, clockOf?: ClockOf) {
    const { state } = bound
    const { device } = programs
    this.device = device
    this.state = state
    this.steps = state.steps
    this.precision = device.info.precision
    this.#plan = new StepPlan(device, bound, clockOf)
    this.#arrays = new StepArrays(device, bound, this.#plan.clock)
    this.#stages = new Stages(programs, this.#arrays)
    this.#totals = new DeviceTotals(this.#stages)
    this.#sequences = new StepSequences(this.#stages, this.#plan)
    this.wanted = this.#arrays.numbers
    const parts = { arrays: this.#arrays, sequences: this.#sequences, plan: this.#plan }
    this.points = new PointChanges(this, parts)
    this.energies = new Energies(this, parts)
    this.reads = new Reads(this, parts)
    this.#rounds = new StepRounds(this, { ...parts, stages: this.#stages })
  }

  /** @param clockOf makes another clock than that of the state */
  static async create(programs: SharedPrograms, bound: BoundSimulation, clockOf?: ClockOf): Promise<Stepper> {
    const stepper = new Stepper(programs, bound, clockOf)
    try {
      await stepper.#arrays.allocate()
      await stepper.#prepare()
    } catch (error) {
      stepper.dispose()
      throw error
    }
    return stepper
  }

  get #tolerances(): Tolerances | undefined {
    return this.#stages.tolerances
  }

  async #prepare(): Promise<void> {
    const { settings, arrays } = this.state
    if (this.#arrays.parts.pairs.some(({ method }) => method)) await this.#stages.approximate()
    if (settings) this.#tolerances?.startFrom(settings)
    if (!settings || this.#tolerances?.lacksMesh)
      await this.#tolerances?.measure(await this.#arrays.ofPairs(), this.steps)
    await this.#sequences.prepare(this.state)
    this.due.sequenced = this.#arrays.count
    if (targetOf(this.state) === 'velocity' || arrays.acceleration === undefined) {
      await this.#sequences.hold('position')
      await this.#evaluate()
    }
    const radau = radauIn(this.state.integrator)
    if (!radau) return
    const { HostSteps } = await import('../gauss-radau/host-steps.ts')
    this.host = new HostSteps(this.#arrays, this.state, radau.epsilon, () => this.#sequences.evaluate(this.state))
  }

  /** Forces, or places, are no longer those of the steps. */
  spoil(): void {
    this.due.forces = true
    this.host?.forget()
  }

  /** Whether it has the numbers that are wanted. */
  get #settled(): boolean {
    return sameNumbers(this.#arrays.numbers, this.wanted) && !this.due.reach
  }

  /** Takes the numbers that are wanted. @throws RangeError for numbers that the device does not hold */
  async settle(): Promise<void> {
    if (this.due.sequenced !== this.#arrays.count) await this.#recount()
    if (this.#settled) return
    const [before, numbers] = [this.#arrays.numbers, this.wanted]
    this.intact = false
    const later = numbers.clock !== before.clock && typeof this.state.dt === 'number' && !this.host
    const replanned = this.#plan.reshaped(before, numbers, this.state) || (later && this.#plan.told)
    await this.#arrays.renumber(numbers, { ...this.state, steps: this.steps })
    if (later) {
      this.state = { ...this.state, clock: numbers.clock, dt: numbers.clock.dt }
      this.#plan.reclock(this.state, this.steps)
    }
    if (replanned) await this.#sequences.replan(this.state)
    else {
      await this.#stages.renumber()
      await this.#sequences.renew()
    }
    this.due.reach = false
    this.#totals.renumber()
    this.#looks?.forget()
    if (changedForces(before, numbers)) this.spoil()
    this.intact = true
  }

  /** Takes the numbers that are wanted, and computes the forces if they belong to other numbers. */
  async current(): Promise<void> {
    await this.settle()
    if (!this.due.forces) return
    this.intact = false
    if (this.#tolerances) await this.#rounds.measure()
    await this.#evaluate()
    this.intact = true
  }

  /** Computes the forces of the current state. */
  async #evaluate(): Promise<void> {
    await this.#sequences.evaluate(this.state)
    this.due.forces = false
  }

  /** Takes steps; undefined if that is done. */
  run(times: number, signal?: AbortSignal): Promise<void> | undefined {
    return this.#rounds.run(times, signal)
  }

  /** An array that somebody reads where it is on WebGPU, from now on after each step. */
  shown(array: string): DeviceBuffer {
    const buffer = this.buffer(array)
    if (buffer.gpu) this.showsForces ||= givenByForces(array, this.state)
    return buffer
  }

  /** The buffer of an array, as long as this lives. */
  buffer(array: string): DeviceBuffer {
    return this.#arrays.points[array] as DeviceBuffer
  }

  /** Makes the sequences for the number of points that there are now. Nothing is compiled. */
  async #recount(): Promise<void> {
    this.intact = false
    await this.#arrays.resize()
    await this.#sequences.recount(this.due.plans)
    this.#forgetTotals()
    this.due.sequenced = this.#arrays.count
    this.due.plans = false
    this.intact = true
  }

  /** @throws RangeError if a cutoff of pairs by some numbers would reach farther than their box holds */
  requireReach(numbers: SimulationNumbers): void {
    this.#stages.requireReach(numbers)
  }

  /** Scales the box, and the places of centres and points in it. @param numbers with the box after it */
  async scale(numbers: SimulationNumbers): Promise<void> {
    this.requireReach(numbers)
    this.intact = false
    await this.#sequences.hold('places')
    this.wanted = numbers
    await this.settle()
    this.intact = false
    await this.#sequences.scale()
    await this.#stages.forgetCarried()
    this.spoil()
    this.intact = true
  }

  /** Sums that it has made. */
  get deviceTotals(): DeviceTotals {
    return this.#totals
  }

  /** Sums over the forces of now. */
  async split(): Promise<DeviceTotals> {
    await this.settle()
    await this.#sequences.split(this.state)
    return this.#totals
  }

  #forgetTotals(): void {
    this.#totals.dispose()
    this.#totals = new DeviceTotals(this.#stages)
    this.forgetLooks()
  }

  forgetLooks(): void {
    this.#looks?.forget()
  }

  /** The points that meet the condition of an event; undefined if there are none. @param n the place of the event */
  async marked(event: SimulationEvent, n: number): Promise<Uint32Array | undefined> {
    const condition = 'points' in event ? event.points : event.pairs
    await (conditionReadsForces(condition, this.state) ? this.current() : this.settle())
    this.#looks ??= new (await import('../events/looks.ts')).Looks(this.#stages)
    return this.#looks.marked(event, n, this.state)
  }

  /** Sums over points, as `request` describes them. */
  async totals(request: TotalRequest): Promise<Totals> {
    await this.current()
    return this.#totals.of(request)
  }

  /** The errors of the forces that may be approximated, measured now. */
  async errors(): Promise<readonly ForceError[]> {
    await this.settle()
    if (this.#tolerances) await this.#rounds.measure()
    return this.#tolerances?.errors ?? []
  }

  clock(): ClockState | Promise<ClockState> {
    return this.host?.clock(this.steps) ?? readClock(this.#arrays, this.state.clock, this.steps)
  }

  async until(time: number): Promise<void> {
    return this.host ? this.host.limit(time) : limitSteps(this.#arrays, time)
  }

  land(time: number): Promise<void> {
    return this.host?.land(time) ?? landAt(this.#arrays, time)
  }

  /** The arrays that continue a run bit for bit. @param withForces whether the acceleration must be that of now */
  async save(withForces: boolean = true): Promise<ClockedState> {
    if (withForces) await this.current()
    else if (!this.#settled) await this.settle()
    const stale = (name: string) => this.due.forces && givenByForces(name, this.state)
    const onDevice = new Set([...moving, ...writtenBy(this.state)].filter((name) => this.#arrays.points[name]))
    const arrays: Record<string, FloatArray> = {}
    for (const name of new Set([...Object.keys(this.state.arrays), ...onDevice]))
      if (stale(name)) arrays[name] = this.#arrays.zeros(name)
      else arrays[name] = onDevice.has(name) ? await this.buffer(name).read() : (this.state.arrays[name] as FloatArray)
    const settings = this.#tolerances && { settings: this.#tolerances.settings }
    // Lists of another number of points are of no use.
    const carried = this.due.sequenced === this.#arrays.count ? await this.#stages.carried() : undefined
    const clock = await this.clock()
    const predictor = this.host && { predictor: this.host.memory }
    const rest = { ...settings, clock, ...(carried && { carried }), ...predictor }
    // Forces of other numbers or places are no part of a state.
    if (this.due.forces) delete arrays.acceleration
    const described = withNumbers(this.state, this.#arrays.numbers)
    return { ...described, steps: this.steps, arrays: arrays as PointArrays, ...rest }
  }

  dispose(): void {
    this.#sequences.dispose()
    this.#totals.dispose()
    this.#looks?.dispose()
    this.#stages.dispose()
    this.#arrays.dispose()
  }
}
