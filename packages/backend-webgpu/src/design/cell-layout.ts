/**
 * The grid of cells over a periodic box, and the parts of the arrays that put points in the order of their cells by a counting
 * sort.
 *
 * A target looks at rows of cells along x. The cells of a row have consecutive numbers, so a row is one part of the order. Cells
 * are as wide as the reach, so that a target looks at few rows, and much shorter along x, so that it looks at short ones.
 *
 * @module
 */
import type { Dimension } from '@manybody/core'
import { axesOf, boxesIn } from '@manybody/core/backend'
import { type ReachRule, reachTerms } from '@manybody/core/near'
import { roomFor } from './counting-sort.ts'
import type { FieldValues } from './design.ts'
import type { Field } from './shader.ts'

export type CellRule = Omit<ReachRule, 'cutoff' | 'unit'>

/** The edge of a cell along x, as a share of the reach. Shorter cells have shorter rows, but there are more of them to count. */
const edgeAlongRow = 1 / 5

/** Default number of targets of a workgroup. Several invocations share a target where there are few. */
export const targetsByCells = (targets: number): number => (targets > 2 ** 17 ? 64 : targets > 2 ** 15 ? 16 : 8)

/** Room for the cells of the grid. */
export const gridRoom = (points: number): number => roomFor(2 * points)

/** The most cells for this number of points. */
export const mostCells = (points: number): number => gridRoom(points) - 1

/** Lengths of a periodic box, as a device reads them. */
export const boxLengths = (parameters: FieldValues): readonly number[] => boxesIn(parameters).map(Math.fround)

/** Whether a pair is within the cutoff through one image only, whatever the roundings. */
export function fitsCells(parameters: FieldValues): boolean {
  const { cutoff = 0 } = parameters
  return boxLengths(parameters).every((length) => 2 * cutoff < length * (1 - 2 ** -18) && length < Infinity)
}

/** How far targets look: displacements are differences of places inside the box, rounded as numbers of its size. */
export function cellReach(rule: CellRule, parameters: FieldValues): number {
  const { cutoff = 0, lengthUnit = 1 } = parameters
  const { fixed, ofSize } = reachTerms({ ...rule, cutoff, unit: lengthUnit })
  // Rounding to float32 must not shorten it.
  return (1 + 2 ** -22) * (fixed + ofSize * Math.max(...boxLengths(parameters)))
}

/**
 * The most points in a cube of the reach. With more, blocks of points are much smaller than the reach, and the targets of a
 * workgroup have nearly the same sources.
 */
const mostInReach = 32

/** Whether cells suit a run: the cutoff fits the box, and the points are neither too few for the cells of the box nor too many in each. */
export function suitsCells(rule: CellRule, parameters: FieldValues, points: number): boolean {
  if (!fitsCells(parameters)) return false
  const [lengths, reach] = [boxLengths(parameters), cellReach(rule, parameters)]
  const inReach = lengths.reduce((part, length) => (part * reach) / length, points)
  return inReach <= mostInReach && cellGrid(lengths, reach, mostCells(points)).edge === 1
}

/** Cells along each axis of a box. */
export interface CellGrid {
  readonly along: readonly number[]
  readonly count: number
  /** The edge of a cell that is as long as the box allows, relative to the reach: 1 unless cells would be too many. */
  readonly edge: number
}

/** The grid for a box and a reach. @param most the most cells */
export function cellGrid(lengths: readonly number[], reach: number, most: number): CellGrid {
  const along = (edge: number) =>
    lengths.map((length, axis) =>
      Math.max(1, Math.min(most, Math.floor(length / (axis === 0 ? edgeAlongRow * edge : edge)))),
    )
  const countOf = (cells: readonly number[]) => cells.reduce((product, n) => product * n, 1)
  let edge = reach
  while (countOf(along(edge)) > most) edge *= 1.1
  const cells = along(edge)
  return { along: cells, count: countOf(cells), edge: edge / reach }
}

/** Fields of the uniform block for the grid. */
export const gridFields = (dimension: Dimension): readonly Field[] => [
  ...axesOf(dimension).flatMap((axis): Field[] => [
    { name: `cells_${axis}`, type: 'u32', note: `number of cells along ${axis}` },
    { name: `edge_${axis}`, type: 'f32', note: 'length of their edges' },
    { name: `perEdge_${axis}`, type: 'f32' },
  ]),
]

/** Values of those fields. */
export function gridValues(dimension: Dimension, { along }: CellGrid, lengths: readonly number[]): FieldValues {
  const values = axesOf(dimension).flatMap((axis, n) => {
    const [cells, length] = [along[n] as number, lengths[n] as number]
    return [
      [`cells_${axis}`, cells],
      [`edge_${axis}`, length / cells],
      [`perEdge_${axis}`, cells / length],
    ]
  })
  return Object.fromEntries(values)
}
