/**
 * Finds the usual cutoff of points, if each pair has a cutoff of its own: the distance that, as the cutoff of all pairs, would make as many
 * near each other as loops by blocks meet.
 *
 * @module
 */
import type { FloatArray } from '../../ground/checks.ts'
import { parseAttribute } from '../../ground/names.ts'
import { evaluator } from '../../language/evaluate.ts'
import { type Expr, symbolsOf } from '../../language/nodes.ts'
import type { CutoffSizes } from './cutoff-sizes.ts'
import type { PairNumbers } from './pair-bounds.ts'
import type { Dimension } from './workload.ts'

/** The most points of a side that are looked at, spread evenly over their numbers. */
const mostLooked = 32
/** The least usual reach, as a share of the longest: few points may be all that have a size. */
const leastUsual = 1 / 256
/** Number of targets that look as far as the largest of them. */
const together = 8

/** @param most the longest reach of a pair */
export function usualCutoffOf(
  { target, source }: CutoffSizes,
  { targets, sources, parameters }: PairNumbers,
  { dimension, most }: { readonly dimension: Dimension; readonly most: number },
): number {
  const own = sizesIn(target, targets, parameters)
  const others = sizesIn(source, sources, parameters)
  // A block reaches as far as the largest of its points. Of sorted sizes, this is the share for which the n-th is the largest.
  const largest = (n: number) => ((n + 1) / own.length) ** together - (n / own.length) ** together
  const [a1, a2, a3] = momentsOf(own, largest)
  const [b1, b2, b3] = momentsOf(others, () => 1 / others.length)
  // The mean of the volume within reach, which holds so many sources.
  const volume = dimension === 2 ? a2 + 2 * a1 * b1 + b2 : a3 + 3 * (a2 * b1 + a1 * b2) + b3
  const usual = volume ** (1 / dimension)
  return Math.max(leastUsual * most, usual < most ? usual : most)
}

/** The means of the first three powers of sizes, each with a weight. */
function momentsOf(sizes: Float64Array, weightOf: (n: number) => number): readonly [number, number, number] {
  let [first, second, third] = [0, 0, 0]
  for (let n = 0; n < sizes.length; n++) {
    const [size, weight] = [sizes[n] as number, weightOf(n)]
    first += weight * size
    second += weight * size * size
    third += weight * size * size * size
  }
  return [first, second, third]
}

/** Sizes of some points, ascending. */
function sizesIn(e: Expr, arrays: PairNumbers['targets'], parameters: PairNumbers['parameters']): Float64Array {
  const names = [...symbolsOf(e)]
  const attributes = names.map((name) => arrays[parseAttribute(name)?.attribute ?? ''] as FloatArray | undefined)
  const values = Float64Array.from(names, (name) => parameters[name] ?? 0)
  const size = evaluator(e, names)
  const own = attributes.flatMap((array, k) => (array ? [[k, array] as const] : []))
  const points = own[0]?.[1].length ?? 1
  const sizes = new Float64Array(Math.min(mostLooked, points))
  for (let n = 0; n < sizes.length; n++) {
    const point = Math.floor(((n + 0.5) / sizes.length) * points)
    for (const [k, array] of own) values[k] = array[point] as number
    sizes[n] = size(values)
  }
  return sizes.sort()
}
