/**
 * The smooth parts of single pairs, which a grid adds and a sum must not have: those of a point with itself, and of excluded pairs.
 *
 * @module
 */
import type { Exclusions } from '../../contract/backend.ts'
import { backIn, turnBack } from '../../problem/workloads/cell.ts'
import { imageVectorsIn, toImage } from '../../problem/workloads/nearest-image.ts'
import type { MeshKernels } from './kernels.ts'
import type { SmoothData } from './smooth-sum.ts'
import type { Split } from './split/split.ts'

export interface TakenOut {
  /** Whether each target leaves out the source of the same number. */
  readonly self: boolean
  readonly exclusions: Exclusions | undefined
}

/**
 * Takes them out of the sums.
 *
 * @param parameters of the run, with its box
 * @param rows the numbers of the targets; all by default
 */
export function takeOut(
  { self, exclusions }: TakenOut,
  splits: readonly Split[],
  parameters: Readonly<Record<string, number>>,
  kernels: MeshKernels,
  data: SmoothData,
  sums: Float64Array,
  rows?: readonly number[],
): void {
  const { components, list, dimension } = kernels
  const count = rows?.length ?? data.targets.length / dimension
  const atZero = splits.map((split) => split.smooth(0))
  const d = new Float64Array(dimension)
  const [vectors, back] = [imageVectorsIn(parameters, dimension), backIn(parameters)]
  const subtract = (row: number, i: number, j: number, values: readonly number[]) => {
    for (const [n, { component, factor, weight, radial, axis }] of list.entries()) {
      const at = row * components + component
      const product = factor * (data.factors[n]?.[i] as number) * (data.weights[weight]?.[j] as number)
      const term = product * (values[radial] as number) * (axis === undefined ? 1 : (d[axis] as number))
      sums[at] = (sums[at] as number) - term
    }
  }
  // Vectors vanish where a point meets itself.
  if (self && list.some(({ axis }) => axis === undefined))
    for (let row = 0; row < count; row++) subtract(row, rows?.[row] ?? row, rows?.[row] ?? row, atZero)
  if (!exclusions) return
  for (let row = 0; row < count; row++) {
    const i = rows?.[row] ?? row
    for (let n = exclusions.offsets[i] as number; n < (exclusions.offsets[i + 1] as number); n++) {
      const j = exclusions.sources[n] as number
      if (self && j === i) continue
      for (let axis = 0; axis < dimension; axis++)
        d[axis] = (data.sources[dimension * j + axis] as number) - (data.targets[dimension * i + axis] as number)
      if (back) turnBack(back, d, dimension)
      toImage(d, vectors)
      let r2 = 0
      for (const x of d) r2 += x * x
      const smooth = splits.map((split) => split.smooth(Math.sqrt(r2)))
      subtract(row, i, j, smooth)
    }
  }
}
