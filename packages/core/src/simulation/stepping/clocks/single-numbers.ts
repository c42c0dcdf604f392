/**
 * Stages that work on single numbers of a simulation, such as the length of a step, beside the arrays of its points.
 *
 * @module
 */
import { gatherMap, map } from '../../../problem/workloads/particle.ts'
import type { PlannedStage } from '../../forces/planned-stage.ts'
import { workNames } from '../../forces/work-names.ts'

/** A map over the single numbers. */
export function tick(
  outputs: Readonly<Record<string, string>>,
  parameters: Readonly<Record<string, number>> = {},
): PlannedStage {
  const places = Object.fromEntries(Object.keys(outputs).map((name) => [name, name]))
  return { workload: map(outputs, parameters), outputs: places, clock: 'tick' }
}

/** Copies single numbers to all points. @param copies the single number of each array of the points */
export function spread(copies: Readonly<Record<string, string>>): PlannedStage {
  const names = Object.keys(copies)
  const singles = Object.entries(copies).map(([name, of]) => [`${name}Now`, { of, at: workNames.zero }] as const)
  const workload = gatherMap(Object.fromEntries(names.map((name) => [name, `${name}Now`])), Object.fromEntries(singles))
  return { workload, outputs: Object.fromEntries(names.map((name) => [name, name])), clock: 'spread' }
}
