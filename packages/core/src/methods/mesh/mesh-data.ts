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
import { type Extent, extentOf } from './extent.ts'
import type { MeshKernels } from './kernels.ts'
import type { MeshPlan } from './mesh-plan.ts'
import type { SmoothData } from './smooth-sum.ts'

/** Finds each part when it is asked for. A device that does the work itself needs few of them. */
export class PointData implements SmoothData {
  readonly sources: FloatArray
  readonly targets: FloatArray
  readonly #kernels: MeshKernels
  readonly #bindings: Bindings
  #weights: readonly FloatArray[] | undefined
  #factors: readonly FloatArray[] | undefined
  #extent: Extent | undefined

  /** @param sameSet whether targets are also the sources */
  constructor(kernels: MeshKernels, sameSet: boolean, bindings: Bindings) {
    this.#kernels = kernels
    this.#bindings = bindings
    this.sources = positionsOf(bindings.sources)
    this.targets = sameSet ? this.sources : positionsOf(bindings.targets)
  }

  get weights(): readonly FloatArray[] {
    const { sources, parameters } = this.#bindings
    this.#weights ??= this.#kernels.weights.map((e) => valuesOf(e, sources, parameters))
    return this.#weights
  }

  get factors(): readonly FloatArray[] {
    this.#factors ??= factorsOf(this.#kernels, this.#bindings.targets, this.#bindings.parameters)
    return this.#factors
  }

  get extent(): Extent {
    const { sources, targets } = this
    this.#extent ??= extentOf(sources === targets ? [sources] : [sources, targets], this.#kernels.dimension)
    return this.#extent
  }
}

/** Positions. Split coordinates are joined. */
function positionsOf({ arrays }: PointSet): FloatArray {
  const [high, low] = [arrays.position, arrays.positionLow] as [FloatArray, FloatArray | undefined]
  return low ? Float64Array.from(high, (x, n) => x + (low[n] as number)) : high
}

/** The values of each kernel's function of the target. */
export function factorsOf(
  kernels: MeshKernels,
  targets: PointSet,
  parameters: Bindings['parameters'],
): readonly FloatArray[] {
  const known = new Map<string, FloatArray>()
  return kernels.list.map(({ target }) => {
    const values = known.get(key(target)) ?? valuesOf(target, targets, parameters)
    known.set(key(target), values)
    return values
  })
}

const valuesOf = (e: Expr, { arrays, count }: PointSet, parameters: Bindings['parameters']): FloatArray =>
  pointValues(e, arrays, parameters, count)

/** A total counts as 0 if it is far below the sizes that it adds up, because input is rounded. */
export function totalOf(weights: FloatArray): { total: number; isZero: boolean } {
  let total = 0
  let size = 0
  for (let n = 0; n < weights.length; n++) {
    const weight = weights[n] as number
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
    const { total, isZero } = totalOf(data.weights[weight] as FloatArray)
    return isZero
      ? []
      : [[toText(weights[weight] as Expr), area === undefined ? -total / volume : total / area] as const]
  })
  const name = area === undefined ? 'neutralising background' : 'infinite constant'
  return density.length === 0 ? undefined : { name, density: Object.fromEntries(density) }
}
