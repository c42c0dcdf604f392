/**
 * The shaders that find the nearest sources by the minima of groups of sources.
 *
 * @module
 */
import { minimumFold } from '../folds/folds.ts'
import { markFold, selection } from '../loops/neighbour-selection.ts'
import { pack } from '../loops/pack.ts'
import { pairFields, pairLoop } from '../loops/pair-loop.ts'
import { resume } from '../parts/finish.ts'
import type { WriteShaders } from './pair-parts.ts'

export const groupShaders: WriteShaders = (
  { workload, shape, exclusions },
  { body, fold, texts, run, unskipped },
  plan,
  label,
) => {
  const fields = [...pairFields, ...run]
  const { k = 1 } = workload
  // The loop includes the pair of a target with itself, which saves a test per pair. The selection skips it.
  const minima = minimumFold()
  const mark = unskipped(markFold(k), false)
  const { skipSelf } = body
  const of = {
    k,
    targets: shape.targets,
    group: plan.shape.group,
    skipSelf,
    exclusions,
    resume: resume(texts, fold, [0], exclusions, 'run.carry == 1u && group.y == 0u', () => 'at_0'),
  }
  return {
    pack: pack(`${label}: sources packed`, texts, fields),
    loop: pairLoop(label, unskipped(minima, exclusions), minima, plan.shape, run, exclusions),
    combine: selection(`${label}: selection`, { pair: texts, mark }, fold, of, fields),
  }
}
