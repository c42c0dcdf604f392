/**
 * How far the walk of blocks looks: the reach of a run, as numbers for its shaders, and how it shrinks.
 *
 * @module
 */
import type { Bindings } from '@manybody/core'
import { blockPoints, keptPower, type ReachRule, reachLine, reachTerms } from '@manybody/core/backend'
import { mostQueued } from '../ranges/cutoff-walk.ts'
import { type Narrowing, startingBlocks } from '../ranges/narrowing.ts'
import type { BoxSpace } from '../ranges/space.ts'
import type { PairProblem } from './pair-problem.ts'

export const spaceOf = ({ workload, shape }: Pick<PairProblem, 'workload' | 'shape'>): BoxSpace => ({
  dimension: shape.dimension,
  periodic: workload.domain.boundary.kind === 'periodic',
})

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
  return { power, kept, targets, blocks, ownBlocks: shape.sameSet ? targets / blockPoints : undefined }
}

/** The reach of a run. Its part `ofSize` does not depend on the parameters. */
export const reachIn = (
  problem: PairProblem,
  { cutoff = 0, lengthUnit = 1 }: Bindings['parameters'],
): ReturnType<typeof reachTerms> => reachTerms({ ...reachRule(problem), cutoff, unit: lengthUnit })

const reachRule = (problem: PairProblem): Omit<ReachRule, 'cutoff' | 'unit'> => ({
  ...{ precision: 'f32', boxes: 'f32', split: problem.shape.split ?? false },
  ...spaceOf(problem),
})

/** The reach for the shaders. Rounding it to float32 must not shorten it, and its inverse must be finite. */
export function reachValues(
  problem: PairProblem,
  parameters: Bindings['parameters'],
): Readonly<Record<string, number>> {
  const { workload, shape } = problem
  const { fixed, ofSize } = reachIn(problem, parameters)
  const [shorter, longer] = [1 - 2 ** -22, 1 + 2 ** -22]
  const perReach = Math.min(shorter / fixed, 2 ** 126)
  if (keptPower(workload, shape.dimension) === undefined) return { perReach, reachOfSize: (longer * ofSize) / fixed }
  // What targets keep is in the unit of the caller, and may be rounded in that, too.
  const unit = Math.max(1, parameters.lengthUnit ?? 1)
  const { slope, start } = reachLine({ ...reachRule(problem), unit, most: 0 })
  return {
    perReach: workload.domain.cutoff === undefined ? 0 : perReach,
    reachOfSize: longer * ofSize,
    // A device rounds the root of what a target keeps, and the inverse of the reach.
    slope: slope * (1 + 2 ** -19),
    start: start * (1 + 2 ** -19),
  }
}
