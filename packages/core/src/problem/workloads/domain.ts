/**
 * The domain of pairs: boundaries, cutoffs, and excluded pairs. Never part of a formula.
 *
 * @module
 */
import { type Axis, axesOf } from '../../ground/axes.ts'
import { finite, flag, howMany, oneOf, onlyNamed, positive, unexpected, whole } from '../../ground/checks.ts'
import { entriesOf } from '../../ground/entries.ts'
import { type BoxVectors, cellOf } from './box-vectors.ts'
import { checkedTilts, widthsOf } from './cell.ts'

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

/** Space without edges. */
export function open(): Boundary {
  return Object.freeze({ kind: 'open' })
}

/**
 * A periodic box: displacements are to the nearest image, so positions need not lie inside it. A slab or a wire has open axes: their
 * length is `Infinity`. A triclinic box is given by its vectors, `{ a, b, c }`, or `{ a, b }` in 2-D: `a` along x, `b` in the plane of x
 * and y, and tilts of at most half a length, as other programs for molecules want them.
 *
 * @param box edge of the box along each axis, > 0, or its vectors, in the unit of positions
 */
export function periodic(box: readonly number[] | BoxVectors): Boundary {
  const isGiven = !Array.isArray(box) && Object(box) === box && 'a' in box && 'b' in box
  return isGiven ? tilted(cellOf(box)) : rightAngled(box as readonly number[])
}

function rightAngled(lengths: readonly number[]): Boundary {
  if (!Array.isArray(lengths) || axesOf(lengths.length).length !== lengths.length || lengths.length === 0)
    throw new TypeError(`"lengths" expected a list of 1, 2 or 3 numbers, got ${howMany(lengths)}`)
  const given = lengths.map((l, axis) => lengthOf(l, `lengths[${axis}]`))
  const isOpen = axesOf(lengths.length).filter((_, axis) => given[axis] === 0)
  if (isOpen.length === given.length)
    throw new RangeError(
      `"lengths" expected at least one finite number, got ${lengths.join(', ')}; a space that repeats along no axis is open()`,
    )
  return Object.freeze({
    kind: 'periodic',
    lengths: Object.freeze(given),
    ...(isOpen.length > 0 && { open: Object.freeze(isOpen) }),
  })
}

const tilted = ({ lengths, tilts }: ReturnType<typeof cellOf>): Boundary =>
  Object.freeze({
    kind: 'periodic',
    lengths: Object.freeze(lengths),
    ...(tilts && { tilts: Object.freeze(tilts) }),
  })

/** Whether the axes of a box have other angles than right ones. */
export const isTilted = (boundary: Boundary): boolean => 'tilts' in boundary

/** The length as a boundary keeps it: 0 if it is infinite. */
function lengthOf(length: unknown, name: string): number {
  if (length === Number.POSITIVE_INFINITY) return 0
  if (length !== null && length !== 0) return positive(length, name)
  throw new RangeError(
    `"${name}" expected number > 0, got ${length}; the length of an axis that does not repeat is Infinity`,
  )
}

/** The length of the box along an axis, if the space repeats there. */
export function repeatOf(boundary: Boundary, axis: number): number | undefined {
  return (boundary.kind === 'periodic' && boundary.lengths[axis]) || undefined
}

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
      `"cutoff" expected a number in a triclinic box, such as ${namedHalf(boundary)}, got nothing; farther away, several images of a source compete`,
    )
}

/**
 * Checks and completes the options.
 *
 * @param cutoffName the user's name for the cutoff
 * @throws TypeError, RangeError
 */
export function domainOf(options: DomainOptions = {}, cutoffName = 'cutoff'): Domain {
  const known = ['self', 'boundary', 'cutoff', 'switchDistance', 'shift', 'exclusions']
  const { self = 'exclude', exclusions = [] } = onlyNamed(options, 'domain option', known, { shift: flag })
  oneOf(self, 'self', ['exclude', 'include'])
  const boundary = boundaryOf(options.boundary)
  const cutoff = cutoffOf(options)
  const domain = Object.freeze({ self, boundary, ...(cutoff && { cutoff }), exclusions: pairsOf(exclusions) })
  const copies = copiesIn(domain)
  if (!copies) return domain
  const count = copies.reduce((product, along) => product * along, 1)
  if (count > mostCopies)
    throw new RangeError(
      `"${cutoffName}" expected one that reaches at most ${mostCopies} cells, got ${cutoff?.distance}, which needs ${copies.join(' x ')} of them; give a larger cell or a shorter one`,
    )
  if (domain.exclusions.length > 0)
    throw new RangeError(
      `"${cutoffName}" expected at most ${namedHalf(boundary)}, beside exclusions, got ${cutoff?.distance}; points have several images, and an exclusion names none`,
    )
  return domain
}

