/**
 * A simulation as plain data: the description that a user gives, and the state that it has reached. `bound-simulation.ts` checks descriptions.
 *
 * @module
 */

import type { FloatArray } from '../ground/checks.ts'
import type { ArrayInput } from '../problem/workloads/numbers/gpu-buffers.ts'
import type { Named, ParticleSet } from '../problem/workloads/particles.ts'
import type { Dimension } from '../problem/workloads/workload.ts'
import type { AdaptiveRule, AdaptiveStep } from './adaptive-step.ts'
import type { PointArrays } from './arrays.ts'
import type { Barostat, BarostatOptions } from './barostat/barostat.ts'
import type { PairReads } from './check-forces.ts'
import type { ConstraintOptions, Constraints } from './constraints/constraints.ts'
import type { SimulationEvent } from './events/events.ts'
import type { ForceDescription, ForceParts, PairPart } from './forces/force.ts'
import type { TreeSettings } from './forces/tolerances.ts'
import type { Integrator } from './integrators.ts'
import type { ClockState } from './stepping/clocks/clock-state.ts'

export interface SimulationOptions<Given = Named> extends ForceDescription {
  /**
   * `position`, `[count, dimension]`, and the attributes that the forces read. `velocity` has the same shape and is 0 by default. In
   * first-order motion, the forces give it.
   */
  readonly particles: ParticleSet<Given> & { readonly velocity?: ArrayInput }
  /**
   * By default {@link leapfrog}; {@link boris4} where forces read velocities only to turn them, as a magnetic field does; otherwise
   * {@link rungeKutta4} where a force reads velocities.
   */
  readonly integrator?: Integrator
  /** Time of one step, not 0; negative runs backwards. Or a rule for the length of steps: see {@link AdaptiveStep}. */
  readonly dt: number | AdaptiveStep
  /** The time at the start; 0 by default. */
  readonly t0?: number
  /** Another name of `t0`. */
  readonly time?: number
  /** The indices of points that do not move. They act on the others. */
  readonly fixed?: Iterable<number>
  /** How many points act on others: the first ones. The rest are test particles, which act on nothing. By default, all act. */
  readonly sources?: number
  /** Distances that stay as they are, such as those of bonds to hydrogen atoms. */
  readonly constraints?: ConstraintOptions
  /** Keeps a pressure, beside a thermostat. */
  readonly barostat?: BarostatOptions
  /** The most points that there may be, if points come and go. Memory is kept for as many. */
  readonly capacity?: number
  /** Conditions that are checked between steps, and the changes that follow: points that touch merge or bounce, points that leave go. */
  readonly events?: readonly SimulationEvent[]
}

/** A state that can be stored and resumed; typed arrays and JSON, safe for `structuredClone`. */
export interface SimulationState extends ForceDescription {
  readonly integrator: Integrator
  readonly dt: number | AdaptiveStep
  readonly fixed?: readonly number[] | undefined
  readonly sources?: number | undefined
  readonly constraints?: ConstraintOptions | undefined
  readonly barostat?: BarostatOptions | undefined
  readonly capacity?: number | undefined
  readonly events?: readonly SimulationEvent[] | undefined
  readonly dimension: Dimension
  readonly steps: number
  /** Everything that moves, and the attributes. `acceleration` is computed first if it is missing. */
  readonly arrays: PointArrays
  /** For each law of pairs, the setting that meets its tolerance; null for all pairs. Found first if it is missing. */
  readonly settings?: TreeSettings | undefined
  /** The time after a number of steps. Without it, the time is `steps * dt`. */
  readonly clock?: ClockState | undefined
  /** The data that the device keeps from step to step for each law of pairs. The last bits of later steps depend on it. */
  readonly carried?: Carried | undefined
  /** Of steps of the host, such as those of `ias15`: the numbers from which they predict the next one. */
  readonly predictor?: FloatArray | undefined
  /** In snapshots: the version of the fields. */
  readonly version?: number | undefined
  /** In snapshots: a checksum of each part. Delete them if you change a snapshot on purpose. */
  readonly checksum?: Readonly<Record<string, string>> | undefined
}

/** A checked state, with its clock and complete constraints. */
export interface ClockedState extends SimulationState {
  readonly dt: number | AdaptiveRule
  readonly constraints?: Constraints | undefined
  readonly barostat?: Barostat | undefined
  readonly clock: ClockState
}

/** The numbers that the device carries for each law of pairs; null for a law that carries nothing. */
export type Carried = readonly (FloatArray | null)[]

/** A checked simulation: a state, and the data derived once from its description, which hold for every state. */
export interface BoundSimulation {
  readonly state: ClockedState
  readonly parts: ForceParts
  readonly reads: ReadonlyMap<PairPart, PairReads>
}
