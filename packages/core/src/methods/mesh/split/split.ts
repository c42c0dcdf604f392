/**
 * The split of a radial function into a smooth part and a short part, from its values alone.
 *
 * Beyond the reach, the smooth part is the function itself. Inside, it is the polynomial in r^2 that gives the smooth part the least
 * energy above the band, found by least squares. So the short part ends at the reach, and the smooth part has next to no frequencies
 * above the band: a grid can carry it.
 *
 * The function is the factor of a scalar, or of the displacement: `along` then stands for the vector `R(r) d`.
 *
 * @module
 */
import { chebyshevAt, inPowers, powersAt } from './chebyshev.ts'
import { circles } from './circles.ts'
import { leastSquares } from './least-squares.ts'
import { gaussLegendre, integralFrom0, integralToInfinity } from './quadrature.ts'
import type { Radial, Shells, SpaceDimension } from './shells.ts'
import { spheres } from './spheres.ts'

export interface SplitOptions {
  /** The distance where the short part ends. */
  readonly reach: number
  /** The largest frequency of the smooth part, in radians per unit of length. */
  readonly band: number
  /** Of the polynomial. */
  readonly terms: number
  /** Whether the function is the factor of the displacement. */
  readonly along: boolean
  readonly dimension: SpaceDimension
}

export interface Split extends SplitOptions {
  /** Of powers of `2 r^2 / reach^2 - 1`: the smooth part inside the reach. */
  readonly coefficients: Float64Array
  /** The smooth part at a distance from 0 on. */
  smooth(r: number): number
  /**
   * The transform of the smooth part at a frequency > 0. For a scalar, it is real. For a vector it is imaginary and points along the
   * frequency; then this is minus its size.
   */
  transform(k: number): number
}

/** Where the integral inside the reach is taken. A frequency of six times the widest band has 32 periods there. */
const inside = gaussLegendre(160)

/** Frequencies above the band count up to this many times the band. */
const widest = 6

/** Smaller coefficients are 0, by the value halfway to the reach: float32 may not hold those of a function that has vanished at the reach. */
const negligible = 1e-20

export function splitOf(value: Radial, options: SplitOptions): Split {
  const { reach, band, terms, along, dimension } = options
  const shells = shellsOf(dimension)
  const radii = inside.nodes.map((x) => (reach * (x + 1)) / 2)
  const weights = inside.weights.map((w) => (reach * w) / 2)
  const basis = Array.from(radii, (r) => chebyshevAt(terms, placeOf(r, reach)))

  /** The transforms of the polynomials. */
  const inner = (k: number): Float64Array => {
    const row = new Float64Array(terms)
    for (const [i, polynomials] of basis.entries()) {
      const c = (weights[i] as number) * shells.transform(k, radii[i] as number, along)
      for (let n = 0; n < terms; n++) row[n] = (row[n] as number) + c * (polynomials[n] as number)
    }
    return row
  }
  const outer = (k: number) => shells.tail(value, k, options)

  const rows: Float64Array[] = []
  const right: number[] = []
  // More rows leave the same energy above the band, to two digits or more.
  const count = 16 * Math.max(4, Math.ceil((band * reach) / Math.PI))
  for (let i = 0; i < count; i++) {
    // Denser near the band, where the transform is largest.
    const z = (i + 0.5) / count
    const k = band * (1 + (widest - 1) * z * z)
    const weight = Math.sqrt(k ** (dimension - 1) * z)
    rows.push(inner(k).map((x) => x * weight))
    right.push(-outer(k) * weight)
  }
  const found = leastSquares(rows, Float64Array.from(right))
  const least = negligible * Math.abs(value(reach / 2))
  const coefficients = inPowers(found).map((c) => (Math.abs(c) < least ? 0 : c))
  return {
    ...options,
    coefficients,
    smooth: (r) => (r < reach ? powersAt(coefficients, placeOf(r, reach)) : value(r)),
    transform: (k) => inner(k).reduce((sum, x, n) => sum + x * (found[n] as number), outer(k)),
  }
}

/** From 0 to the reach: -1 to 1. */
const placeOf = (r: number, reach: number): number => 2 * (r / reach) ** 2 - 1

/** The shells of a plane, or of space. */
export const shellsOf = (dimension: SpaceDimension): Shells => (dimension === 2 ? circles : spheres)

/** The integral over space of the smooth part of a scalar, if its sum over space converges. */
export function smoothTotal(value: Radial, { reach, smooth, dimension }: Split): number {
  const { size } = shellsOf(dimension)
  return integralFrom0((r) => smooth(r) * size(r), reach) + integralToInfinity((r) => value(r) * size(r), reach)
}

/** The integral over space of the short part of a scalar. */
export function shortTotal(value: Radial, { reach, smooth, dimension }: Split): number {
  const { size } = shellsOf(dimension)
  return integralFrom0((r) => (value(r) - smooth(r)) * size(r), reach)
}
