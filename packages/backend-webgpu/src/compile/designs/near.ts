/**
 * The choice between blocks of near points and all pairs.
 *
 * @module
 */
import type { PairWorkload, Shape } from '@manybody/core'
import { keptPower } from '@manybody/core/expression'
import { mostInRegisters } from '../../design/loop-shape.ts'
import type { NearChoice } from '../../design/near.ts'
import { choosesInSequences, mostShare, type PairLoop } from '../../plans/blocks-model.ts'
import { visitsBlocks } from '../plans/block-plan.ts'
import { chooserShader } from '../ranges/choose-blocks.ts'
import { spaceOf } from './block-reach.ts'

/** When blocks are faster than a loop over all pairs; undefined if they never are. @param once whether that meets each pair once */
export function nearChoice(workload: PairWorkload, shape: Shape, once: boolean): NearChoice | undefined {
  if (!visitsBlocks(workload, shape.dimension)) return undefined
  const { targets, sources } = shape
  const all = { targets, sources, loop: pairLoopOf(workload, shape, once) }
  const most = mostShare(all)
  if (most <= 0) return undefined
  const choice = { mostShare: most, kept: keptPower(workload, shape.dimension) && (workload.k ?? 1) }
  if (!choosesInSequences(all)) return choice
  const space = spaceOf({ workload, shape })
  return {
    ...choice,
    get chooser() {
      return { shader: chooserShader(space, shape.sameSet), space }
    },
  }
}

/** The kind of loop over all pairs. @param once whether it meets each pair once */
function pairLoopOf(workload: PairWorkload, { dimension }: Shape, once: boolean): PairLoop {
  const { domain, reduction, k = 1 } = workload
  const periodic = domain.boundary.kind === 'periodic'
  const bare = domain.cutoff === undefined && !periodic
  if (reduction === 'smallest' && k >= mostInRegisters) return 'long lists'
  if (reduction === 'smallest' && k > 1) return bare ? 'bare lists' : 'lists'
  const loop = once ? 'once' : 'other'
  if (keptPower(workload, dimension) !== undefined) return bare ? 'bare extremes' : loop
  return periodic && domain.cutoff ? `${loop} in a box` : loop
}
