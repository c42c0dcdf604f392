/**
 * The stages that move points with a box that is scaled: centres of mass of clusters, and points without constraints, keep their places
 * in the box, and slow down as the box grows. Clusters keep their form and turn as before.
 *
 * @module
 */
import { map } from '../../problem/workloads/particle.ts'
import { type Held, offsetsOf } from '../constraints/constraint-stages.ts'
import type { PlannedStage } from '../forces/planned-stage.ts'
import { workNames } from '../forces/work-names.ts'

/** The stages, once shifts are the displacements from the centres. @param factor of the lengths of the box: a name with its number */
export function scalingStages(
  held: Held | undefined,
  [name, factor]: readonly [string, number],
): readonly PlannedStage[] {
  const { shift } = workNames
  const scaled = (array: 'position' | 'velocity', by: string): PlannedStage => ({
    workload: map({ [array]: held ? `${shift} + (${array} - ${shift})*${by}` : `${array}*${by}` }, { [name]: factor }),
    outputs: { [array]: array },
  })
  return [scaled('position', name), ...(held ? offsetsOf(held, 'velocity') : []), scaled('velocity', `(1/${name})`)]
}
