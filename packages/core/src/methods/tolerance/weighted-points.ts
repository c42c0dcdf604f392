/**
 * The weights of sources as numbers, from the attributes of a run.
 *
 * @module
 */
import type { FloatArray } from '../../ground/checks.ts'
import type { SourceWeight } from '../../problem/workloads/tree-facts.ts'
import { pointValues } from './point-values.ts'
import type { WeightedPoints } from './proxy-scheme.ts'

/** The values of each weight, point by point. */
export function weightsOf(
  weights: readonly SourceWeight[],
  attributes: Readonly<Record<string, FloatArray>>,
  parameters: Readonly<Record<string, number>>,
  count: number,
): readonly FloatArray[] {
  return weights.map(({ value }) => pointValues(value, attributes, parameters, count))
}

/** Positions and weights in the order of places. */
export function byPlace(
  order: Uint32Array,
  position: FloatArray,
  weights: readonly FloatArray[],
  dimension: number,
): WeightedPoints {
  const [places, width] = [order.length, weights.length]
  const points = { position: new Float64Array(places * dimension), weight: new Float64Array(places * width) }
  for (let place = 0; place < places; place++) {
    const point = order[place] as number
    for (let axis = 0; axis < dimension; axis++)
      points.position[place * dimension + axis] = position[point * dimension + axis] as number
    for (let w = 0; w < width; w++) points.weight[place * width + w] = (weights[w] as FloatArray)[point] as number
  }
  return points
}
