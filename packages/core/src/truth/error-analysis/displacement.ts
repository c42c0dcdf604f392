/**
 * The displacements from a target to a source, with their errors. In a periodic box, rounding may decide between two images
 * that are half a box away; then there are several displacements.
 *
 * @module
 */
import { roundHalfEven } from '../../language/functions/rounding.ts'
import type { Back } from '../../problem/workloads/cell.ts'
import type { Arithmetic } from './arithmetic.ts'
import { productLoss, sumLoss } from './losses.ts'
import { type Join, quadrature } from './parts.ts'

/** One image of a source. The reference takes the first of several. */
export interface Seen {
  readonly d: Float64Array
  readonly errors: Float64Array
  /** The parts of errors, as in `parts.ts`. */
  readonly systematic: Float64Array
  readonly random: Float64Array
  /** The losses of float64, as in `losses.ts`. */
  readonly lost: Float64Array
  r2: number
  r2Error: number
  r2Systematic: number
  r2Random: number
  r2Lost: number
}

/** Positions of a set. If coordinates are split, `low` holds the lower of their two floats. */
export interface Places {
  readonly position: ArrayLike<number>
  readonly low: ArrayLike<number> | undefined
}

export interface SplitSpace {
  readonly dimension: number
  /** Lengths of the box, axis by axis; 0 or none along an axis that does not repeat. */
  readonly box: readonly number[]
  /** The lower floats of the lengths. */
  readonly boxLow: readonly number[]
  /** The unit of length of the run. */
  readonly lengthUnit: number
  /** Turns displacements in a right-angled box to those in a triclinic one, if there is one. */
  readonly back?: Back | undefined
}

/**
 * Returns the images of source j as seen from target i, in the unit of length. The next pair overwrites them: there are many
 * pairs, and nearly all have one image.
 */
export function imagesOf(
  targets: Places,
  sources: Places,
  { dimension, box, boxLow, lengthUnit, back }: SplitSpace,
  arithmetic: Arithmetic,
): (i: number, j: number) => readonly Seen[] {
  const { single, unit } = arithmetic
  const column = () => new Float64Array(dimension)
  const one: readonly Seen[] = [imageOf(column(), column(), column(), column(), column())]
  return (i, j) => {
    let images = one
    for (let axis = 0; axis < dimension; axis++) {
      const [to, from] = [j * dimension + axis, i * dimension + axis]
      const direct = (sources.position[to] as number) - (targets.position[from] as number)
      const low = targets.low && sources.low ? (sources.low[to] as number) - (targets.low[from] as number) : undefined
      const [length, lowLength] = [box[axis] ?? 0, boxLow[axis] ?? 0]
      const lost = single ? 0 : sumLoss(sources.position[to] as number, -(targets.position[from] as number))
      const along: Along = { axis, direct, lost, low, length, lowLength, lengthUnit }
      const boxes = length === 0 ? 0 : direct / length
      const nearest = roundHalfEven(boxes)
      for (const image of images) place(image, along, nearest, arithmetic)
      if (length === 0) continue
      const left = 0.5 - Math.abs(boxes - nearest)
      // The difference, the length and the quotient are rounded, on a GPU by up to five units. Lower floats do not matter here.
      if (left > 8 * unit * Math.abs(boxes) + Math.abs(low ?? 0) / length) continue
      const others = images.map(({ d, errors, systematic, random, lost }) =>
        imageOf(d.slice(), errors.slice(), systematic.slice(), random.slice(), lost.slice()),
      )
      for (const image of others) place(image, along, nearest + (boxes >= nearest ? 1 : -1), arithmetic)
      images = [...images, ...others]
    }
    if (back) for (const image of images) turnBack(image, back, arithmetic)
    for (const image of images) measure(image, arithmetic, back ? (a, b) => a + b : quadrature)
    return images
  }
}

function imageOf(...columns: readonly [Float64Array, Float64Array, Float64Array, Float64Array, Float64Array]): Seen {
  const [d, errors, systematic, random, lost] = columns
  return { d, errors, systematic, random, lost, r2: 0, r2Error: 0, r2Systematic: 0, r2Random: 0, r2Lost: 0 }
}

