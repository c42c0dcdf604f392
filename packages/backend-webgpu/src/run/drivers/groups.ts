/**
 * The steps of a loop by workgroups: the loops by blocks and by trees. Each workgroup has some consecutive targets and counts
 * the pairs that it computes. The dispatches before the loop run in the first step.
 *
 * @module
 */
import type { FieldValues, GroupsVersion, KnownDispatch } from '../../design/design.ts'
import { gridLoop } from '../../design/even-grid.ts'
import type { Dispatch, Shader } from '../../design/shader.ts'
import { alongZ } from '../../design/spread.ts'
import type { DesignedResult, DesignRun, Step } from './driver.ts'

export interface GroupLoop {
  /** Numbers of every dispatch of the run. */
  readonly values: FieldValues
  readonly targetsPerGroup: number
  /** Number of pairs of a target, as steps count them. */
  readonly pairs: number
  /** Number of pairs of a target that the loop is expected to compute. */
  readonly expectedPairs: number
  /** Whether a workgroup counts the sources that it met, for all its targets, or the pairs; sources by default. */
  readonly counts?: 'sources' | 'pairs'
}

/** The steps, each with as many whole workgroups as fit the budget. */
export function* groupSteps(
  { shaders, before, values: known }: GroupsVersion,
  { bindings, budget }: DesignRun,
  results: readonly DesignedResult[],
  { values: given, targetsPerGroup, pairs, expectedPairs, counts }: GroupLoop,
): Generator<Step> {
  const values = { ...known, ...given }
  const targets = bindings.targets.count
  const groups = Math.ceil(targets / targetsPerGroup)
  const covered = (group: number) => Math.min(targets, group * targetsPerGroup)
  const prepared = (one: KnownDispatch): Dispatch => ({
    shader: shaders[one.shader] as Shader,
    values: { ...values, ...one.values },
    size: one.size,
  })
  const byGrid = shaders[gridLoop]
  const whole = { ...values, groupFirst: 0, groupLast: groups }
  // Its targets meet few sources, and it leaves the rest to the other loop.
  const beside: readonly Dispatch[] = byGrid ? [{ shader: byGrid, values: whole, size: alongZ(groups) }] : []
  let first = 0
  do {
    const fits = Math.max(1, Math.floor(budget() / (targetsPerGroup * expectedPairs)))
    const last = fits * 1.5 >= groups - first ? groups : first + fits
    const own = { ...values, groupFirst: first, groupLast: last }
    const loop: Dispatch = { shader: shaders.loop, values: own, size: alongZ(last - first) }
    const done = last >= groups
    yield {
      dispatches: first > 0 ? [loop] : [...before.map(prepared), ...beside, loop],
      interactions: (covered(last) - covered(first)) * pairs,
      done: done ? 1 : last / groups,
      reads: done ? results.map(({ name, length }) => ({ name, at: 0, length })) : [],
      ...(done && {
        evaluated: {
          ...{ key: 'order', first: known.evaluated, length: groups },
          // A count of pairs is one of sources if each workgroup has one target.
          ...(counts === 'pairs' ? { targets: groups, targetsPerGroup: 1 } : { targets, targetsPerGroup }),
        },
      }),
    }
    first = last
  } while (first < groups)
}
