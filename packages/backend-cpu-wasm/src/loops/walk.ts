/**
 * What all walks over blocks share: the numbers that they read, and their interface to the loop.
 *
 * @module
 */
import type { Node } from '../wasm/nodes.ts'

/**
 * Byte offsets of the numbers of a walk: the square of the reach, the lengths of the periodic box and their inverses, the slope
 * and start of the line that gives the reach of a distance, and the square of the distance within which all pairs count.
 */
export const walkNumbers: {
  readonly [Name in 'reach2' | 'lengths' | 'shares' | 'slope' | 'start' | 'within2']: number
} = {
  reach2: 0,
  lengths: 8,
  shares: 32,
  slope: 56,
  start: 64,
  within2: 72,
}
export const walkBytes = 80

/** Writes the walk of a block of targets; `take` uses the places of each block of sources that it finds. */
export type Walk = (targetBlock: Node, take: (from: Node, to: Node) => void) => void
