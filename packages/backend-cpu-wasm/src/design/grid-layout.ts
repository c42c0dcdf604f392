/**
 * The memory of sums through a grid: records of points, lines that are transformed side by side, and the entries of the block.
 *
 * @module
 */
import type { Precision } from '@manybody/core'
import type { GridSum } from '@manybody/core/backend'

/** The facts about a sum that its module depends on. */
export interface GridForm {
  readonly precision: Precision
  readonly shared: boolean
  /** Of the points. In a plane, a grid has one row in each plane along x. */
  readonly dimension: 2 | 3
  /** Of the window, and of the polynomials of its pieces. */
  readonly width: number
  readonly degree: number
  /** The terms of each field. */
  readonly fields: readonly (readonly { readonly weight: number; readonly turned: boolean }[])[]
}

export function gridForm({ window, fields, precision, dimension }: GridSum, shared: boolean): GridForm {
  const { width, degree } = window
  return {
    ...{ precision, shared, dimension, width, degree },
    fields: fields.map((terms) => terms.map(({ weight, turned }) => ({ weight, turned }))),
  }
}

/** A module for sums of a form, and the names of the entries of its block, each of 8 bytes. */
export interface GridDesign {
  readonly module: Uint8Array<ArrayBuffer>
  readonly phases: readonly { readonly name: GridPhase }[]
  readonly block: readonly string[]
}

export type GridPhase =
  | 'locate'
  | 'sort'
  | 'window'
  | 'spread'
  | 'forwardZ'
  | 'forwardY'
  | 'forwardX'
  | 'backX'
  | 'backY'
  | 'backZ'
  | 'gather'

/** Bytes of the numbers that lines side by side have at one place: eight registers. */
export const lineBytes = 128

/** Points in a unit of the phases over points. */
export const unitPoints = 256

/** Bytes of a number. */
export const numberBytes = (precision: Precision): 4 | 8 => (precision === 'f64' ? 8 : 4)

/** Bytes of some numbers in whole registers. */
export const registerBytes = (numbers: number, precision: Precision): number =>
  16 * Math.ceil((numbers * numberBytes(precision)) / 16)

/**
 * A record of a point: the values of its window along x, y and z, in whole registers; then, as `u32`, the first grid points along x and
 * y, the bytes to the first one along z, and the number of the point. In a plane, there are no values along y.
 */
export function recordLayout({ width, precision, dimension }: Pick<GridForm, 'width' | 'precision' | 'dimension'>): {
  readonly axis: number
  readonly alongZ: number
  readonly places: number
  readonly bytes: number
} {
  const axis = registerBytes(width, precision)
  return { axis, alongZ: (dimension - 1) * axis, places: dimension * axis, bytes: dimension * axis + 16 }
}

/** An entry of a table of passes: `u32` radix, groups, and the address of the factors. A radix of 0 ends it. */
export const passBytes = 16
