/**
 * The numbers that all walks over blocks read.
 *
 * @module
 */

/**
 * Byte offsets of the numbers of a walk, in order: the squared reach; the lengths of the periodic box and their inverses, 0 along an axis that does not repeat; the
 * slope and start of the line that gives the reach of a distance; the squared distance within which all pairs count; the reach
 * of points with coordinates that are rounded once more; and the skin that bounds how far pairs approach before the next walk.
 */
export const walkNumbers: {
  readonly [Name in 'reach2' | 'lengths' | 'shares' | 'slope' | 'start' | 'within2' | 'filter' | 'skin']: number
} = {
  reach2: 0,
  lengths: 8,
  shares: 32,
  slope: 56,
  start: 64,
  within2: 72,
  filter: 80,
  skin: 88,
}
export const walkBytes = 96

/** Number of nodes in one word of a set of nodes. */
export const nodesPerWord = 32

/** Bytes of a set of nodes: one bit for each node. */
export const nodeSetBytes = (nodes: number): number => 4 * Math.ceil(nodes / nodesPerWord)
