/**
 * The numbers that all walks over blocks read.
 *
 * @module
 */

/**
 * Byte offsets of the numbers of a walk: the square of the reach, the lengths of the periodic box and their inverses, the slope
 * and start of the line that gives the reach of a distance, the square of the distance within which all pairs count, the
 * reach of points whose coordinates are rounded once more, and by how much pairs may come closer before the next walk.
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

/** How many nodes have their bits in one word of a set of nodes. */
export const nodesPerWord = 32

/** Bytes of a set of nodes: a bit for each. */
export const nodeSetBytes = (nodes: number): number => 4 * Math.ceil(nodes / nodesPerWord)
