/**
 * The dispatches that put a set of points in order along a curve.
 *
 * @module
 */
import { cellGroups } from '../design/counting-sort.ts'
import { curvePlaces, curveRoom, divisions, firstCells } from '../design/curve-cells.ts'
import type { KnownDispatch } from '../design/design.ts'
import { layingName } from '../design/even-grid.ts'
import { boundsGroups, boundsShares, dividingGroups, pointGroups } from '../design/order-layout.ts'
import { type BoxSpace, needsBounds } from '../design/space.ts'

/** The names of the shaders that differ between sets. */
export const orderingNames = (set: string): readonly [bounds: string, count: string, divide: string] => [
  `bounds of ${set}`,
  `count of ${set}`,
  `divide ${set}`,
]

/** Where the parts of the array `order` begin: the order of a set, and its counting sort. */
export interface OrderPlaces {
  readonly orderFirst: number
  readonly countsFirst: number
  /** Where the grid is, if the device may lay one over the set. */
  readonly grid?: number | undefined
}

export function ordering(
  set: string,
  space: BoxSpace,
  count: number,
  { orderFirst, countsFirst, grid }: OrderPlaces,
): readonly KnownDispatch[] {
  if (count === 0) return []
  const boxGroups = boundsGroups(count)
  const first = firstCells(space.dimension, count)
  const values = {
    ...{ count, orderFirst },
    ...curvePlaces(count, countsFirst).places,
    ...first,
    ...(grid !== undefined && { grid }),
  }
  const [bounds, counting, divide] = orderingNames(set)
  const [points, cells] = [pointGroups(count), cellGroups(curveRoom(count))]
  const around: readonly KnownDispatch[] = [
    { shader: bounds, values, size: [boxGroups, 1, 1] },
    { shader: 'wholeBox', values: { boxCount: boundsShares * boxGroups }, size: [1, 1, 1] },
  ]
  return [
    ...(needsBounds(space) ? around : []),
    ...(grid === undefined ? [] : [{ shader: layingName, values, size: [1, 1, 1] } as const]),
    { shader: 'clearCells', values, size: cells },
    { shader: counting, values, size: points },
    ...divisions.flatMap((_, n): KnownDispatch[] => {
      const level = { ...values, level: n + 1 }
      return [
        { shader: 'sumParts', values: level, size: cells },
        { shader: 'startParts', values: level, size: cells },
        { shader: divide, values: level, size: dividingGroups(count) },
      ]
    }),
    { shader: 'sumCells', values, size: cells },
    { shader: 'startCells', values, size: cells },
    { shader: 'placePoints', values, size: points },
    { shader: 'rankPoints', values, size: points },
  ]
}
