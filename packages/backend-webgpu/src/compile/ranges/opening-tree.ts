/**
 * The layout of the tree for sums with a tolerance: leaves of consecutive places of the order, and nodes of four children each
 * above them up to the root. It is stored level by level, starting with the leaves. The nodes of a level are filled up to a
 * multiple of four, so that every node has four children.
 *
 * It has smaller steps between levels than the tree for a cutoff, because a far node should be as large as possible.
 *
 * @module
 */

/** Places of a leaf. */
export const leafPoints = 16
/** Children of a node. */
export const childCount = 4
/** A walk has the number of a node and its level in one word. */
export const mostNodes: number = 2 ** 24
/** The most levels of a tree with this many nodes. */
export const mostLevels = 16
/** A walk starts with at most this many nodes. */
const mostRoots = 64

export interface TreeLevel {
  /** The first node. */
  readonly first: number
  /** Number of nodes with points. */
  readonly count: number
  /** Number of nodes, filled up with empty ones. */
  readonly filled: number
  /** Places of each node. */
  readonly places: number
}

/** The levels over `points` points, the leaves first, the root last. */
export function treeLevels(points: number): readonly TreeLevel[] {
  const levels: TreeLevel[] = []
  let [first, places] = [0, leafPoints]
  for (;;) {
    const count = Math.ceil(points / places)
    const filled = Math.ceil(count / childCount) * childCount
    levels.push({ first, count, filled, places })
    if (count <= 1) return levels
    first += filled
    places *= childCount
  }
}

/** Number of nodes in all levels. */
export function treeNodes(points: number): number {
  const { first, filled } = treeLevels(points).at(-1) as TreeLevel
  return first + filled
}

/**
 * The level where a walk starts, counted from the leaves.
 *
 * @param proxies number of proxies of a node: nodes with no more points have none, so a walk starts above them
 */
export function startLevel(points: number, proxies: number): number {
  const levels = treeLevels(points)
  const start = levels.findIndex(({ filled, places }) => filled <= mostRoots && places > proxies)
  return start < 0 ? levels.length - 1 : start
}

/** Places of the sources in the tree: the last leaf is filled up with places that hold no weight. */
export const filledPlaces = (points: number): number => Math.ceil(points / leafPoints) * leafPoints
