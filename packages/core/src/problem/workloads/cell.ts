/**
 * Triclinic boxes, and the coordinates in which they are right-angled.
 *
 * The vectors of a box are `a = (ax, 0, 0)`, `b = (xy, by, 0)` and `c = (xz, yz, cz)`. Points of a run or a step get coordinates `u`, in
 * which the box has right angles: a shear of positions, with each axis shortened so that no two points are farther apart than they are.
 * So every walk that finds what is near in a right-angled box finds it here too, and loops turn displacements back: `d = U u`.
 *
 * @module
 */
import { type FloatArray, finite, howMany, positive } from '../../ground/checks.ts'

/** A box with tilts: `[xy]` in 2-D, `[xy, xz, yz]` in 3-D. */
export interface Tilted {
  readonly lengths: readonly number[]
  readonly tilts?: readonly number[]
}

/** The tilts again, because a box may come from storage. @throws TypeError, RangeError */
export function checkedTilts(tilts: unknown, lengths: readonly number[]): readonly number[] {
  const wanted = lengths.length === 2 ? 1 : 3
  if (!Array.isArray(tilts) || tilts.length !== wanted)
    throw new TypeError(`"boundary.tilts" expected ${wanted} numbers, got ${howMany(tilts)}`)
  for (const [n, length] of lengths.entries()) positive(length, `lengths[${n}]`)
  return Object.freeze(tilts.map((tilt, n) => finite(tilt, `boundary.tilts[${n}]`)))
}

export const dot = (u: readonly number[], v: readonly number[]): number =>
  u.reduce((sum, x, n) => sum + x * (v[n] as number), 0)

/** Where two points differ: the shear that makes the box right-angled, row by row, and the length of each row. */
function shearOf({ lengths, tilts = [] }: Tilted) {
  const [, by = 1, cz = 1] = lengths
  const [xy = 0, xz = 0, yz = 0] = tilts
  const [p, q, r] = [xy / by, xz / cz, yz / cz]
  const rows = [
    [1, -p, p * r - q],
    [0, 1, -r],
    [0, 0, 1],
  ]
  return { p, q, r, rows, sizes: rows.map((row) => Math.hypot(...row)) }
}

/** The distances of opposite faces, axis by axis. Each is the length of the side in a right-angled box. */
export function widthsOf(box: Tilted): readonly number[] {
  if (!box.tilts) return box.lengths
  const { sizes } = shearOf(box)
  return box.lengths.map((length, axis) => length / (sizes[axis] as number))
}

/** How a triclinic box becomes right-angled. */
export interface Unsheared {
  /** The numbers of a run: lengths of the right-angled box, and the matrix back. */
  readonly parameters: Readonly<Record<string, number>>
  /** The matrix from positions to the coordinates of the right-angled box. */
  readonly into: readonly (readonly number[])[]
}

/** The numbers of the matrix from coordinates of the right-angled box to displacements, by its rows. */
export const cellNames = [
  ['cellXX', 'cellXY', 'cellXZ'],
  ['', 'cellYY', 'cellYZ'],
  ['', '', 'cellZZ'],
] as const

/** How this box becomes right-angled; undefined if it is, or there is none. */
export function unsheared(
  boundary: { readonly kind: 'open' } | ({ readonly kind: 'periodic' } & Tilted),
): Unsheared | undefined {
  if (boundary.kind === 'open' || !boundary.tilts) return undefined
  const { lengths } = boundary
  const { p, q, r, rows, sizes } = shearOf(boundary)
  // With each axis shortened by the root of a sum of products with the others, no distance is longer than it was (Gershgorin).
  const units = rows.map((row, n) => row.map((x) => x / (sizes[n] as number)))
  const scales = units.map((u, n) => {
    return 1 / (Math.sqrt(units.reduce((sum, v) => sum + Math.abs(dot(u, v)), 0)) * (sizes[n] as number))
  })
  const back = [
    [1, p, q],
    [0, 1, r],
    [0, 0, 1],
  ]
  const parameters: Record<string, number> = {}
  for (const [axis, length] of lengths.entries()) {
    parameters[`box${'XYZ'[axis]}`] = length * (scales[axis] as number)
    for (let k = axis; k < lengths.length; k++)
      parameters[cellNames[axis]?.[k] as string] = (back[axis]?.[k] as number) / (scales[k] as number)
  }
  const into = lengths.map((_, n) => lengths.map((_, axis) => (rows[n]?.[axis] as number) * (scales[n] as number)))
  return { parameters, into }
}

/** Positions in the coordinates of the right-angled box. */
export function inSquare({ into }: Unsheared, position: FloatArray): Float64Array {
  const dimension = into.length
  const square = new Float64Array(position.length)
  for (const [axis, row] of into.entries())
    for (let n = 0; n < position.length; n += dimension) {
      let sum = 0
      for (let k = axis; k < dimension; k++) sum += (row[k] as number) * (position[n + k] as number)
      square[n + axis] = sum
    }
  return square
}

/** The rows of the matrix from coordinates of the right-angled box to displacements. */
export type Back = readonly (readonly number[])[]

/** Those of a run; undefined if its box is right-angled. */
export const backIn = (parameters: Readonly<Record<string, number>>): Back | undefined =>
  parameters.cellXX === undefined ? undefined : cellNames.map((row) => row.map((name) => parameters[name] ?? 0))

/** Turns a displacement back, in place. Returns its square. */
export function turnBack(back: Back, d: Float64Array, dimension: number): number {
  let r2 = 0
  for (let axis = 0; axis < dimension; axis++) {
    let along = 0
    for (let k = axis; k < dimension; k++) along += (back[axis]?.[k] as number) * (d[k] as number)
    d[axis] = along
    r2 += along * along
  }
  return r2
}
