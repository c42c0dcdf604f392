/**
 * The smooth parts of single pairs, which a grid adds and a sum must not have: those of a point with itself, and of excluded pairs.
 *
 * @module
 */
import type { Exclusions } from '../../contract/backend.ts'
import { backIn, turnBack } from '../../problem/workloads/cell.ts'
import { boxesIn } from '../../problem/workloads/parameters.ts'
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
  const count = rows?.length ?? data.targets.length / 3
  const { components, list } = kernels
  const atZero = splits.map((split) => split.smooth(0))
  const d = new Float64Array(3)
  const [lengths, back] = [boxesIn(parameters), backIn(parameters)]
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
      let r2 = 0
      for (let axis = 0; axis < 3; axis++) {
        const along = (data.sources[3 * j + axis] as number) - (data.targets[3 * i + axis] as number)
        const length = lengths[axis]
        const x = length ? along - length * Math.round(along / length) : along
        d[axis] = x
        r2 += x * x
      }
      if (back) r2 = turnBack(back, d, 3)
      const smooth = splits.map((split) => split.smooth(Math.sqrt(r2)))
      subtract(row, i, j, smooth)
    }
  }
}
