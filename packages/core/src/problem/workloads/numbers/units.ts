/**
 * Other units of length for points that are very far apart or very close, where powers of a distance exceed float32: `r^3`
 * does above 7e12 and below 2e-13.
 *
 * Such a run computes a law (`scaled-term.ts`) from displacements divided by `lengthUnit`, a power of two, so the division is exact.
 * The effect of the unit is collected symbolically in factors that are computed once per run, in float64:
 * `(unit^2*r2 + softening^2)^(-3/2)` becomes `unit^-3 * (r2 + softening^2/unit^2)^(-3/2)`.
 *
 * @module
 */

import { magnitudesOf, nearZero } from '../../../ground/arrays/magnitudes.ts'
import type { FloatArray } from '../../../ground/checks.ts'
import { spreadOf } from './spread.ts'

/** Distances between these limits have cubes within the range of float32. */
const longest = 2 ** 41
const shortest = 2 ** -41

/** The unit for points of an ordinary extent with some points very close to each other. */
const small = 2 ** -30

/** Most points are this many powers of 2 apart, or less, if the caller's unit suits them. */
const ordinary = 30

const none: readonly number[] = []

/** The square of 2 to this power is bound as a number of the run. */
const largestExponent = 60

/**
 * The units of length that suit points, best first; empty if the caller's unit suits them. The first one makes the extent of the points
 * near 1, or the extent of most points if a few are far away. Others are closer to the caller's unit, for laws with numbers that
 * exceed float32 in the first.
 *
 * @param boxes lengths of a periodic box; 0 or none along an axis that does not repeat
 */
export function unitsFor(
  positions: readonly FloatArray[],
  dimension: number,
  boxes: readonly number[],
): readonly number[] {
  let most = 0
  // Without a coordinate near 0, other than 0 itself, no two points are too close.
  let fine = false
  for (const array of positions) {
    const { largest, small } = magnitudesOf(array)
    most = Math.max(most, largest)
    fine ||= !small || hasOther(array, small)
  }
  // No extent is more than 4 times the largest coordinate.
  if (4 * most < longest && isSpread(positions, dimension)) {
    if (!fine) return none
    if (4 * most < longest * small) return anyTooClose(positions, dimension, boxes) ? [small] : none
  }
  let extent = 0
  for (let axis = 0; axis < dimension; axis++) {
    let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
    for (const array of positions)
      for (let n = axis; n < array.length; n += dimension) {
        const x = array[n] as number
        if (x < low) low = x
        if (x > high) high = x
      }
    extent = Math.hypot(extent, Math.max(0, high - low))
  }
  if (extent === 0 || !Number.isFinite(extent)) return none
  if (extent > longest) return longUnits(Math.log2(extent), Math.log2(spreadOf(positions, dimension) || extent))
  if (extent < shortExtent) return steps.map((n) => power(Math.round(Math.log2(extent)) - 8 + 8 * n))
  return fine && extent < longest * small && anyTooClose(positions, dimension, boxes) ? [small] : none
}

/** Whether some numbers are not 0. */
function hasOther(array: FloatArray, indices: readonly number[]): boolean {
  for (const n of indices) if (array[n] !== 0) return true
  return false
}

const steps = [0, 1, 2, 3, 4]

const power = (exponent: number) => 2 ** Math.max(-largestExponent, Math.min(largestExponent, exponent))

/**
 * The units for points of a long extent, best first. Close pairs count more than points at the extent: where float32 cannot hold the
 * cubes of both distances, the terms of far points are 0. Both lengths are given as exponents of 2.
 */
function longUnits(extent: number, spread: number): readonly number[] {
  const [least, most] = [extent - 40, spread + closest]
  const best = Math.round(Math.min(extent - 8, least > most ? spread : most))
  const units = steps.map((n) => best - 8 * n).filter((exponent, n) => n === 0 || exponent >= Math.floor(least))
  return [...units.map(power), ...(Math.abs(spread) < ordinary ? [1] : [])]
}

/** Close pairs are this many powers of 2 closer than most points. */
const closest = 24

/** Points within this extent may be closer than `shortest` wherever they are. */
const shortExtent = 2 ** 23 * shortest

/** Whether some coordinate differs from the first point's by more than a short extent. */
function isSpread(positions: readonly FloatArray[], dimension: number): boolean {
  const first = positions[0]
  for (let axis = 0; axis < dimension; axis++) {
    const origin = first?.[axis] ?? 0
    for (const array of positions)
      for (let n = axis; n < array.length; n += dimension)
        if (Math.abs((array[n] as number) - origin) > shortExtent) return true
  }
  return false
}

/**
 * Whether two points are closer than `shortest` but not equal. Floats have 24 bits, so numbers that differ by less are smaller
 * than `nearZero`. Along an axis where they differ, both points are then near 0, or near the same face of a box, and one of them is
 * not at 0. In most clouds few points are there, so few pairs are examined. If many are, the answer is yes.
 */
function anyTooClose(positions: readonly FloatArray[], dimension: number, boxes: readonly number[]): boolean {
  const counts = positions.map((array) => array.length / dimension)
  let looks = 64 * counts.reduce((a, b) => a + b)
  for (let axis = 0; axis < dimension; axis++) {
    const along = { axis, dimension, length: boxes[axis] ?? 0 }
    const beside = positions.map((array) => nearZeroIn(array, along, false))
    // Many points may be at 0. They are examined if another one is that close.
    const isClose = (array: FloatArray, p: number) =>
      Math.abs(across(array[p + axis] as number, along.length)) < shortest
    const atZero = positions.some((array, set) => beside[set]?.some((p) => isClose(array, p)))
    const near = atZero ? positions.map((array) => nearZeroIn(array, along, true)) : beside
    for (const [set, here] of positions.entries()) {
      const other = positions.length - 1 - set
      const there = positions[other] as FloatArray
      for (const p of beside[set] ?? [])
        for (const q of near[other] ?? []) {
          let r2 = 0
          for (let k = 0; k < dimension; k++)
            r2 += across((there[q + k] as number) - (here[p + k] as number), boxes[k] ?? 0) ** 2
          if (looks-- === 0 || (r2 > 0 && r2 < shortest ** 2)) return true
        }
    }
  }
  return false
}

/** A displacement, or that to the nearest image in a box of a length. */
const across = (d: number, length: number): number => (length ? d - length * Math.round(d / length) : d)

/** Where the numbers of the points near 0 along an axis begin, with or without those at 0. */
function nearZeroIn(
  array: FloatArray,
  { axis, dimension, length }: { readonly [Name in 'axis' | 'dimension' | 'length']: number },
  atZero: boolean,
): readonly number[] {
  const { small } = magnitudesOf(array)
  if (small && !length)
    return small.flatMap((n) => (n % dimension === axis && (atZero || array[n] !== 0) ? n - axis : []))
  const points: number[] = []
  const inside = length - nearZero
  for (let n = axis; n < array.length; n += dimension) {
    const place = array[n] as number
    // Most points of a box are inside it, away from its faces, whether it begins at 0 or has 0 in its middle.
    const size = Math.abs(place)
    if (size >= nearZero && size <= inside) continue
    const x = across(place, length)
    if (x < nearZero && x > -nearZero && (atZero || x !== 0)) points.push(n - axis)
  }
  return points
}
