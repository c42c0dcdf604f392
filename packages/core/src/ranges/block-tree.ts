/**
 * Blocks of points that lie close together, and the tree of boxes over them. The layout alone: `order.ts` decides which
 * points make a block, `boxes.ts` fits the boxes to positions, `cutoff-walk.ts` reads them.
 *
 * Points have *places*: `order[place]` is a point. Each run of {@link blockPoints} places is a block, a leaf of the tree.
 * Nodes lie depth first, so that a walk needs no stack: the next node is the first child, and `skip` is where to go on
 * when a node is not opened. Backends read the same bytes in memory of their own.
 *
 * @module
 */

/** Places of a block. */
export const blockPoints = 8

/** Bytes of a node, and of a box by itself: `f64 centre[3], half[3]`, then `u32 first, last, skip`, and four to spare. */
export const nodeBytes = 64

/** Where a node's whole numbers are, in bytes from its start. */
export const nodeLinks: { readonly first: number; readonly last: number; readonly skip: number } = {
  first: 48,
  last: 52,
  skip: 56,
}

/** The order and the boxes of one set of points, over memory that somebody else may hold. */
export interface BlockTree {
  /** The point at each place. Any permutation is right; the closer the points of a block, the faster. */
  readonly order: Uint32Array
  /** All nodes, depth first: numbers, and whole numbers over the same bytes. */
  readonly boxes: Float64Array
  readonly links: Uint32Array
  /** The boxes of the blocks by place, in the layout of nodes: what a block of targets is found by. */
  readonly blocks: Float64Array
}

/** Blocks of so many points. */
export const blockCount = (points: number): number => Math.ceil(points / blockPoints)

/** Nodes of the tree over them: each inner node has two children. */
export const nodeCount = (points: number): number => Math.max(0, 2 * blockCount(points) - 1)

/** The smaller side of a cut has at least this share of the blocks, so that no set of points makes a deep tree. */
const leastShare = 1 / 32

/** Blocks on the smaller side of a cut, at least. */
export const leastBlocks = (blocks: number): number => Math.max(1, Math.floor(blocks * leastShare))

/** Nodes from the root to a leaf, at most. */
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
    // Whole registers of targets are read, and so places behind the last.
    order: (blockCount(points) + 2) * blockPoints * 4,
  }
}

/** A tree at an address, a multiple of 8; by itself in memory of its own. */
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

/** Numbers of a node, and its whole numbers, by their places in `boxes` and `links`. */
export const boxStride: number = nodeBytes / 8
export const linkStride: number = nodeBytes / 4
export const firstAt: number = nodeLinks.first / 4
export const lastAt: number = nodeLinks.last / 4
export const skipAt: number = nodeLinks.skip / 4
