/**
 * Sums through a grid that repeats, as a device may compute them. Types only.
 *
 * The weights of sources are spread to grids, transformed, multiplied by factors, transformed back to fields, and read at targets. All
 * numbers that this takes are here, so that a device knows no law.
 *
 * @module
 */
import type { DeviceBuffer } from '../ground/arrays/bindings.ts'
import type { FloatArray } from '../ground/checks.ts'
import type { Precision } from '../ground/precision.ts'

type Triple = readonly [x: number, y: number, z: number]

export interface GridSum {
  /** The dimension of the points. In a plane, the grid has one point along y, and the second coordinate of a point is that along z. */
  readonly dimension: 2 | 3
  /** Edges of the box that the grid repeats. */
  readonly lengths: Triple
  /** Grid points along each edge: factors 2, 3 and 5, at least one more than the window is wide; 1 along y in a plane. */
  readonly sizes: Triple
  /**
   * How many grid points along each edge windows reach, from the first one on, where a part of the grid is empty on purpose. No window then
   * passes an edge. The whole grid by default, and a device may take it so.
   */
  readonly used?: Triple
  /** The number of the highest mode along each edge, below half the size. */
  readonly highest: Triple
  readonly window: GridWindow
  /** The precision that the sum needs. A device may take more. */
  readonly precision: Precision
  /** How many weights a source has. */
  readonly weights: number
  /** The number of a field at a target is the sum over the field's terms. */
  readonly fields: readonly (readonly GridTerm[])[]
}

/** The window that carries points to a grid and back. */
export interface GridWindow {
  /** In grid points. */
  readonly width: number
  /** Of the polynomials of its pieces. Their coefficients are at `power * width + piece`, for places -1 to 1. */
  readonly degree: number
  readonly pieces: Float64Array
}

/** The modes of a weight times factors. */
export interface GridTerm {
  readonly weight: number
  /**
   * For modes x from `-highest` to `highest`, then y, then z from 0 to `highest`, with z varying fastest. Other modes are conjugates:
   * factors of opposite modes are equal, or opposite if they are turned.
   */
  readonly factors: Float64Array
  /** Whether the factors are imaginary: times i. */
  readonly turned: boolean
}

/** The points of a run, with as many coordinates for each as their dimension. These may be outside the box. */
export interface GridPoints {
  readonly sources: FloatArray
  /** For each weight, the numbers of the sources. */
  readonly weights: readonly FloatArray[]
  /** Undefined if the sources are the targets. */
  readonly targets: FloatArray | undefined
}

/** A sum through a grid as a stage of a sequence, over one set of points. */
export interface GridStage {
  readonly grid: GridSum
  /** The coordinates of each point. They may be outside the box. */
  readonly position: DeviceBuffer
  /** For each weight, the numbers of the points. */
  readonly weights: readonly DeviceBuffer[]
  /** Where the numbers of each field at the points go. */
  readonly fields: readonly DeviceBuffer[]
}
