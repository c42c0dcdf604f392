/**
 * The split of a radial function with the transform that a grid takes. Periodic space, open space and slabs have splits of their own.
 *
 * @module
 */
import type { Triple } from './mesh-box.ts'
import type { Split } from './split/split.ts'

export interface GridSplit extends Split {
  /** Whether the sum over images diverges, or depends on their order. Its mean is then left out. */
  readonly slow: boolean
  /** Whether the mean of the function is infinite at contact, so that only weights without a total have a sum. */
  readonly endless: boolean
  /** The modes of a grid. They may remember as many numbers as the grid has, so plans keep factors instead. */
  modes(): Modes
}

/**
 * The transform of the smooth part at a wave vector of the grid, up to the band; that of a vector is divided by the frequency. At 0 it
 * takes out the mean of the whole function, if the sum over images diverges.
 *
 * @param k the length of the wave vector
 */
type Modes = (wave: Triple, k: number) => number

/** The modes of a space that looks the same along all axes. @param total the mode at 0 */
export const roundModes =
  (table: (k: number) => number, total: number, along: boolean): GridSplit['modes'] =>
  () =>
  (_, k) =>
    k === 0 ? total : along ? table(k) / k : table(k)
