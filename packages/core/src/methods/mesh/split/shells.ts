/**
 * Thin shells around a point, and their transforms: spheres in space, circles in a plane.
 *
 * @module
 */
import type { FourierRules } from './fourier-tail.ts'

/** A plane or space. */
export type SpaceDimension = 2 | 3

/** A function by its values, for distances > 0. */
export type Radial = (r: number) => number

/** A radial function, and the distance from which on it is transformed. */
interface Tail {
  readonly reach: number
  /** Whether the function is the factor of the displacement. */
  readonly along: boolean
}

export interface Shells {
  /** The area or the length of a shell. */
  size(r: number): number
  /** The transform of a shell: of a scalar, or of displacements. */
  transform(k: number, r: number, along: boolean): number
  /** The transform of a function beyond the reach. @param which rules of integration */
  tail(value: Radial, k: number, tail: Tail, which?: FourierRules): number
}
