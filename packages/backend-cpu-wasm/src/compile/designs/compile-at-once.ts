/**
 * Compiles a sum over pairs ahead of time for callers that cannot wait (`at-once.ts`): the one loop that they run, and its tree.
 *
 * @module
 */
import type { PairWorkload, Precision, Shape } from '@manybody/core'
import { guardBy } from '@manybody/core/backend'
import type { CompiledAtOnce } from '../../design/at-once.ts'
import { leastUnitBlocks, tileSources, type Visit } from '../../design/loop-plan.ts'
import { factsOf } from '../plans/derive-facts.ts'
import { filed } from './compile-ahead.ts'
import { designsBy } from './compiler.ts'
import { designOf } from './designs.ts'
import { treeDesignsOf } from './tree-designs.ts'

/**
 * @param workload a sum. With a method, its tree is compiled, too. All runs must need the same guard as its own parameters
 * @param shape of any number of points
 */
export function compileAtOnce(workload: PairWorkload, shape: Shape, precision: Precision): CompiledAtOnce {
  const facts = factsOf(workload, shape)
  const target = { precision, shared: false }
  const visit: Visit = facts.pair?.blocks ? 'blocks' : 'all'
  const sizes = { registers: undefined, tile: tileSources, unitBlocks: leastUnitBlocks }
  const loop = { ...sizes, fused: false, visit, divides: false, lasts: false }
  const all = designsBy(designOf, facts, workload, shape, target).of({ ...loop, guard: guardBy(facts.guard) })
  if (!workload.method) return { precision, all: filed(all) }
  const { weights, guard, of } = treeDesignsOf(workload, shape, target)
  return { precision, all: filed(all), tree: { weights, design: filed(of(guardBy(guard))) } }
}