/** A displacement along one axis. */
interface Along {
  readonly axis: number
  readonly direct: number
  /** The loss of float64 in `direct`. */
  readonly lost: number
  /** The part of `direct` that comes from the lower floats, if coordinates are split. */
  readonly low: number | undefined
  /** 0 in open space. */
  readonly length: number
  readonly lowLength: number
  readonly lengthUnit: number
}

/** Writes the displacement across `n` boxes. */
function place(image: Seen, along: Along, n: number, { single, unit, least, stored }: Arithmetic): void {
  const { axis, direct, lost, low, length, lowLength, lengthUnit } = along
  const across = direct - length * n
  // Differences of the higher floats are exact, whatever the number of boxes.
  const first = low !== undefined ? Math.abs(low) : n === 0 ? 0 : Math.abs(direct)
  const second = low === undefined || n === 0 ? 0 : Math.abs(low - lowLength * n)
  let systematic = low === undefined ? 0 : least
  if (n !== 0) {
    const part = low === undefined ? length : lowLength
    // Small multiples of a length are exact.
    systematic += Math.abs(n) * stored(part) + (Math.abs(n) > 2 ? unit * Math.abs(part * n) : 0)
  }
  const random = unit * quadrature(Math.abs(across), quadrature(first, second))
  image.d[axis] = across / lengthUnit
  image.errors[axis] = (systematic + unit * (Math.abs(across) + first + second)) / lengthUnit
  image.systematic[axis] = systematic / lengthUnit
  image.random[axis] = random / lengthUnit
  if (!single) image.lost[axis] = (lost + sumLoss(direct, -length * n) - productLoss(length, n)) / lengthUnit
}

/** Turns a displacement to that in a triclinic box. An axis reads itself and later ones alone. */
function turnBack(
  { d, errors, systematic, random, lost }: Seen,
  back: Back,
  { single, unit, stored }: Arithmetic,
): void {
  for (let axis = 0; axis < d.length; axis++) {
    let [sum, error, alike, other, loss] = [0, 0, 0, 0, 0]
    for (let k = axis; k < d.length; k++) {
      const factor = back[axis]?.[k] as number
      const along = d[k] as number
      const part = factor * along
      const size = Math.abs(factor)
      const same = size * (systematic[k] as number) + stored(factor) * Math.abs(along)
      const rounding = unit * (Math.abs(part) + Math.abs(sum + part))
      error += size * (errors[k] as number) + stored(factor) * Math.abs(along) + rounding
      alike += same
      other = quadrature(other, quadrature(size * (random[k] as number), rounding))
      if (!single) loss += factor * (lost[k] as number) + productLoss(factor, along) + sumLoss(sum, part)
      sum += part
    }
    d[axis] = sum
    errors[axis] = error
    systematic[axis] = alike
    random[axis] = other
    lost[axis] = loss
  }
}

/** Writes the square of the distance. @param join how the random parts of axes add up */
function measure(image: Seen, { single, unit, least }: Arithmetic, join: Join): void {
  const { d, errors } = image
  let [r2, r2Error, systematic, random] = [0, 0, 0, 0]
  for (let axis = 0; axis < d.length; axis++) {
    const [along, error] = [Math.abs(d[axis] as number), errors[axis] as number]
    const square = along * along
    r2 += square
    r2Error += (2 * along + error) * error + unit * square
    systematic += 2 * along * (image.systematic[axis] as number) + error * error
    random = join(random, quadrature(2 * along * (image.random[axis] as number), unit * square))
  }
  if (r2 > 0) {
    r2Error += (d.length - 1) * unit * r2 + least
    systematic += least
    random = quadrature(random, Math.sqrt(d.length - 1) * unit * r2)
  }
  image.r2 = r2
  image.r2Error = r2Error
  image.r2Systematic = systematic
  image.r2Random = random
  if (!single) image.r2Lost = squaresLoss(image)
}

function squaresLoss({ d, lost }: Seen): number {
  let [r2, loss] = [0, 0]
  for (let axis = 0; axis < d.length; axis++) {
    const along = d[axis] as number
    loss += 2 * along * (lost[axis] as number) + productLoss(along, along) + sumLoss(r2, along * along)
    r2 += along * along
  }
  return loss
}
