/**
 * The numbers that a user or d3 sets, checked, and the tolerance that matches an opening angle of d3.
 *
 * @module
 */

import type { Dimensions } from './nodes.ts'

/** The least tolerance in float32, because sums over all pairs are not more exact. */
const leastSingle = 1e-6

/**
 * The default of d3, and the 99th percentile of its errors at that angle, in a square, a phyllotaxis and clusters of 8000
 * nodes: 0.5 to 1.3 %.
 */
const [usualTheta, usualTolerance] = [0.9, 1e-2]

/** @throws RangeError */
export function finiteOr(value: number, name: () => string): number {
  if (!Number.isFinite(value)) throw new RangeError(`${name()} expected a finite number, got ${value}`)
  return value
}

/** d3-force gives no dimensions; d3-force-3d does. @throws RangeError */
export function dimensionsOf(value = 2): Dimensions {
  if (value === 1 || value === 2 || value === 3) return value
  throw new RangeError(`"dimensions" expected 1, 2 or 3, got ${String(value)}`)
}

/** @throws RangeError */
export function toleranceOf(value: number): number {
  if (value === 0 || (value >= leastSingle && value < 1)) return value
  throw new RangeError(
    `"tolerance" expected 0 for the exact sums, or a number from ${leastSingle} to 1, got ${String(value)}`,
  )
}

/**
 * The error of d3 at an opening angle: it grows with the third power of the angle. Right within a factor of 2 from 0.2 to 1.5.
 */
export function toleranceAt(theta: number): number {
  const tolerance = usualTolerance * (Math.abs(theta) / usualTheta) ** 3
  if (!(tolerance < 1)) throw new RangeError(`"theta" expected a number below ${thetaOf(1).toFixed(1)}, got ${theta}`)
  return tolerance < leastSingle ? 0 : tolerance
}

export function thetaOf(tolerance: number): number {
  return usualTheta * Math.cbrt(tolerance / usualTolerance)
}
