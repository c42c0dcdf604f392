/**
 * The compiler: modules of workloads from their laws. The runtime loads it when a law is prepared.
 *
 * @module
 */
import type { PairWorkload, Precision, Shape, Workload } from '@manybody/core'
import type { Designs } from '../../design/designs.ts'
import type { PlanFacts } from '../../design/plan-facts.ts'
import { factsOf } from '../plans/derive-facts.ts'
import { vectorOf } from '../wasm/vector.ts'
import type { DesignOf } from './written.ts'

/** The properties of a device that change its modules. */
export interface Target {
  readonly precision: Precision
  /** Whether threads share the memory. */
  readonly shared: boolean
}

/** The designs of a workload. It loads only the loops that the workload may need. */
export async function designsOf(workload: Workload, shape: Shape, target: Target): Promise<Designs> {
  const facts = factsOf(workload, shape)
  const plain = workload.loop === 'pair' && workload.reduction === 'sum' && !facts.pair?.blocks
  const { designOf } = await (plain ? import('./sum-designs.ts') : import('./designs.ts'))
  return designsBy(designOf, facts, workload, shape, target)
}

/** @param designOf covers every loop that the workload may need */
export function designsBy(
  designOf: DesignOf,
  facts: PlanFacts,
  workload: Workload,
  shape: Shape,
  { precision, shared }: Target,
): Designs {
  return {
    facts,
    of: (options) => designOf(workload, shape, { ...options, vector: vectorOf(precision), shared }, options),
    lasting: true,
    tree: async () => {
      const { treeDesignsOf } = await import('./tree-designs.ts')
      return treeDesignsOf(workload as PairWorkload, shape, { precision, shared })
    },
  }
}
