/**
 * The layout of blocks of points that are close together, and of the tree of boxes over them. `order.ts` decides which points
 * make a block, `boxes.ts` fits the boxes to positions, and the walks read them.
 *
 * Points have *places*: `order[place]` is a point. Each {@link blockPoints} consecutive places are a block, which is a leaf of
 * the tree. Nodes are stored depth first, so that a walk needs no stack: the next node is the first child. A walk that does not open
 * a node continues with its `skip`. Backends read the same bytes in their own memory.
 *
 * @module
 */

/** Number of places in a block. */
export const blockPoints = 8

/**
 * Bytes of a node or of a single box: `f64 centre[3], half[3]`, then `u32 first, last, skip`. Behind them, sums with a tolerance keep
 * `f32 field`, walks to the nearest sources `u32 lowest`, the least index of a point, and walks by sizes `f32 size`, the largest size of
 * a point.
 */
export const nodeBytes = 64

/** Byte offsets of the members after the box of a node. */
export const nodeLinks: { readonly [Name in 'first' | 'last' | 'skip' | 'field' | 'lowest' | 'size']: number } = {
  first: 48,
  last: 52,
  skip: 56,
  field: 60,
  lowest: 60,
  size: 60,
}

/** The order and the boxes of one set of points: views of memory that may belong to a device. */
export interface BlockTree {
  /** The point at each place. Any permutation gives right results; close points in a block make walks fast. */
  readonly order: Uint32Array
  /** All nodes, depth first: their floats in `boxes`, and their integers in `links`, over the same bytes. */
  readonly boxes: Float64Array
  readonly links: Uint32Array
  /** The boxes of the blocks in the order of places, in the layout of nodes, to look up the box of a block of targets. */
  readonly blocks: Float64Array
}

/** Number of blocks of this many points. */
export const blockCount = (points: number): number => Math.ceil(points / blockPoints)

/** Number of nodes of the tree over these blocks. Each inner node has two children. */
export const nodeCount = (points: number): number => Math.max(0, 2 * blockCount(points) - 1)

/** The smaller side of a cut has at least this share of the blocks, so that no tree is deep. */
export const leastShare: number = 1 / 32

/** The least number of blocks on the smaller side of a cut. */
export const leastBlocks = (blocks: number): number => Math.max(1, Math.floor(blocks * leastShare))

/** The most nodes from the root to a leaf. */
export function deepest(points: number): number {
  let depth = 1
  for (let blocks = blockCount(points); blocks > 1; blocks -= leastBlocks(blocks)) depth++
  return depth
}

/** Bytes of the parts of a tree, one after the other: nodes, blocks, order. */
export function treeBytes(points: number): { readonly nodes: number; readonly blocks: number; readonly order: number } {
  return {
    nodes: nodeCount(points) * nodeBytes,
    blocks: blockCount(points) * nodeBytes,
    // Loops read whole registers of targets, so they also read places after the last one.
    order: (blockCount(points) + 2) * blockPoints * 4,
  }
}

/** The tree at an address, which is a multiple of 8; by default in new memory. */
export function blockTree(
  points: number,
  buffer: ArrayBufferLike = new ArrayBuffer(Object.values(treeBytes(points)).reduce((a, b) => a + b)),
  address = 0,
): BlockTree {
  const { nodes, blocks } = treeBytes(points)
  return {
    boxes: new Float64Array(buffer, address, nodes / 8),
    links: new Uint32Array(buffer, address, nodes / 4),
    blocks: new Float64Array(buffer, address + nodes, blocks / 8),
    order: new Uint32Array(buffer, address + nodes + blocks, points),
  }
}

/** Size of a node in `boxes` and in `links`, and the positions of its integers in `links`. */
export const boxStride: number = nodeBytes / 8
export const linkStride: number = nodeBytes / 4
export const firstAt: number = nodeLinks.first / 4
export const lastAt: number = nodeLinks.last / 4
export const skipAt: number = nodeLinks.skip / 4