/** The most cells of one box, and so copies of each source. */
const mostCopies = 512

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

/** The options that make this domain. */
export function optionsOf({ self, boundary, cutoff, exclusions }: Domain): DomainOptions {
  const { distance, switchDistance, shift } = Object(cutoff) as Partial<Cutoff>
  return {
    self,
    boundary,
    exclusions,
    ...(distance !== undefined && { cutoff: distance }),
    ...(switchDistance !== undefined && { switchDistance }),
    ...(shift && { shift: true }),
  }
}

function pairsOf(exclusions: Iterable<readonly [number, number]>): Domain['exclusions'] {
  if (typeof exclusions?.[Symbol.iterator] !== 'function')
    throw unexpected('exclusions', 'a list of pairs [a, b]', exclusions)
  const pairs = entriesOf(exclusions, 'exclusions').map((pair, n) => {
    if (pair?.length !== 2) throw new TypeError(`"exclusions[${n}]" expected a pair [a, b], got ${howMany(pair)}`)
    return Object.freeze([whole(pair[0], `exclusions[${n}][0]`, 0), whole(pair[1], `exclusions[${n}][1]`, 0)] as const)
  })
  return Object.freeze(pairs)
}

/** Check the lengths again, because a boundary may come from storage. */
function boundaryOf(boundary: Boundary = open()): Boundary {
  const kind: unknown = boundary?.kind ?? boundary
  if (boundary?.kind !== 'open' && boundary?.kind !== 'periodic')
    throw unexpected('boundary', 'open() or periodic([...])', kind)
  if (boundary.kind === 'open') return boundary
  const { lengths, open: named, tilts } = boundary
  const marked: readonly unknown[] = named === undefined ? [] : [named].flat()
  const isOpen = (axis: number) => lengths[axis] === 0 && marked.includes(axesOf(3)[axis])
  const checked = rightAngled(
    Array.isArray(lengths) ? lengths.map((l, axis) => (isOpen(axis) ? Number.POSITIVE_INFINITY : l)) : lengths,
  )
  const expected = repeatsOf(checked)
  const got = marked.length === 0 ? checked.kind : `${checked.kind}, open along ${marked.join(' and ')}`
  if (got !== expected) throw new RangeError(`"boundary" expected to be ${expected}, as its lengths say, got ${got}`)
  return tilts === undefined ? checked : tilted({ lengths, tilts: checkedTilts(tilts, lengths) })
}

function cutoffOf({ cutoff, switchDistance, shift = false }: DomainOptions): Cutoff | undefined {
  if (cutoff === undefined) {
    const needs = switchDistance !== undefined ? 'switchDistance' : shift ? 'shift' : undefined
    if (needs) throw new TypeError(`"${needs}" expected a "cutoff" beside it, got none`)
    return undefined
  }
  // A number as a text is taken for a mistake.
  if (typeof cutoff === 'string' && Number.isNaN(Number(cutoff))) {
    if (switchDistance === undefined) return Object.freeze({ distance: cutoff, shift })
    throw new TypeError(
      `"switchDistance" expected a cutoff that is a number, got "${cutoff}"; multiply the law by a switch of its own`,
    )
  }
  const distance = positive(cutoff, 'cutoff')
  if (switchDistance === undefined) return Object.freeze({ distance, shift })
  if (shift)
    throw new TypeError(
      '"shift" and "switchDistance" both end a potential at the cutoff; expected one of them, got both',
    )
  if (finite(switchDistance, 'switchDistance', 0) >= distance)
    throw new RangeError(`"switchDistance" expected less than the cutoff, ${distance}, got ${switchDistance}`)
  return Object.freeze({ distance, switchDistance, shift })
}

/** @throws RangeError for a box of another dimension than the points */
export function requireBox(boundary: Boundary, dimension: number): void {
  if (boundary.kind === 'periodic' && boundary.lengths.length !== dimension)
    throw new RangeError(
      `"boundary" expected ${dimension} lengths, as points are in ${dimension}-D, got ${boundary.lengths.length}`,
    )
}
