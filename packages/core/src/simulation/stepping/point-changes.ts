/**
 * Changes of the points of a simulation on its device: numbers that a caller writes, points that are held, and those that come and go.
 * They leave work for later: forces and sequences of now are made before they are needed. Callers have checked the numbers.
 *
 * @module
 */
import type { DeviceBuffer } from '../../contract/backend.ts'
import type { Precision } from '../../ground/precision.ts'
import { requireInFloat32 } from '../../problem/workloads/numbers/float32-numbers.ts'
import type { PointArrays } from '../arrays.ts'
import type { Population } from '../changed-arrays.ts'
import { lowOf } from '../low-parts.ts'
import { requireNearOthers } from '../origin.ts'
import type { BoundSimulation, ClockedState } from '../state.ts'
import type { ClockState } from './clocks/clock-state.ts'
import { targetOf } from './outcomes.ts'
import { requireAdded } from './population.ts'
import type { StepArrays } from './step-arrays.ts'
import type { StepPlan } from './step-plan.ts'
import type { StepSequences } from './step-sequences.ts'
import { type Written, writeInto } from './written.ts'

/** Work that changes leave for later. */
export interface Due {
  /** Whether the forces belong to other numbers or places. */
  forces: boolean
  /** Whether pairs are looked for farther or less far than before. */
  reach: boolean
  /** The number of points that sequences have; undefined if they must be made again. */
  sequenced: number | undefined
  /** Whether their stages must be planned again, too. */
  plans: boolean
}

/** The stepper that has the points. */
interface Changed {
  readonly precision: Precision
  readonly steps: number
  readonly due: Due
  readonly showsForces: boolean
  state: ClockedState
  /** False while arrays and state may not belong together. */
  intact: boolean
  clock(): ClockState | Promise<ClockState>
  buffer(array: string): DeviceBuffer
  /** Takes the number of points and the numbers of now. */
  settle(): Promise<void>
  /** Forces, or places, are no longer those of the steps. */
  spoil(): void
  forgetLooks(): void
}

interface Parts {
  readonly arrays: StepArrays
  readonly sequences: StepSequences
  readonly plan: StepPlan
}

export class PointChanges {
  readonly #stepper: Changed
  readonly #arrays: StepArrays
  readonly #sequences: StepSequences
  readonly #plan: StepPlan

  constructor(stepper: Changed, { arrays, sequences, plan }: Parts) {
    this.#stepper = stepper
    this.#arrays = arrays
    this.#sequences = sequences
    this.#plan = plan
  }

  /** Writes places or velocities of points, then those that constraints allow. Forces are computed before they are needed. @throws RangeError */
  async place(written: Written): Promise<void> {
    const { name, numbers, points } = written
    if (this.#stepper.precision === 'f32') requireInFloat32(numbers, name)
    if (name === 'position' && this.#stepper.precision === 'f32') {
      const { dimension, arrays } = this.#stepper.state
      if (points) requireNearOthers(numbers, arrays, dimension)
      else this.#arrays.check({ ...arrays, position: numbers })
    }
    this.#stepper.intact = false
    await this.#move(written)
    await this.#sequences.hold(name === 'position' ? 'position' : 'velocity')
    this.#stepper.spoil()
    this.#stepper.intact = true
  }

  /** Writes places or velocities, with their low parts. */
  async #move(written: Written): Promise<void> {
    for (const one of [written, ...lowOf(written, this.#stepper.state.arrays)])
      await writeInto(this.#stepper.buffer(one.name), one)
  }

  /** Writes an attribute of some points. @param arrays all numbers after it */
  async amend(written: Written, arrays: PointArrays): Promise<void> {
    this.#stepper.intact = false
    await writeInto(this.#stepper.buffer(written.name), written)
    this.#stepper.state = { ...this.#stepper.state, arrays }
    this.#arrays.state = this.#stepper.state
    this.#stepper.due.reach ||= this.#arrays.limitsReach(written.name)
    await this.#arrays.ends.rewrite({ numbers: this.#arrays.numbers, arrays })
    this.#stepper.forgetLooks()
    this.#stepper.spoil()
    this.#stepper.intact = true
  }

  /** Holds other points in place, from where they are. Those that moved stop. */
  async fix(points: readonly number[]): Promise<void> {
    // Sequences that are planned again have the points of now.
    await this.#stepper.settle()
    const { fixed: before = [], dimension, ...state } = this.#stepper.state
    const held = new Set(before)
    const stopped = points.filter((point) => !held.has(point))
    this.#stepper.intact = false
    this.#stepper.state = { ...state, dimension, ...(points.length > 0 && { fixed: points }) }
    await this.#arrays.fix(points, this.#stepper.steps)
    const numbers = new Float32Array(stopped.length * dimension)
    if (targetOf(this.#stepper.state) === 'acceleration')
      await this.#move({ name: 'velocity', width: dimension, numbers, points: stopped })
    if (before.length > 0 !== points.length > 0) await this.#sequences.replan(this.#stepper.state)
    this.#stepper.spoil()
    this.#stepper.intact = true
  }

  /** Whether points come and go in place. */
  get roomy(): boolean {
    return this.#arrays.roomy
  }

  /** Takes another number of points in place; undefined if that is done. @param after the simulation after the change @throws RangeError */
  repopulate(after: BoundSimulation, change: Population): Promise<void> | undefined {
    if ('added' in change && this.#stepper.precision === 'f32') requireAdded(change.added, this.#stepper.state)
    const clock = this.#stepper.clock()
    if (clock instanceof Promise) return clock.then((now) => this.#repopulate(after, change, now))
    return this.#repopulate(after, change, clock)
  }

  #repopulate(after: BoundSimulation, change: Population, clock: ClockState): Promise<void> | undefined {
    const { dt, fixed = [] } = this.#stepper.state
    this.#stepper.intact = false
    const held = fixed.length > 0
    this.#stepper.state = { ...after.state, dt, clock: this.#stepper.state.clock, steps: this.#stepper.steps }
    const replanned = after.parts !== this.#arrays.parts || held !== (after.state.fixed ?? []).length > 0
    // The arrays of bonds and angles are made again.
    if (replanned || this.#arrays.ends.links.length > 0) this.#stepper.due.sequenced = undefined
    const { state, steps, showsForces } = this.#stepper
    this.#plan.reclock(clock === state.clock ? state : { ...state, clock }, steps)
    const waiting = this.#arrays.repopulate({ ...after, state }, change, { clock: this.#plan.clock, showsForces })
    const done = (): undefined => {
      if (replanned) this.#plan.forget(after.parts)
      this.#stepper.due.plans ||= replanned
      this.#stepper.spoil()
      this.#stepper.intact = true
    }
    return waiting === undefined ? done() : waiting.then(done)
  }

  /** Replaces an array by its values in another state, which otherwise equals the current one. */
  async write(name: string, state: ClockedState): Promise<void> {
    const components = this.#arrays.check(state.arrays)
    this.#stepper.intact = false
    this.#stepper.state = state
    await this.#arrays.write(name, state.arrays, components)
    this.#stepper.due.reach ||= this.#arrays.limitsReach(name)
    this.#stepper.forgetLooks()
    this.#stepper.spoil()
    this.#stepper.intact = true
  }
}
