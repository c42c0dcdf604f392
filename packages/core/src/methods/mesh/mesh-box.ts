/**
 * The box that a grid repeats. Points of a triclinic box come in coordinates in which it is right-angled (`workloads/cell.ts`), and so the
 * grid has right angles in them. Its waves are those of the box as it is.
 *
 * The second side of a box in a plane is flat: nothing varies along it, and its grid has one point there. The third side is that of y.
 *
 * @module
 */
import { backIn } from '../../problem/workloads/cell.ts'
import type { SpaceDimension } from './split/shells.ts'

export type Triple = readonly [number, number, number]
type Rows = readonly [Triple, Triple, Triple]

export interface MeshBox {
  readonly dimension: SpaceDimension
  /** After these lengths, the grid repeats in the coordinates of points; 1 along a flat side. */
  readonly lengths: Triple
  /** The lengths of the vectors of the box; 0 along a flat side. */
  readonly sides: Triple
  /** The distances of opposite faces; infinite along a flat side. */
  readonly widths: Triple
  /** Its area in a plane. */
  readonly volume: number
  /** The wave vector of the first mode along each side, in radians per unit of length. */
  readonly waves: Rows
  /** Whether the sides are along the axes. */
  readonly isRight: boolean
}

const identity: Rows = [
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
]

/** The sides that are not flat, in the order of coordinates. */
export const sidesIn = (dimension: SpaceDimension): readonly number[] => (dimension === 2 ? [0, 2] : [0, 1, 2])

/** Numbers for the sides that are not flat, and 0 for a flat one. */
export const alongSides = (dimension: SpaceDimension, of: (side: number, coordinate: number) => number): Triple => {
  const numbers = [0, 0, 0]
  for (const [coordinate, side] of sidesIn(dimension).entries()) numbers[side] = of(side, coordinate)
  return numbers as unknown as Triple
}

/** A box with right angles. @param lengths the second one is 0 if that side is flat */
export const rightBox = ([x, y, z]: Triple): MeshBox =>
  y === 0 ? flattened(boxWith([x, z, 1], identity)) : boxWith([x, y, z], identity)

/** The periodic box of a run. */
export function boxIn(parameters: Readonly<Record<string, number>>, dimension: SpaceDimension): MeshBox {
  const { boxX, boxY, boxZ } = parameters
  const back = (backIn(parameters) ?? identity) as Rows
  if (dimension === 3) return boxWith([boxX, boxY, boxZ] as unknown as Triple, back)
  const [[xx, xy], [, yy]] = back
  return flattened(boxWith([boxX as number, boxY as number, 1], [[xx, xy, 0], [0, yy, 0], identity[2]]))
}

/** A box in a plane, from one whose last side is across the plane and has the length 1. */
function flattened({ lengths, sides, widths, volume, waves, isRight }: MeshBox): MeshBox {
  return {
    dimension: 2,
    lengths: [lengths[0], 1, lengths[1]],
    sides: [sides[0], 0, sides[1]],
    widths: [widths[0], Number.POSITIVE_INFINITY, widths[1]],
    volume,
    waves: [waves[0], [0, 0, 0], waves[1]],
    isRight,
  }
}

/** @param back from coordinates of points to displacements */
function boxWith(lengths: Triple, back: Rows): MeshBox {
  const [[xx, xy, xz], [, yy, yz], [, , zz]] = back
  const inverse: Rows = [
    [1 / xx, -xy / (xx * yy), (xy * yz - xz * yy) / (xx * yy * zz)],
    [0, 1 / yy, -yz / (yy * zz)],
    [0, 0, 1 / zz],
  ]
  const waves = inverse.map((row, n) => row.map((x) => (2 * Math.PI * x) / (lengths[n] as number))) as unknown as Rows
  const each = (of: (axis: 0 | 1 | 2) => number): Triple => [of(0), of(1), of(2)]
  return {
    dimension: 3,
    lengths,
    sides: each((n) => lengths[n] * Math.hypot(back[0][n], back[1][n], back[2][n])),
    widths: each((n) => lengths[n] / Math.hypot(...inverse[n])),
    volume: lengths[0] * lengths[1] * lengths[2] * xx * yy * zz,
    waves,
    isRight: xy === 0 && xz === 0 && yz === 0,
  }
}
