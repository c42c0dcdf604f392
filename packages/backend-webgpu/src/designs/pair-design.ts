/**
 * The design of a loop over all pairs for a plan: its shaders, and the sizes of its steps.
 *
 * @module
 */
import type { PairWorkload, Shape } from '@manybody/core'
import { accumulationIn } from '@manybody/core/backend'
import type { PairDesign } from '../design/design.ts'
import type { LoopLimits } from '../design/facts.ts'
import { blockLength, targetsPerCombine, targetsPerGroup, targetsPerSelection } from '../design/loop-shape.ts'
import { accumulationOf } from '../plans/accumulation.ts'
import { describePlan, type PairPlan } from '../plans/plan.ts'
import type { PairLoops } from './pair-loops.ts'

/** The most bytes that the minima of groups may take. */
const minimaBytes = 2 ** 29

/** @throws RangeError if there is no loop for the plan */
export function pairDesign(
  { pair, guard, inputs, results, lists }: PairLoops,
  workload: PairWorkload,
  { sources }: Pick<Shape, 'sources'>,
  plan: PairPlan,
  limits: LoopLimits,
): PairDesign {
  const { group, gridStride, workgroup } = plan.shape
  return {
    driver: 'pair',
    variant: describePlan(plan),
    accumulation: accumulationIn(workload, accumulationOf(chainOf(plan, sources), sources)),
    inputs,
    results,
    guard,
    versions: pair(plan),
    ...(lists && { lists }),
    ...{ tile: workgroup, parts: plan.parts, gridStride, group },
    targetsPerGroup: targetsPerGroup(plan.shape),
    minimaBytes: Math.min(minimaBytes, limits.maxStorageBufferBindingSize),
    targetsPerCombine: group > 0 ? targetsPerSelection : targetsPerCombine,
  }
}

/** Length of the longest chain of additions: over the terms of a tile, of a part, or of a slice of either. */
function chainOf({ shape: { blocks, slices, staging, workgroup }, parts }: PairPlan, sources: number): number {
  const block = staging === 'storage' ? blockLength : workgroup
  return Math.max(1, Math.ceil((blocks ? block : sources / parts) / slices))
}
