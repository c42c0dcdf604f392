/**
 * The steps of a loop whose workgroups each have some consecutive targets and count the pairs that they compute: the loops by
 * blocks and by trees. What comes before the loop runs in the first step.
 *
 * @module
 */

import type { DesignedResult, DesignRun, Step } from '../drivers/driver.ts'
import type { Dispatch, Shader } from '../wgsl/shader.ts'
import { spread } from '../wgsl/spread.ts'

export interface GroupLoop {
  readonly shader: Shader
  /** Its uniform fields. `evaluated` is where the array `order` has the number of sources that each workgroup met. */
  readonly values: Readonly<Record<string, number>> & { readonly evaluated: number }
  readonly targetsPerGroup: number
  /** Number of pairs of a target, as steps count them. */
  readonly pairs: number
  /** Number of pairs of a target that the loop is expected to compute. */
  readonly expectedPairs: number
}

/** The steps, each with as many whole workgroups as fit the budget. */
export function* groupSteps(
  { bindings, budget }: DesignRun,
  results: readonly DesignedResult[],
  { shader, values, targetsPerGroup, pairs, expectedPairs }: GroupLoop,
  before: readonly Dispatch[],
): Generator<Step> {
  const targets = bindings.targets.count
  const groups = Math.ceil(targets / targetsPerGroup)
  const covered = (group: number) => Math.min(targets, group * targetsPerGroup)
  let first = 0
  do {
    const fits = Math.max(1, Math.floor(budget() / (targetsPerGroup * expectedPairs)))
    const last = fits * 1.5 >= groups - first ? groups : first + fits
    const [x, z] = spread(last - first)
    const dispatch = { shader, values: { ...values, groupFirst: first, groupLast: last }, size: [x, 1, z] as const }
    const done = last >= groups
    yield {
      dispatches: first > 0 ? [dispatch] : [...before, dispatch],
      interactions: (covered(last) - covered(first)) * pairs,
      done: done ? 1 : last / groups,
      reads: done ? results.map(({ name, length }) => ({ name, at: 0, length })) : [],
      ...(done && { evaluated: { key: 'order', first: values.evaluated, length: groups, targets, targetsPerGroup } }),
    }
    first = last
  } while (first < groups)
}
