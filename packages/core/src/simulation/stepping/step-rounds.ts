/**
 * The steps of a simulation on a device: at once, or in rounds between which the errors of the forces are measured.
 *
 * @module
 */
import type { Device } from '../../contract/backend.ts'
import type { Tolerances } from '../forces/tolerances.ts'
import { workNames } from '../forces/work-names.ts'
import type { HostSteps } from '../gauss-radau/host-steps.ts'
import type { SimulationNumbers } from '../numbers/numbers.ts'
import type { ClockedState } from '../state.ts'
import { mostWhole } from './end-arrays.ts'
import type { Due } from './point-changes.ts'
import type { Stages } from './stages.ts'
import type { StepArrays } from './step-arrays.ts'
import type { StepPlan } from './step-plan.ts'
import type { StepSequences } from './step-sequences.ts'

/** The stepper that takes the steps. */
interface Stepping {
  readonly device: Device
  readonly state: ClockedState
  steps: number
  intact: boolean
  readonly wanted: SimulationNumbers
  readonly due: Due
  /** Whether somebody reads the forces of now where the device has them. */
  readonly showsForces: boolean
  /** Takes the steps, if the device does not. */
  readonly host: HostSteps | undefined
  settle(): Promise<void>
  current(): Promise<void>
}

interface Parts {
  readonly arrays: StepArrays
  readonly sequences: StepSequences
  readonly plan: StepPlan
  readonly stages: Stages
}

export class StepRounds {
  readonly #stepper: Stepping
  readonly #arrays: StepArrays
  readonly #sequences: StepSequences
  readonly #plan: StepPlan
  readonly #stages: Stages

  constructor(stepper: Stepping, { arrays, sequences, plan, stages }: Parts) {
    this.#stepper = stepper
    this.#arrays = arrays
    this.#sequences = sequences
    this.#plan = plan
    this.#stages = stages
  }

  get #tolerances(): Tolerances | undefined {
    return this.#stages.tolerances
  }

  /** Takes steps; undefined if that is done. */
  run(times: number, signal?: AbortSignal): Promise<void> | undefined {
    if (times <= 0) return undefined
    const { due, wanted } = this.#stepper
    const settled = due.sequenced === this.#arrays.count && this.#arrays.numbers === wanted
    const ready = settled && (!due.forces || this.#late) && !this.#tolerances
    const step = ready ? this.#sequences.ready(due.forces) : undefined
    if (!step) return this.#runMeasured(times, signal)
    this.#requireCounted(times)
    this.#stepper.intact = false
    const waiting = step.run(times, signal && { signal })
    if (waiting !== undefined) return waiting.then(() => this.#took(times))
    this.#took(times)
    return undefined
  }

  /**
   * Whether forces that are due are computed at the start of each step, and not at its end: a change may come first, as points do that come
   * and go in every frame. They stay due then.
   */
  get #late(): boolean {
    const { state, host, showsForces } = this.#stepper
    return !showsForces && !host && !this.#tolerances && this.#plan.endsWithForces(state, this.#arrays)
  }

  #took(times: number): void {
    this.#stepper.steps += times
    this.#stepper.intact = true
  }

  /** @throws RangeError for steps that float32 cannot count, if forces read the time */
  #requireCounted(times: number): void {
    const { device, steps, state } = this.#stepper
    const counts = workNames.step in this.#plan.clock.ofPoints && device.info.precision === 'f32'
    const counted = steps - state.clock.steps
    if (counts && counted + times > mostWhole)
      throw new RangeError(
        `"count" expected at most ${mostWhole - counted} further steps, because forces read the time and float32 counts up to ${mostWhole} steps; use precision "f64", or a longer dt`,
      )
  }

  /** Takes steps with the numbers that are wanted, and measures the errors of forces in between. */
  async #runMeasured(times: number, signal: AbortSignal | undefined): Promise<void> {
    this.#requireCounted(times)
    const stepper = this.#stepper
    const last = stepper.steps + times
    await stepper.settle()
    if (stepper.due.forces && this.#late) {
      stepper.intact = false
      await this.#sequences.advanceLate(stepper.state, times, signal)
      return this.#took(times)
    }
    if (stepper.due.forces && !this.#tolerances && !stepper.host) {
      stepper.intact = false
      await this.#sequences.begin(stepper.state, signal)
      stepper.due.forces = false
      stepper.steps++
    } else await stepper.current()
    stepper.intact = false
    while (stepper.steps < last) {
      const measured = this.#tolerances?.measuredAfter(stepper.steps)
      const checked = this.#tolerances?.checkedAfter(stepper.steps)
      const now = Math.min(measured ?? last, checked ?? last, last) - stepper.steps
      await (stepper.host?.run(now, signal) ?? this.#sequences.advance(stepper.state, now, signal))
      stepper.steps += now
      const due = stepper.steps === measured || (stepper.steps === checked && this.#tolerances?.outgrown)
      if (due) await this.measure()
    }
    stepper.intact = true
  }

  /** Measures the errors of the forces, and makes the sequences again if a setting has changed. */
  async measure(): Promise<void> {
    if (!(await this.#tolerances?.measure(await this.#arrays.ofPairs(), this.#stepper.steps))) return
    this.#stages.forgetApproximated()
    await this.#sequences.renew()
  }
}
