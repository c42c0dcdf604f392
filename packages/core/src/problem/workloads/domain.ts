/**
 * The domain of pairs: boundaries, cutoffs, and excluded pairs. Never part of a formula. `define-domain.ts` makes and checks them.
 *
 * @module
 */
import type { Axis } from '../../ground/axes.ts'
import { widthsOf } from './cell.ts'

/** Space without edges, or a periodic box. In a box, each source acts through its nearest image. */
export type Boundary =
  | { readonly kind: 'open' }
  | {
      readonly kind: 'periodic'
      /** Edges of the box; 0 along an open axis, as JSON has no infinity. */
      readonly lengths: readonly number[]
      /** The axes along which the box does not repeat, if any. */
      readonly open?: readonly Axis[]
      /** The tilts of a triclinic box: `[xy]` in 2-D, `[xy, xz, yz]` in 3-D. `lengths` are then its extents along the axes. */
      readonly tilts?: readonly number[]
    }

export interface Cutoff {
  /** Pairs with `r <= distance` count. A text is an expression of the numbers of both points, `radius_i + radius_j`. */
  readonly distance: number | string
  /** From here on a potential or term is multiplied by a polynomial that reaches 0 smoothly at the cutoff. */
  readonly switchDistance?: number
  /** Whether a potential is shifted to be 0 at the cutoff; forces do not change. */
  readonly shift: boolean
}

export interface Domain {
  /** Whether a point of one set acts on itself. */
  readonly self: 'exclude' | 'include'
  readonly boundary: Boundary
  readonly cutoff?: Cutoff
  /** Pairs that do not count: in both directions within one set, as `[target, source]` for two sets. */
  readonly exclusions: readonly (readonly [number, number])[]
}

/** The options of a user. Everything has a default. */
export interface DomainOptions {
  readonly self?: 'exclude' | 'include'
  readonly boundary?: Boundary
  /** A number, or an expression with a value for each pair, such as `'radius_i + radius_j'`. */
  readonly cutoff?: number | string
  readonly switchDistance?: number
  readonly shift?: boolean
  readonly exclusions?: Iterable<readonly [number, number]>
}

/** Whether the axes of a box have other angles than right ones. */
export const isTilted = (boundary: Boundary): boolean => 'tilts' in boundary

/** The length of the box along an axis, if the space repeats there. */
export function repeatOf(boundary: Boundary, axis: number): number | undefined {
  return (boundary.kind === 'periodic' && boundary.lengths[axis]) || undefined
}

/** Whether there are axes along which the space does not repeat. */
export const hasOpenAxes = (boundary: Boundary): boolean => boundary.kind === 'open' || boundary.lengths.includes(0)

/** The lengths for people: infinite along open axes. */
export const sidesOf = (boundary: Boundary): readonly number[] =>
  boundary.kind === 'periodic' ? boundary.lengths.map((length) => length || Number.POSITIVE_INFINITY) : []

/** A box in words. */
export function namedBox(boundary: Boundary): string {
  const sides = sidesOf(boundary).join(' x ')
  return boundary.kind === 'periodic' && boundary.tilts ? `${sides} with tilts ${boundary.tilts.join(', ')}` : sides
}

/** The part of a boundary that programs depend on: whether the space repeats and, if it does not along all axes, along which. */
export function repeatsOf(boundary: Boundary): string {
  const { kind, open: axes = [] } = { open: [], ...boundary }
  if (isTilted(boundary)) return 'triclinic'
  return axes.length === 0 ? kind : `${kind}, open along ${axes.join(' and ')}`
}

/** The longest cutoff at which each source acts through one image: half the box, from face to face. */
export const halfOf = (boundary: Boundary): number => Math.min(...facesOf(boundary)) / 2

/** The distances of opposite faces: infinite along open axes. */
const facesOf = (boundary: Boundary) =>
  boundary.kind === 'periodic' && boundary.tilts ? widthsOf(boundary) : sidesOf(boundary)

/** Half the box in words. */
export const namedHalf = (boundary: Boundary): string =>
  isTilted(boundary)
    ? `half the shortest distance between opposite faces of the box, ${halfOf(boundary)}`
    : `half the shortest box length, ${halfOf(boundary)}`

/** @throws TypeError for a triclinic box without a cutoff */
export function requireEnd({ boundary, cutoff }: Pick<Domain, 'boundary' | 'cutoff'>): void {
  if (isTilted(boundary) && !cutoff)
    throw new TypeError(
      `"cutoff" expected a number in a triclinic box, such as ${namedHalf(boundary)}, got nothing; farther away, several images of a source compete, and a mesh sums them all`,
    )
}

/**
 * How many cells along each axis make a box that is wider than two cutoffs; undefined if half of one cell holds the cutoff. Then each
 * source acts through its nearest image alone.
 */
export function copiesIn({ boundary, cutoff }: Pick<Domain, 'boundary' | 'cutoff'>): readonly number[] | undefined {
  // The cutoffs of pairs are known when a run is bound, and must fit the box.
  if (typeof cutoff?.distance !== 'number' || boundary.kind === 'open') return undefined
  const { distance } = cutoff
  const sides = facesOf(boundary)
  if (sides.every((side) => distance <= side / 2)) return undefined
  // In a box of exactly two cutoffs, two images of a source may be at the cutoff. Rounding must not make it one.
  return sides.map((side) => Math.floor(((2 * distance) / side) * (1 + 2 ** -20)) + 1)
}

/** @throws RangeError for a box of another dimension than the points */
export function requireBox(boundary: Boundary, dimension: number): void {
  if (boundary.kind === 'periodic' && boundary.lengths.length !== dimension)
    throw new RangeError(
      `"boundary" expected ${dimension} lengths, as points are in ${dimension}-D, got ${boundary.lengths.length}`,
    )
}
