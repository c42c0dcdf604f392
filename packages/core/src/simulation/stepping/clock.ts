/**
 * How long the steps of a simulation are, and what time it is in them, as stages and expressions. Types only.
 *
 * @module
 */
import type { Expr } from '../../expression/nodes.ts'
import type { MapWorkload } from '../../workloads/workload.ts'
import type { PlannedStage } from '../forces/force-stages.ts'
import type { IntegratorStage } from '../kicks.ts'

export interface Clock {
  /** The arrays that it adds to those of the points, by the number that each point has at first. */
  readonly ofPoints: Readonly<Record<string, number>>
  /** Its arrays with one number, by that number. */
  readonly single: Readonly<Record<string, number>>
  /** Stages at the start and at the end of each step. */
  readonly before: readonly PlannedStage[]
  readonly after: readonly PlannedStage[]
  /** A map of an integrator, in which `h` is that fraction of the step. */
  stage(outputs: MapOutputs, fraction: number): MapWorkload
  /** The time when this fraction of a step has passed, for expressions of points. */
  at(fraction: number): Expr
}

type MapOutputs = (IntegratorStage & { readonly kind: 'map' })['outputs']
