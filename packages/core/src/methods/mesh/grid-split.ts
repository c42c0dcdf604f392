/**
 * The split of a radial function with the transform that a grid takes. Periodic and open space have splits of their own.
 *
 * @module
 */
import type { Split } from './split/split.ts'

export interface GridSplit extends Split {
  /** The transform of the smooth part at frequency 0. If the sum over images diverges, it takes out the mean of the whole function. */
  readonly total: number
  /** Whether the sum over images diverges, or depends on their order. Its mean is then left out. */
  readonly slow: boolean
  /** Whether the mean of the function is infinite at contact, so that only weights without a total have a sum. */
  readonly endless: boolean
  /** The transform of the smooth part from a table, for the frequencies of a grid up to the band. */
  table(k: number): number
}
