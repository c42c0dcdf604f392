/**
 * The parts of the array `order` for the sort by the cells of a grid, behind the orders of the sets: the counts of cells, which become their
 * first places, sums of counts, and the last counted point of each cell.
 *
 * @module
 */
import { cellsPerGroup } from './counting-sort.ts'

/** Words of the array `keys`: the cell of each point, and the point that was counted in it before. */
export const cellKeysWords = (points: number): number => 2 * points

export interface CellSortPlaces {
  readonly starts: number
  readonly sums: number
  readonly heads: number
  /** Where the words end that are cleared first. */
  readonly cleared: number
}

/** The parts from word `first` on, for `room` cells. */
export function cellSortPlaces(first: number, room: number): CellSortPlaces {
  const sums = first + room
  const heads = sums + room / cellsPerGroup
  return { starts: first, sums, heads, cleared: heads + room }
}
