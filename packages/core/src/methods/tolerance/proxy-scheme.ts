/**
 * A way to replace the points of a box by proxies. It keeps a few numbers per box, the *state*, and adds points and the states
 * of smaller boxes to it. The proxies follow from the state.
 *
 * @module
 */

/** A box with `centre[3]` and `half[3]` from an offset on, as the nodes of a tree have. */
export interface BoxIn {
  readonly boxes: Float64Array
  readonly at: number
}

/** Points in space, each with the same number of weights. */
export interface WeightedPoints {
  /** Coordinates, point by point. */
  readonly position: Float64Array
  /** Weights, point by point. */
  readonly weight: Float64Array
}

export interface ProxyScheme {
  readonly name: string
  /** How many proxies stand for a box. */
  readonly size: number
  /** How many numbers the state of a box has. */
  readonly stateSize: number
  /** Adds the points `first ... last - 1` to the state of a box, from `at` on. */
  addPoints(points: WeightedPoints, first: number, last: number, box: BoxIn, state: Float64Array, at: number): void
  /** Adds the state of a box within this one, which starts at `innerAt`. */
  addBox(inner: BoxIn, innerAt: number, box: BoxIn, state: Float64Array, at: number): void
  /** Writes the proxies of a box as points `first` and following. */
  place(box: BoxIn, state: Float64Array, at: number, proxies: WeightedPoints, first: number): void
}
