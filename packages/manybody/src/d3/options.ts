/**
 * Checks the numbers that a user or d3 sets, and finds the tolerance that matches an opening angle of d3.
 *
 * @module
 */

import { describe, unexpected } from '@manybody/core/backend'
import type { Dimensions } from './nodes.ts'

/** The least tolerance in float32. Even sums over all pairs are no more exact. */
const leastSingle = 1e-6

/**
 * d3's default angle, and the 99th percentile of its errors at that angle. It was 0.5 to 1.3 % for 8000 nodes in a square, a phyllotaxis
 * and clusters.
 */
const [usualTheta, usualTolerance] = [0.9, 1e-2]

/** A number from the user. Text is allowed too, as in d3. @throws TypeError */
export function numberOf(value: unknown, name: () => string): number {
  if (typeof value !== 'number' && typeof value !== 'string') throw unexpected(name(), 'number', value)
  return Number(value)
}

/** @throws TypeError, RangeError */
export function finiteOf(value: unknown, name: () => string): number {
  const number = numberOf(value, name)
  if (!Number.isFinite(number)) throw new RangeError(`"${name()}" expected a finite number, got ${number}`)
  return number
}

/** d3-force passes no dimensions; d3-force-3d does. @throws RangeError */
export function dimensionsOf(value = 2): Dimensions {
  if (value === 1 || value === 2 || value === 3) return value
  throw new RangeError(`"dimensions" expected 1, 2 or 3, got ${describe(value)}`)
}

/** @throws RangeError */
export function toleranceOf(value: number): number {
  if (value === 0 || (typeof value === 'number' && value >= leastSingle && value < 1)) return value
  throw new RangeError(
    `"tolerance" expected 0 for the exact sums, or a number from ${leastSingle} to 1, got ${describe(value)}`,
  )
}

/** The error of d3 at an opening angle. It grows with the third power of the angle, and is right within a factor of 2 from 0.2 to 1.5. */
export function toleranceAt(given: number): number {
  const theta = numberOf(given, () => 'theta')
  const tolerance = usualTolerance * (Math.abs(theta) / usualTheta) ** 3
  if (!(tolerance < 1)) throw new RangeError(`"theta" expected a number below ${thetaOf(1).toFixed(1)}, got ${theta}`)
  return tolerance < leastSingle ? 0 : tolerance
}

export function thetaOf(tolerance: number): number {
  return usualTheta * Math.cbrt(tolerance / usualTolerance)
}
