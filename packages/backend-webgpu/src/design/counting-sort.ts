/**
 * The parts of the array `order` that a counting sort by cells needs behind the order: the counts of cells, which become their
 * first places, and sums of counts.
 *
 * @module
 */
import { alongZ, type Size } from './spread.ts'

/** Cells of a workgroup that adds up their counts. */
export const cellsPerGroup = 2048

/** Words for the counts of this many cells, and for one more number behind the last cell. */
export const roomFor = (cells: number): number => cellsPerGroup * Math.ceil((cells + 1) / cellsPerGroup)

/** The dispatch with a workgroup for each part of the cells. */
export const cellGroups = (room: number): Size => alongZ(room / cellsPerGroup)

/** Words of the array `keys`: the cell of each point, and its number among the points of that cell. */
export const keysWords = (points: number): number => 2 * points

/** Words of the order of a set, and of the same before points of a cell are ranked. */
export const orderWords = (points: number): number => 2 * points

/** Where the parts begin. */
export interface CountingPlaces {
  readonly starts: number
  /** From the counts of a level to those of the next, which take turns; 0 if there is one level. */
  readonly stride: number
  readonly sums: number
  /** Where the number of levels with a crowded cell is. */
  readonly crowded: number
}

/** The parts from word `first` on, and where they end. */
export function countingPlaces(
  first: number,
  room: number,
  levels: 'one' | 'several',
): { readonly places: CountingPlaces; readonly end: number } {
  const stride = levels === 'one' ? 0 : room
  const sums = first + room + stride
  const crowded = sums + room / cellsPerGroup
  return { places: { starts: first, stride, sums, crowded }, end: crowded + 1 }
}
