/**
 * The maps around the grid of a mesh, on a device whose sequences take grids: one gives the numbers that points add to the grid, and one
 * adds the fields to the sum over near pairs.
 *
 * @module
 */
import { axesOf } from '../../ground/axes.ts'
import { productOf, sumOf } from '../../language/canonical.ts'
import { toText } from '../../language/infix.ts'
import { symbol } from '../../language/nodes.ts'
import type { SmoothParts } from '../../methods/mesh/smooth-parts.ts'
import { map } from '../../problem/typed-at-once.ts'
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
  const results = parts.weights.map((e, n) => [`weight${n}`, toText(e)] as const)
  const total = axesOf(parts.sum.dimension).map((axis, component) => {
    const ofGrid = parts.fields.map((field, n) => ({
      ...field,
      of: productOf([field.of, symbol(fields[n] as string)]),
    }))
    const own = [...ofGrid, ...parts.itself].filter((share) => share.component === component)
    const vectors = [array, ...(takenOut === undefined ? [] : [takenOut])].map((name) => symbol(`${name}_${axis}`))
    return toText(sumOf([...vectors, ...own.map(({ of }) => of)]))
  })
  return {
    before: {
      workload: map(Object.fromEntries(results)),
      outputs: Object.fromEntries(results.map(([name], n) => [name, weights[n] as string])),
    },
    after: { workload: map({ sum: total }), outputs: { sum: array } },
    weights,
    fields,
  }
}
