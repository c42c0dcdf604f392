/**
 * The designs of a sum with a tolerance, one for each guard.
 *
 * @module
 */
import type { PairWorkload, Precision, Shape } from '@manybody/core'
import { guardRule } from '@manybody/core/expression'
import { weightedWorkload } from '@manybody/core/weights'
import type { TreeDesigns } from '../../design/designs.ts'
import { tileSources } from '../../design/loop-plan.ts'
import { mathCall } from '../expressions/functions.ts'
import { vectorOf } from '../wasm/vector.ts'
import { treeDesign } from './tree-design.ts'

/** @throws TypeError if the sources of the law cannot be combined */
export function treeDesignsOf(
  given: PairWorkload,
  shape: Shape,
  { precision, shared }: { readonly precision: Precision; readonly shared: boolean },
): TreeDesigns {
  const weighted = weightedWorkload(given, shape.dimension)
  if (!weighted) throw new TypeError(`Cannot approximate ${given.law.name}: its sources cannot be combined`)
  const weights = weighted.weights.map(({ attribute }) => attribute)
  const options = { vector: vectorOf(precision), shared, fused: false, tile: tileSources, math: mathCall, weights }
  return {
    weights: weighted.weights,
    guard: guardRule(weighted.workload, shape),
    of: (guard) => treeDesign(weighted.workload, shape, { ...options, guard }),
  }
}
