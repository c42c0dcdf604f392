/**
 * Where a source may be seen from a target: displacements with their errors. In a periodic box rounding may decide
 * between two images that are half a box away; then there are several.
 *
 * @module
 */
import { roundHalfEven } from '../expression/special-functions.ts'
import type { Arithmetic } from './arithmetic.ts'

/** One image of a source. The first of several is the one that the reference takes. */
export interface Seen {
  readonly d: readonly number[]
  readonly errors: readonly number[]
  readonly r2: number
  readonly r2Error: number
}

/** One axis: the possible displacements along it, the reference's first. */
type Along = readonly (readonly [d: number, error: number])[]

/** @param lengths of the box, axis by axis; none in open space */
export function seenFrom(
  here: readonly number[],
  there: readonly number[],
  lengths: readonly number[],
  arithmetic: Arithmetic,
): readonly Seen[] {
  let images: (readonly (readonly [number, number])[])[] = [[]]
  for (let axis = 0; axis < here.length; axis++) {
    const along = alongAxis((there[axis] as number) - (here[axis] as number), lengths[axis], arithmetic)
    images = images.flatMap((image) => along.map((one) => [...image, one]))
  }
  return images.map((image) => seen(image, arithmetic))
}

function alongAxis(direct: number, length: number | undefined, { unit, stored }: Arithmetic): Along {
  const rounded = unit * Math.abs(direct)
  if (length === undefined) return [[direct, rounded]]
  const boxes = direct / length
  const nearest = roundHalfEven(boxes)
  const at = (n: number): readonly [number, number] => {
    const d = direct - length * n
    // Small multiples of the length are exact.
    const multiple = Math.abs(n) > 2 ? unit * Math.abs(length * n) : 0
    return [d, rounded + Math.abs(n) * stored(length) + multiple + unit * Math.abs(d)]
  }
  const left = 0.5 - Math.abs(boxes - nearest)
  // The difference, the length and the quotient are rounded; a GPU's quotient by up to five units.
  const undecided = left <= 8 * unit * Math.abs(boxes)
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
