/**
 * The memory in which the module makes proxies, in the order in which it is filled.
 *
 * - `weights`: the weights of the sources, in the order of places.
 * - `weightParts`: for each unit of `weigh` and each weight, what {@link partNumbers} has.
 * - `scheme`: the numbers of a setting, which the host writes.
 * - `openings`: what the walk needs of each node, in the layout of `opening-walk.ts`.
 * - `states`: what the nodes of tasks add up, if they have proxies.
 * - `stacks`: for each task of `gather`, what other nodes add up, until their parents have it.
 * - `proxy.position` and one array for each weight: the proxies as further sources.
 *
 * @module
 */
/** Number of places in a unit of `weigh`. */
export const weighPoints = 256

/** The offsets of the sum of the sizes of a weight, and of the signs that occur: 1 for positive ones, 2 for negative ones. */
export const partNumbers = { size: 0, signs: 8 } as const
export const partBytes = 16

/** The most points of a grid along an axis, for which threads have scratch. */
export const mostGridPoints = 9

/** The most groups of weights of a simplex: both signs of the most weights that core allows. */
const mostGroups = 16

/** Bytes of a group: `u32` the offset of its weight among those of a source, 4 unused bytes, and `f64` its sign. */
export const groupBytes = 16

const groupsAt = 8 * (1 + mostGroups / 2)
const pointsAt: number = groupsAt + mostGroups * groupBytes

/**
 * Offsets in `scheme`, after the number of `scaleAt`: the inverse of the total of each weight, groups, and points and factors of a
 * grid.
 */
export const schemeNumbers: { readonly [Name in 'inverses' | 'groups' | 'points' | 'factors']: number } = {
  inverses: 8,
  groups: groupsAt,
  points: pointsAt,
  factors: pointsAt + 8 * mostGridPoints,
}
export const schemeBytes: number = schemeNumbers.factors + 8 * mostGridPoints

/** Number of moments of a group of weights: the total, the first ones, and the second ones with `b <= a`. */
export const momentsIn = (dimension: number): number => 1 + dimension + (dimension * (dimension + 1)) / 2

/** Bytes of the state of a node, for each of its proxies. */
export function stateBytesOf(simplex: boolean, dimension: number, weights: number): number {
  return simplex ? (8 * momentsIn(dimension)) / (dimension + 1) : 8 * weights
}

/** Bytes that a thread needs to add up grids: the values of three axes, and two grids. */
export const gridScratch = (dimension: number, weights: number): number =>
  8 * (3 * mostGridPoints ** 2 + 2 * weights * mostGridPoints ** dimension)
