/**
 * The numbers of points that a grid sums: positions, weights of sources and factors of targets in float64. Their totals tell which
 * mean a periodic sum leaves out.
 *
 * @module
 */
import type { Bindings, PointSet } from '../../contract/backend.ts'
import type { FloatArray } from '../../ground/checks.ts'
import type { RemovedMean } from '../../ground/report.ts'
import { toText } from '../../language/infix.ts'
import { type Expr, key } from '../../language/nodes.ts'
import { pointValues } from '../tolerance/point-values.ts'
import type { MeshKernels } from './kernels.ts'
import type { MeshPlan } from './mesh-plan.ts'
import type { SmoothData } from './smooth-sum.ts'

/** @param sameSet whether targets are also the sources */
export function smoothData(kernels: MeshKernels, sameSet: boolean, bindings: Bindings): SmoothData {
  const { parameters, targets, sources } = bindings
  const weights = kernels.weights.map((e) => valuesOf(e, sources, parameters))
  const factors = new Map<string, Float64Array>()
  const there = positionsOf(sources)
  return {
    sources: there,
    targets: sameSet ? there : positionsOf(targets),
    weights,
    factors: kernels.list.map(({ target }) => {
      const known = factors.get(key(target)) ?? valuesOf(target, targets, parameters)
      factors.set(key(target), known)
      return known
    }),
  }
}

/** Positions in float64. Split coordinates are joined. */
function positionsOf({ arrays }: PointSet): Float64Array {
  const [high, low] = [arrays.position, arrays.positionLow] as [FloatArray, FloatArray | undefined]
  const whole = new Float64Array(high)
  return low ? whole.map((x, n) => x + (low[n] as number)) : whole
}

/** The values of a function of a point's attributes, in float64. */
const valuesOf = (e: Expr, { arrays, count }: PointSet, parameters: Bindings['parameters']): Float64Array =>
  new Float64Array(pointValues(e, arrays, parameters, count))

/** A total counts as 0 if it is far below the sizes that it adds up, because input is rounded. */
export function totalOf(weights: Float64Array): { total: number; isZero: boolean } {
  let [total, size] = [0, 0]
  for (const weight of weights) {
    total += weight
    size += Math.abs(weight)
  }
  return { total, isZero: Math.abs(total) <= 1e-6 * size }
}

/**
 * The mean that slow laws lose: the weights of a background without which their sums would be infinite, or those of a slab, by which its
 * infinite constant grows.
 */
export function meanOf(
  { splits, grid }: MeshPlan,
  { list, weights }: MeshKernels,
  data: SmoothData,
): RemovedMean | undefined {
  const { volume, area } = grid
  const slow = new Set(list.filter(({ radial }) => splits[radial]?.slow).map(({ weight }) => weight))
  const density = [...slow].flatMap((weight) => {
    const { total, isZero } = totalOf(data.weights[weight] as Float64Array)
    return isZero
      ? []
      : [[toText(weights[weight] as Expr), area === undefined ? -total / volume : total / area] as const]
  })
  const name = area === undefined ? 'neutralising background' : 'infinite constant'
  return density.length === 0 ? undefined : { name, density: Object.fromEntries(density) }
}
