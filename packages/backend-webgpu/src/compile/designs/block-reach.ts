/**
 * How far the walk over blocks looks, and how its reach shrinks.
 *
 * @module
 */

import type { PairWorkload } from '@manybody/core'
import { axesOf, blockPoints, repeatOf } from '@manybody/core/backend'
import { keptPower, neededOfEqual } from '@manybody/core/expression'
import { reachTerms } from '@manybody/core/near'
import type { BlocksReach } from '../../design/design.ts'
import type { BoxSpace } from '../../design/space.ts'
import { mostQueued } from '../ranges/cutoff-walk.ts'
import { type Narrowing, startingBlocks } from '../ranges/narrowing.ts'
import type { PairProblem } from './pair-problem.ts'

export const spaceOf = ({ workload, shape }: Pick<PairProblem, 'workload' | 'shape'>): BoxSpace => ({
  dimension: shape.dimension,
  ...repeats(workload.domain.boundary, shape.dimension),
})

function repeats(boundary: PairWorkload['domain']['boundary'], dimension: number): Pick<BoxSpace, 'periodic' | 'slab'> {
  if (boundary.kind === 'open') return { periodic: false }
  const slab = axesOf(dimension).some((_, n) => repeatOf(boundary, n) === undefined)
  return slab ? { periodic: true, slab } : { periodic: true }
}

/** How the reach shrinks, for workloads that keep the nearest sources. */
export function narrowingOf(
  { workload, shape }: PairProblem,
  workgroup: number,
  targets: number,
): Narrowing | undefined {
  const power = keptPower(workload, shape.dimension)
  if (power === undefined) return undefined
  const { k: kept = 1 } = workload
  const blocks = startingBlocks(targets, kept, mostQueued(workgroup))
  const ownBlocks = shape.sameSet ? targets / blockPoints : undefined
  return { power, kept, targets, blocks, ownBlocks, neededOfEqual: neededOfEqual(workload, shape) }
}

/** How far the walk looks, for any parameters of a run. */
export const reachOf = (problem: PairProblem): BlocksReach => ({
  rule: reachRule(problem),
  shrinks: keptPower(problem.workload, problem.shape.dimension) !== undefined,
  cut: problem.workload.domain.cutoff !== undefined,
})

/** Whether the reach depends on the size of coordinates. */
export const isSized = (problem: PairProblem): boolean =>
  reachTerms({ ...reachRule(problem), cutoff: 0, unit: 1 }).ofSize > 0

export const reachRule = (problem: Pick<PairProblem, 'workload' | 'shape'>): BlocksReach['rule'] => ({
  ...{ precision: 'f32', boxes: 'f32', split: problem.shape.split ?? false },
  ...spaceOf(problem),
})
