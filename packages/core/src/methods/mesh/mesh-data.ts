/**
 * The numbers of points that a grid sums: positions, weights of sources and factors of targets in float64. Their totals tell which
 * mean a periodic sum leaves out.
 *
 * @module
 */
import type { Bindings, PointSet } from '../../contract/backend.ts'
import type { FloatArray } from '../../ground/checks.ts'
import { parseAttribute } from '../../ground/names.ts'
import type { RemovedMean } from '../../ground/report.ts'
import { evaluator } from '../../language/evaluate.ts'
import { toText } from '../../language/infix.ts'
import { type Expr, key, symbolsOf } from '../../language/nodes.ts'
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
  return low ? Float64Array.from(high, (x, n) => x + (low[n] as number)) : new Float64Array(high)
}

/** The values of a function of a point's attributes. */
function valuesOf(e: Expr, { arrays, count }: PointSet, parameters: Bindings['parameters']): Float64Array {
  const column = e.kind === 'symbol' ? arrays[parseAttribute(e.name)?.attribute ?? ''] : undefined
  if (column) return new Float64Array(column as FloatArray)
  const names = [...symbolsOf(e)]
  const of = evaluator(e, names)
  const values = Float64Array.from(names, (name) => parameters[name] ?? 0)
  const columns = names.map((name) => arrays[parseAttribute(name)?.attribute ?? ''] as FloatArray | undefined)
  return Float64Array.from({ length: count }, (_, point) => {
    for (const [n, column] of columns.entries()) if (column) values[n] = column[point] as number
    return of(values)
  })
}

/** A total counts as 0 if it is far below the sizes that it adds up, because input is rounded. */
export function totalOf(weights: Float64Array): { total: number; isZero: boolean } {
  let [total, size] = [0, 0]
  for (const weight of weights) {
    total += weight
    size += Math.abs(weight)
  }
  return { total, isZero: Math.abs(total) <= 1e-6 * size }
}

/** The mean that slow laws lose: the weights of a background without which their sums would be infinite. */
export function meanOf(
  { splits, grid }: MeshPlan,
  { list, weights }: MeshKernels,
  data: SmoothData,
): RemovedMean | undefined {
  const [x, y, z] = grid.sum.lengths
  const slow = new Set(list.filter(({ radial }) => splits[radial]?.slow).map(({ weight }) => weight))
  const density = [...slow].flatMap((weight) => {
    const { total, isZero } = totalOf(data.weights[weight] as Float64Array)
    return isZero ? [] : [[toText(weights[weight] as Expr), -total / (x * y * z)] as const]
  })
  return density.length === 0 ? undefined : { name: 'neutralising background', density: Object.fromEntries(density) }
}
