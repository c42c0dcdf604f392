/**
 * Makes the domain of pairs from the options of a user, and checks it.
 *
 * @module
 */
import { axesOf } from '../../ground/axes.ts'
import { finite, flag, howMany, oneOf, onlyNamed, positive, unexpected, whole } from '../../ground/checks.ts'
import { entriesOf } from '../../ground/entries.ts'
import { type BoxVectors, cellOf } from './box-vectors.ts'
import { checkedTilts } from './cell.ts'
import {
  type Boundary,
  type Cutoff,
  copiesIn,
  type Domain,
  type DomainOptions,
  namedHalf,
  repeatsOf,
} from './domain.ts'

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

/** The length as a boundary keeps it: 0 if it is infinite. */
function lengthOf(length: unknown, name: string): number {
  if (length === Number.POSITIVE_INFINITY) return 0
  if (length !== null && length !== 0) return positive(length, name)
  throw new RangeError(
    `"${name}" expected number > 0, got ${length}; the length of an axis that does not repeat is Infinity`,
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
  if (boundary.kind === 'open') return open()
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
