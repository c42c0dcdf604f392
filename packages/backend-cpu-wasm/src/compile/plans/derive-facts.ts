/**
 * Derives the facts about a law that plans need.
 *
 * @module
 */
import type { PairWorkload, Shape, Workload } from '@manybody/core'
import { lawFact, resultArrays } from '@manybody/core/backend'
import { cancelsInertia, guardRule, keptPower, onceObstacle, reductions } from '@manybody/core/expression'
import type { PairFacts, PlanFacts } from '../../design/plan-facts.ts'

export function factsOf(workload: Workload, shape: Shape): PlanFacts {
  const guard = guardRule(workload, shape)
  return workload.loop === 'pair' ? { guard, pair: pairFacts(workload, shape) } : { guard }
}

function pairFacts(workload: PairWorkload, shape: Shape): PairFacts {
  const { reduction, k = 1 } = workload
  const { dimension, split } = shape
  const blocks = visitsBlocks(workload, shape)
  return {
    onceObstacle: onceObstacle(workload, shape),
    blocks,
    ...(blocks && lawFact('sizes', workload, shape) && { sized: true }),
    kept: keptPower(workload, dimension) === undefined ? undefined : k,
    cancelsInertia: cancelsInertia(workload, dimension),
    perTarget: [...resultArrays(workload, { ...shape, targets: 1 }, 'f32').values()].reduce((n, a) => n + a.length, 0),
    // Sums over coordinates of one number each.
    linear: reductions[reduction].linear === true && !split,
  }
}

/**
 * All workloads that have a cutoff or keep the nearest sources, except a matrix, which also contains the other pairs. If the
 * caller gives ranges, they alone decide which pairs are visited. Vectors are not put in order with their points.
 */
function visitsBlocks(
  workload: PairWorkload,
  { dimension, ranged, lengths }: Pick<Shape, 'dimension' | 'ranged' | 'lengths'>,
): boolean {
  const { reduction, domain } = workload
  return (
    !ranged &&
    !lengths &&
    reduction !== 'none' &&
    (domain.cutoff !== undefined || keptPower(workload, dimension) !== undefined)
  )
}
