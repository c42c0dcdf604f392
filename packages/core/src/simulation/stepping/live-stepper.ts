/**
 * The stepper of a simulation as it moves. It is kept up to date: if its device is lost, another one starts from the saved state, takes the
 * steps since, and makes the changes among them.
 *
 * @module
 */
import { isRefusal } from '../../contract/candidates/refusals.ts'
import { DeviceLostError } from '../../ground/errors.ts'
import { open } from '../../problem/workloads/define-domain.ts'
import type { Boundary } from '../../problem/workloads/domain.ts'
import { countOf } from '../arrays.ts'
import { boundWith } from '../bound-simulation.ts'
import type { ForceParts } from '../forces/force.ts'
import { boxOfParts } from '../forces/system-box.ts'
import type { Integrator } from '../integrators.ts'
import { boundaryNow } from '../numbers/box.ts'
import { NumberNames } from '../numbers/changes.ts'
import { numbersOf, withNumbers } from '../numbers/description.ts'
import type { SimulationNumbers } from '../numbers/numbers.ts'
import type { BoundSimulation, ClockedState } from '../state.ts'
import { type Change, ChangeLog } from './change-log.ts'
import { type ClockState, timeOf } from './clocks/clock-state.ts'
import { type Divergence, divergenceIn } from './divergence.ts'
import { type DeviceSource, Recovery } from './recovery.ts'
import { Stepper } from './stepper.ts'

/** The state is saved after so many milliseconds of steps. At most these steps are repeated if a device is lost or numbers diverge. */
const savedEvery = 10_000

/** Whether another device may do the work that failed. */
export const isElsewhere = (error: unknown): boolean => isRefusal(error) || error instanceof DeviceLostError

export abstract class LiveStepper {
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

  /** The stepper, if it is up to date and its device is not known to be lost. */
  protected get current(): Stepper | undefined {
    const stepper = this.#stepper
    const current = stepper?.intact && stepper.steps === this.#steps && this.#log.done
    return current && this.devices.isOn(stepper.device) ? stepper : undefined
  }

  /** It has taken steps up to this number. They took so many milliseconds. */
  protected took(steps: number, start: number): number {
    this.#steps = steps
    const spent = performance.now() - start
    this.#unsaved += spent
    return spent
  }

  /** Whether the state should be saved. */
  protected get full(): boolean {
    return this.#unsaved > savedEvery || this.#log.full(this.#positions)
  }

  get #positions(): number {
    return countOf(this.described) * this.described.dimension
  }

  /** Goes on from a state, which the stepper has. */
  keep(state: ClockedState): void {
    this.#bound = this.boundTo(state)
    this.#now = this.#bound
    this.#unsaved = 0
    this.#log.clear()
  }

  /** The numbers of all that is computed from now on. Of several without a step between, the last ones count. */
  want(numbers: SimulationNumbers): void {
    const clock = numbers.clock !== this.#numbers.clock
    this.#numbers = numbers
    if (clock) this.#clock = numbers.clock
    if (this.#stepper) this.#stepper.wanted = numbers
    const apply = (stepper: Stepper): undefined => {
      stepper.wanted = numbers
    }
    this.#log.renumbered({ steps: this.#steps, numbers: true, apply }, this.#stepper !== undefined)
  }

  protected boundTo(state: ClockedState): BoundSimulation {
    return boundWith(this.#now, state)
  }

  /** The stepper has made a change. */
  protected made(change: Change, numbers: number, after: BoundSimulation): void {
    this.#log.made(change, numbers)
    this.#now = after
  }

  /** Goes on with another stepper, which has another description. */
  protected goOn(stepper: Stepper, bound: BoundSimulation): void {
    this.#drop()
    this.#stepper = stepper
    this.#bound = bound
    this.keep(bound.state)
    this.#clock = bound.state.clock
    this.#numbers = numbersOf(bound.state)
    this.#names = new NumberNames(bound.state)
    this.#moved(stepper)
  }

  /** The current state, which is finite. From now on it is the saved one. */
  abstract save(): Promise<ClockedState>

  protected setNumbers(numbers: SimulationNumbers): void {
    this.#numbers = numbers
  }

  /** Works on an up-to-date stepper. If its device is lost or cannot do the work, another one does. */
  async on<T>(work: (stepper: Stepper) => Promise<T>): Promise<T> {
    return this.atOnce(work)
  }

  /** The same, over within the call if the stepper is up to date and the work does not wait. */
  protected atOnce<T>(work: (stepper: Stepper) => Promise<T> | T): Promise<T> | T {
    const { current } = this
    const again = (error?: unknown): Promise<T> => {
      if (error !== undefined && !isElsewhere(error)) throw error
      return this.recovering(async (stepper) => work(stepper))
    }
    if (!current) return again()
    try {
      const result = work(current)
      return result instanceof Promise ? result.catch(again) : result
    } catch (error) {
      return again(error)
    }
  }

  /** Makes the stepper again from the saved state if necessary. */
  protected recovering<T>(work: (stepper: Stepper) => Promise<T>): Promise<T> {
    return this.devices.on(async (programs) => {
      if (this.#stepper?.device !== programs.device || !this.#stepper.intact) {
        this.#drop()
        this.#stepper = await Stepper.create(programs, this.#bound)
        this.#log.again()
        this.#moved(this.#stepper)
      }
      const stepper = this.#stepper
      try {
        await this.#log.catchUp(stepper, async (steps) => this.advanceOn(stepper, steps))
        await this.advanceOn(stepper, this.#steps)
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
  protected advanceOn(stepper: Stepper, steps: number, signal?: AbortSignal): Promise<void> | undefined {
    if (steps <= stepper.steps) return undefined
    const waiting = stepper.run(steps - stepper.steps, signal)
    const clock = waiting === undefined ? stepper.clock() : waiting.then(() => stepper.clock())
    if (clock instanceof Promise) return clock.then((read) => this.setClock(read))
    this.setClock(clock)
    return undefined
  }

  /** The clock of now. */
  protected setClock(clock: ClockState): void {
    this.#clock = clock
  }

  /** When numbers diverged. */
  protected findDivergence(): Promise<Divergence> {
    return this.devices.on((programs) => {
      this.#drop()
      return divergenceIn({ bound: this.#bound, changes: this.#log.changes, steps: this.#steps }, programs)
    })
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
