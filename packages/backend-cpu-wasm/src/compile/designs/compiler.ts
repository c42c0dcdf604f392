/**
 * The compiler: modules of workloads from their laws. The runtime loads it when a law is prepared.
 *
 * @module
 */
import type { PairWorkload, Precision, Shape, Workload } from '@manybody/core'
import type { Designs } from '../../design/designs.ts'
import { factsOf } from '../plans/facts.ts'
import { vectorOf } from '../wasm/vector.ts'
import { designOf } from './designs.ts'

/** What modules depend on besides the workload. */
export interface Target {
  readonly precision: Precision
  /** Whether threads share the memory. */
  readonly shared: boolean
}

export function designsOf(workload: Workload, shape: Shape, { precision, shared }: Target): Designs {
  return {
    facts: factsOf(workload, shape),
    of: (options) => designOf(workload, shape, { ...options, vector: vectorOf(precision), shared }, options),
    lasting: true,
    tree: async () => {
      const { treeDesignsOf } = await import('./tree-designs.ts')
      return treeDesignsOf(workload as PairWorkload, shape, { precision, shared })
    },
  }
}
