/**
 * The length of the steps of a simulation, and the time in them, as stages and expressions.
 *
 * @module
 */
import type { MapWorkload } from '../../../problem/workloads/workload.ts'
import type { Moment } from '../../forces/at-time.ts'
import type { PlannedStage } from '../../forces/planned-stage.ts'
import type { IntegratorStage } from '../../kicks.ts'

export interface Clock {
  /** The arrays that it adds to the points, by the number that each point has at first. */
  readonly ofPoints: Readonly<Record<string, number>>
  /** Its arrays with one number, by that number. */
  readonly single: Readonly<Record<string, number>>
  /** Stages at the start and at the end of each step. */
  readonly before: readonly PlannedStage[]
  readonly after: readonly PlannedStage[]
  /** A map of an integrator with its parameters, and with that fraction of the step as `h`. */
  stage(outputs: MapOutputs, fraction: number, parameters: Readonly<Record<string, number>>): MapWorkload
  /** When this fraction of a step has passed. */
  at(fraction: number): Moment
}

type MapOutputs = (IntegratorStage & { readonly kind: 'map' })['outputs']
