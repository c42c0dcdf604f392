/**
 * The keys of stages and of their programs: whatever the numbers are, stages with one key compute the same, into the same arrays.
 *
 * @module
 */
import { parametersOf } from '../../problem/workloads/parameters.ts'
import { isMeshed, type PairPart } from '../forces/pair-part.ts'
import type { PlannedStage } from '../forces/planned-stage.ts'
import type { Unplaced } from './stage-numbers.ts'
import type { StepArrays } from './step-arrays.ts'

export function keyOfStage(stage: PlannedStage, arrays: StepArrays): PairPart | string {
  const { pair, outputs, workload, fraction } = stage
  return pair ?? JSON.stringify([keyOf(stage, arrays), outputs, parametersOf(workload), fraction])
}

/** The computation of a stage as text, whatever its numbers are. */
export function keyOf(
  { workload, pair, ends, clusters, images, clock, curve }: Unplaced,
  { parts, ends: linked }: StepArrays,
): string {
  const own = workload.loop === 'particle' && workload.operation === 'map' ? Object.keys(workload.parameters) : []
  const looked = curve && [curve.call.array, curve.gathers]
  const links = ends && [linked.links.indexOf(ends.links), ends.visits, looked]
  // A mesh has a short part beside the whole law.
  const law = isMeshed({ pair }) && workload.loop === 'pair' ? workload.law.expressions : undefined
  if (pair) return JSON.stringify([parts.sums.indexOf(pair), workload.results, law])
  const held = clusters && [clusters.clusters.shape.name, clusters.visits]
  const imaged = images && ['images', parts.sums.indexOf(images.pair)]
  return JSON.stringify([{ ...workload, parameters: own }, links ?? held ?? imaged ?? looked, clock])
}
