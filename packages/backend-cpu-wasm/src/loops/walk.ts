/**
 * What the walks of blocks share: the numbers that they read, and how a loop asks for them.
 *
 * @module
 */
import type { Node } from '../wasm/nodes.ts'

/**
 * Where the numbers of a walk are, in bytes from its start: the square of the reach, box lengths and their inverses, the
 * line by which a reach follows from a distance, and the square of the distance within which all pairs count.
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

/** Writes the walk of a block of targets; `take` is what is done with the places of each block of sources. */
export type Walk = (targetBlock: Node, take: (from: Node, to: Node) => void) => void
