/**
 * The facts of a workload that decide between blocks of near points and all pairs.
 *
 * @module
 */
import type { PairWorkload, Shape } from '@manybody/core'
import { keptPower, neededOfEqual } from '@manybody/core/expression'
import { mostInRegisters } from '../../design/loop-shape.ts'
import type { NearFacts } from '../../designs/near-choice.ts'
import type { PairLoop } from '../../plans/blocks-model.ts'
import { visitsBlocks, visitsCells } from '../plans/block-plan.ts'
import { reachRule, spaceOf } from './block-reach.ts'

/** The facts of a workload; undefined if blocks are never faster. */
export function nearFacts(workload: PairWorkload, shape: Shape): NearFacts | undefined {
  if (!visitsBlocks(workload, shape.dimension)) return undefined
  const [once, other] = [true, false].map((one) => pairLoopOf(workload, shape, one)) as [PairLoop, PairLoop]
  const kept = keptPower(workload, shape.dimension) && (workload.k ?? 1)
  const cells = visitsCells(workload, shape)
    ? { loops: { once: 'once by cells', other: 'other by cells' } as const, rule: reachRule({ workload, shape }) }
    : undefined
  const fewEqual = neededOfEqual(workload, shape) !== undefined
  return { loops: { once, other }, kept, fewEqual, space: spaceOf({ workload, shape }), cells }
}

/** The kind of loop over all pairs. @param once whether it meets each pair once */
function pairLoopOf(workload: PairWorkload, { dimension }: Shape, once: boolean): PairLoop {
  const { domain, reduction, k = 1 } = workload
  const periodic = domain.boundary.kind === 'periodic'
  const bare = domain.cutoff === undefined && !periodic
  if (reduction === 'smallest' && k >= mostInRegisters) return 'long lists'
  if (reduction === 'smallest' && k > 1) return bare ? 'bare lists' : 'lists'
  if (keptPower(workload, dimension) !== undefined && bare) return 'bare extremes'
  return once ? 'once' : 'other'
}
