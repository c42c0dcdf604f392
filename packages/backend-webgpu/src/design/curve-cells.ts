/**
 * The cells along a curve that points are sorted by. At first there are about as many as points. Crowded cells are divided, level by
 * level, into cells of their own.
 *
 * @module
 */
import type { Dimension } from '@manybody/core'
import { type CountingPlaces, countingPlaces, roomFor } from './counting-sort.ts'
import type { FieldValues } from './design.ts'

/** A cell with more points than this is crowded. */
export const mostInCell = 32

/** How often crowded cells are divided: in space, and in the end by the indices of points, because points in one place stay together. */
export const divisions: readonly ('in space' | 'by index')[] = ['in space', 'in space', 'by index']

/** Points of a cell for each cell that it is divided into, at least, so that all levels have room for as many cells as points. */
export const pointsPerPart = 4

/** Room for the cells of a level. */
export const curveRoom = (points: number): number => roomFor(points)

export const curvePlaces = (points: number, first: number): { readonly places: CountingPlaces; readonly end: number } =>
  countingPlaces(first, curveRoom(points), 'several')

/** The cells of the first level, for the shader that counts their points. */
export function firstCells(dimension: Dimension, points: number): FieldValues {
  const bits = Math.floor(Math.log2(points))
  const levels = Math.max(1, Math.ceil(bits / dimension))
  return { top: 2 ** (levels - 1), levels, spare: levels * dimension - bits, bits }
}
