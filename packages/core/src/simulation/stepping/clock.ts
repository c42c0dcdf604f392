/**
 * How long the steps of a simulation are, and what time it is in them: as plain data, and as stages and expressions.
 *
 * @module
 */
import type { MapWorkload } from '../../problem/workloads/workload.ts'
import type { Moment } from '../forces/at-time.ts'
import type { PlannedStage } from '../forces/force-stages.ts'
import type { IntegratorStage } from '../kicks.ts'

/** When it was what time, as a state has it. */
export interface ClockState {
  /** Two numbers whose sum is the time after `steps` steps. */
  readonly time: readonly [number, number]
  readonly steps: number
  /** The length of the steps since then. Where steps adapt, that of the latest; 0 before the first. */
  readonly dt: number
}

/** What the clock of a simulation says after some steps of one length. It is the same clock if that is their length anyway. */
export function clockAt(clock: ClockState, steps: number): ClockState {
  const [now, lost] = clock.time
  return { ...clock, time: [now + (steps - clock.steps) * clock.dt, lost], steps }
}

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
  /** When this fraction of a step has passed. */
  at(fraction: number): Moment
}

type MapOutputs = (IntegratorStage & { readonly kind: 'map' })['outputs']
