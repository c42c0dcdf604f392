/**
 * The memory in which the module makes proxies, in the order of writing.
 *
 * - `weights`: the weights of the sources, in the order of places.
 * - `weightParts`: {@link partNumbers} for each unit of `weigh` and each weight.
 * - `scheme`: the numbers of a setting, which the host writes.
 * - `openings`: {@link openingNumbers} of each node, for the walk.
 * - `around`: for each node, as `f64`, the field of the nodes around it.
 * - `states`: the sums of the nodes of tasks, if they have proxies.
 * - `stacks`: for each task of `gather`, the sums of other nodes, until their parents have taken them.
 * - `proxy.position` and one array for each weight: the proxies as additional sources.
 *
 * @module
 */
import { nodeBytes } from '@manybody/core/backend'

/** Number of places in a unit of `weigh`. */
export const weighPoints = 256

/** Offsets of the sum of the sizes of a weight, and of the signs that occur: 1 for positive ones, 2 for negative ones. */
export const partNumbers = { size: 0, signs: 8 } as const
export const partBytes = 16

/** The most points of a grid along an axis that the scratch of threads has room for. */
export const mostGridPoints = 9

/** The most groups of weights of a simplex: both signs of the most weights that core allows. */
const mostGroups = 16

/** Bytes of a group: `u32` the offset of its weight among those of a source, 4 unused bytes, and `f64` its sign. */
export const groupBytes = 16

const inversesAt = 32
const groupsAt: number = inversesAt + (8 * mostGroups) / 2
const pointsAt: number = groupsAt + mostGroups * groupBytes

/**
 * Offsets in `scheme`: the inverse of the unit of squared distances, and that unit; the weight of all points, in the unit of
 * shares; the inverse square of the opening; the inverse of the total of each weight; groups; and points and factors of a grid.
 * All but groups are `f64`.
 */
export const schemeNumbers: {
  readonly [Name in 'scale' | 'unit' | 'weight' | 'nearness' | 'inverses' | 'groups' | 'points' | 'factors']: number
} = {
  scale: 0,
  unit: 8,
  weight: 16,
  nearness: 24,
  inverses: inversesAt,
  groups: groupsAt,
  points: pointsAt,
  factors: pointsAt + 8 * mostGridPoints,
}
export const schemeBytes: number = schemeNumbers.factors + 8 * mostGridPoints

/** Number of moments of a group of weights: the total, the first ones, and the second ones with `b <= a`. */
export const momentsIn = (dimension: number): number => 1 + dimension + (dimension * (dimension + 1)) / 2

/** Bytes of the state of a node, divided by its number of proxies. */
export function stateBytesOf(simplex: boolean, dimension: number, weights: number): number {
  return simplex ? (8 * momentsIn(dimension)) / (dimension + 1) : 8 * weights
}

/** Bytes that a thread needs to add up grids: the values of three axes, and two grids. */
export const gridScratch = (dimension: number, weights: number): number =>
  8 * (3 * mostGridPoints ** 2 + 2 * weights * mostGridPoints ** dimension)

/** Bytes of an opening. They equal the bytes of a node, so a node and its opening have the same offset. */
export const openingBytes: number = nodeBytes
/**
 * Offsets in an opening. For each axis there are two `f64` side by side: the centre of the box and the centre of the weight.
 * Two `f32` follow: the squared opening distances from `nodeReaches`. Until they are known, one `f64` in their place holds the
 * node's share of the total weight. Then come the bytes to the next node if this one is not opened, and the number of the first
 * proxy, or -1.
 */
export const openingNumbers = { axis: 16, reach: 48, skip: 56, proxy: 60 } as const
