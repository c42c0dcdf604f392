/**
 * The stages around the grid of a mesh, on a device whose sequences take grids.
 *
 * @module
 */
import { sumMap, weightName, weightsMap } from '../../methods/mesh/smooth-maps.ts'
import type { SmoothParts } from '../../methods/mesh/smooth-parts.ts'
import type { PlannedStage } from './planned-stage.ts'
import { workNames } from './work-names.ts'

export interface SmoothStages {
  readonly before: PlannedStage
  readonly after: PlannedStage
  /** The arrays of the weights and of the fields. */
  readonly weights: readonly string[]
  readonly fields: readonly string[]
}

/**
 * @param mesh the number of the force among those of pairs
 * @param array the sum over near pairs, a vector
 * @param takenOut a vector to add: the smooth parts of excluded pairs, times -1
 */
export function smoothStages(parts: SmoothParts, mesh: number, array: string, takenOut?: string): SmoothStages {
  const weights = parts.weights.map((_, n) => workNames.meshWeight(mesh, n))
  const fields = parts.fields.map((_, n) => workNames.meshField(mesh, n))
  const arrays = [array, ...(takenOut === undefined ? [] : [takenOut])]
  return {
    before: {
      workload: weightsMap(parts),
      outputs: Object.fromEntries(weights.map((name, n) => [weightName(n), name])),
    },
    after: { workload: sumMap(parts, { arrays, weights, fields }, parts.sum.dimension), outputs: { sum: array } },
    weights,
    fields,
  }
}
