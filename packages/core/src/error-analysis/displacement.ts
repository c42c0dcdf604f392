/**
 * Where a source may be seen from a target: displacements with their errors. In a periodic box rounding may decide
 * between two images that are half a box away; then there are several.
 *
 * @module
 */
import { roundHalfEven } from '../expression/functions/rounding.ts'
import type { Arithmetic } from './arithmetic.ts'

/** One image of a source. The first of several is the one that the reference takes. */
export interface Seen {
  readonly d: readonly number[]
  readonly errors: readonly number[]
  readonly r2: number
  readonly r2Error: number
}

/** Where a point is, axis by axis; where coordinates are split, the lower of their two floats is given, too. */
export interface Place {
  readonly at: readonly number[]
  readonly low: readonly number[]
}

export interface Space {
  /** Lengths of the box, axis by axis; none in open space. */
  readonly box: Place
  /** The unit of length of the run. */
  readonly lengthUnit: number
}

/** One axis: the possible displacements along it, the reference's first. */
type Along = readonly (readonly [d: number, error: number])[]

/** Displacements in the unit of length. */
export function seenFrom(
  here: Place,
  there: Place,
  { box, lengthUnit }: Space,
  arithmetic: Arithmetic,
): readonly Seen[] {
  let images: (readonly (readonly [number, number])[])[] = [[]]
  for (let axis = 0; axis < here.at.length; axis++) {
    const direct = (there.at[axis] as number) - (here.at[axis] as number)
    const low = here.low.length ? (there.low[axis] as number) - (here.low[axis] as number) : undefined
    const along = alongAxis({ direct, low, length: box.at[axis], lowLength: box.low[axis] ?? 0 }, arithmetic)
    images = images.flatMap((image) => along.map(([d, e]) => [...image, [d / lengthUnit, e / lengthUnit] as const]))
  }
  return images.map((image) => seen(image, arithmetic))
}

interface Axis {
  readonly direct: number
  /** The part of `direct` that comes from the lower floats, if coordinates are split. */
  readonly low: number | undefined
  readonly length: number | undefined
  readonly lowLength: number
}

function alongAxis({ direct, low, length, lowLength }: Axis, { unit, least, stored }: Arithmetic): Along {
  /** What is rounded besides the displacement itself, across `n` boxes. */
  const rounded = (n: number, far: number): number => {
    // Small multiples of the length are exact.
    const boxes = (size: number) => Math.abs(n) * stored(size) + (Math.abs(n) > 2 ? unit * Math.abs(size * n) : 0)
    if (low === undefined) return n === 0 ? 0 : unit * Math.abs(direct) + boxes(far)
    // Differences of the higher floats are exact, whatever the number of boxes.
    return unit * Math.abs(low) + least + (n === 0 ? 0 : boxes(lowLength) + unit * Math.abs(low - lowLength * n))
  }
  if (length === undefined) return [[direct, rounded(0, 0) + unit * Math.abs(direct)]]
  const boxes = direct / length
  const nearest = roundHalfEven(boxes)
  const at = (n: number): readonly [number, number] => {
    const d = direct - length * n
    return [d, rounded(n, length) + unit * Math.abs(d)]
  }
  const left = 0.5 - Math.abs(boxes - nearest)
  // The difference, the length and the quotient are rounded, a GPU's quotient by up to five units; lower floats left out.
  const undecided = left <= 8 * unit * Math.abs(boxes) + Math.abs(low ?? 0) / length
  return undecided ? [at(nearest), at(nearest + (boxes >= nearest ? 1 : -1))] : [at(nearest)]
}

function seen(image: readonly (readonly [number, number])[], { unit, least }: Arithmetic): Seen {
  let [r2, r2Error] = [0, 0]
  for (const [d, error] of image) {
    r2 += d * d
    r2Error += (2 * Math.abs(d) + error) * error + unit * d * d
  }
  if (r2 > 0) r2Error += (image.length - 1) * unit * r2 + least
  return { d: image.map(([d]) => d), errors: image.map(([, error]) => error), r2, r2Error }
}
