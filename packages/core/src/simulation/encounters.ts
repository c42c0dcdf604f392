/**
 * The encounters of points that limit an adaptive step: a loop over pairs, and the inputs that it reads.
 *
 * @module
 */
import { vectorsOf } from '../problem/interactions/vectors.ts'
import { boundPairs } from '../problem/workloads/bound-pairs.ts'
import type { ComponentOf } from '../problem/workloads/components.ts'
import type { Boundary } from '../problem/workloads/domain.ts'
import type { CheckedSet } from '../problem/workloads/particles.ts'
import type { Dimension, PairWorkload } from '../problem/workloads/workload.ts'
import { type AdaptiveRule, pairLimits } from './adaptive-step.ts'
import type { PointArrays } from './arrays.ts'
import { componentsRead } from './forces/components.ts'

/** The steps that pairs allow, and the components of vectors that their rule reads. */
export interface Encounters {
  readonly workload: PairWorkload<'value'>
  readonly components: ReadonlyMap<string, ComponentOf>
}

interface Moving {
  readonly dt: number | AdaptiveRule
  readonly arrays: PointArrays
  readonly dimension: Dimension
}

/** The rule for pairs of a simulation in its box; undefined if it has none. */
export function encountersIn({ dt, arrays, dimension }: Moving, box: Boundary | undefined): Encounters | undefined {
  const workload = typeof dt === 'number' ? undefined : pairLimits(dt, box)
  return workload && { workload, components: componentsRead(workload, arrays, dimension) }
}

/** Checks that the points have all names in a rule for pairs. @throws TypeError, RangeError */
export function requireEncounters(workload: PairWorkload<'value'> | undefined, set: CheckedSet): void {
  if (!workload) return
  if (vectorsOf(workload.law))
    throw new TypeError(
      `"dt.pairs" expected numbers of two points, got ${workload.law.name}, which reads vectors of any length; give the numbers as attributes`,
    )
  const components = componentsRead(workload, set.arrays, set.dimension)
  const some = Object.fromEntries([...components.keys()].map((name) => [name, new Float32Array(set.count)]))
  boundPairs(workload, { ...set, arrays: { ...set.arrays, ...some } })
}
