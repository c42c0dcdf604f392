/**
 * The box that a grid repeats. Points of a triclinic box come in coordinates in which it is right-angled (`workloads/cell.ts`), and so the
 * grid has right angles in them. Its waves are those of the box as it is.
 *
 * @module
 */
import { backIn } from '../../problem/workloads/cell.ts'

export type Triple = readonly [number, number, number]
type Rows = readonly [Triple, Triple, Triple]

export interface MeshBox {
  /** After these lengths, the grid repeats in the coordinates of points. */
  readonly lengths: Triple
  /** The lengths of the vectors of the box. */
  readonly sides: Triple
  /** The distances of opposite faces. */
  readonly widths: Triple
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

/** A box with right angles. */
export const rightBox = (lengths: Triple): MeshBox => boxWith(lengths, identity)

/** The periodic box of a run. */
export function boxIn(parameters: Readonly<Record<string, number>>): MeshBox {
  const { boxX, boxY, boxZ } = parameters
  return boxWith([boxX, boxY, boxZ] as unknown as Triple, (backIn(parameters) ?? identity) as Rows)
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
    lengths,
    sides: each((n) => lengths[n] * Math.hypot(back[0][n], back[1][n], back[2][n])),
    widths: each((n) => lengths[n] / Math.hypot(...inverse[n])),
    volume: lengths[0] * lengths[1] * lengths[2] * xx * yy * zz,
    waves,
    isRight: xy === 0 && xz === 0 && yz === 0,
  }
}
