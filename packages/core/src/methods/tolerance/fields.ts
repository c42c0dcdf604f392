/**
 * How far each node of a tree must be away, given the weights around it: a node with a large share of the weight, compared with
 * the field at the targets, must be farther away than a light one.
 *
 * A node is far from a group of targets at a squared distance of at least `far2 / field` and `near2`, in units of the radius of
 * all points. The field is that of terms that fall as `1 / distance^2`; it is taken whatever the law, because only ratios
 * count.
 *
 * @module
 */
import { type BlockTree, boxStride, linkStride, skipAt } from '../ranges/block-tree.ts'

/** What is known of the weights of nodes. */
export interface NodeWeights {
  /** The share of the weight of all points that a node has, in any unit. */
  readonly share: (node: number) => number
  /** The share of its points without the heaviest one. */
  readonly others: (node: number) => number
  /** The centre of the weight of a node along an axis. */
  readonly centre: (node: number, axis: number) => number
}

/** The square of the largest radius of a far node by its distance. */
export const widest2 = 0.81
/** The error of a simplex falls with the third power of radius by distance, and its share of the field with two more. */
export const fieldPower = 0.4
/** A group of coincident points has this squared radius. */
const least2 = 1e-12
/** Which power of its edges the radius of a node without weights is a mean of, because its error grows with a high one. */
export const edgePower = 6
/** The least distance that float32 holds. Without one, nodes much smaller than the whole set would always be far. */
const leastReach = 2 ** -126

/** The squared radius of all points, which is the unit of squared distances; 1 if they coincide. */
export function unitOf({ boxes }: Pick<BlockTree, 'boxes'>, dimension: number): number {
  const radius2 = radius2Of(boxes, 0, dimension)
  return radius2 > 0 ? radius2 : 1
}

/**
 * Passes the squared distances of each node for an opening; without weights, those by its edges alone, of which the longest counts
 * most.
 */
export function eachReach(
  { boxes }: Pick<BlockTree, 'boxes'>,
  dimension: number,
  opening: number,
  weights: NodeWeights | undefined,
  take: (node: number, far2: number, near2: number) => void,
): void {
  const unit = unitOf({ boxes }, dimension)
  const total = weights?.share(0) ?? 0
  const nodes = boxes.length / boxStride
  const scale = 1 / (opening * opening)
  for (let node = 0; node < nodes; node++) {
    const radius2 = radius2Of(boxes, node, dimension) / unit
    if (weights && total > 0) {
      const far2 = radius2 ** (1 - fieldPower) * (weights.share(node) / total) ** fieldPower * scale
      take(node, Math.max(far2, leastReach), Math.max(radius2 / widest2, leastReach))
    } else take(node, Math.max(edges2Of(boxes, node, dimension, unit) * scale, leastReach), 0)
  }
}

/**
 * Passes the field of each node to the power that {@link eachReach} expects. A node has the field of its parent and of its
 * sibling, and that of its own points without the heaviest one. That point does not act on itself, so it has no other field: with its
 * own weight, the larger it is, the less exact its sum would be.
 */
export function eachField(
  { boxes, links }: Pick<BlockTree, 'boxes' | 'links'>,
  dimension: number,
  { share, others, centre }: NodeWeights,
  take: (node: number, field: number) => void,
): void {
  const unit = unitOf({ boxes }, dimension)
  const total = share(0) || 1
  const nodes = boxes.length / boxStride
  const around = new Float64Array(nodes)
  const radius2 = (node: number) => radius2Of(boxes, node, dimension) / unit
  /** What the points of a node add to the field at another. */
  const from = (node: number, at: number) => {
    let apart2 = 0
    for (let axis = 0; axis < dimension; axis++)
      apart2 += (centre(node, axis) - (boxes[at * boxStride + axis] as number)) ** 2
    return share(node) / total / Math.max(apart2 / unit + radius2(node), least2)
  }
  // Parents come before their children.
  for (let node = 0; node < nodes; node++) {
    const field = around[node] as number
    take(node, (field + others(node) / total / Math.max(radius2(node), least2)) ** fieldPower)
    if (links[node * linkStride + skipAt] === node + 1) continue
    const [a, b] = [node + 1, links[(node + 1) * linkStride + skipAt] as number]
    around[a] = field + from(b, a)
    around[b] = field + from(a, b)
  }
}

function radius2Of(boxes: Float64Array, node: number, dimension: number): number {
  let radius2 = 0
  for (let axis = 0; axis < dimension; axis++) radius2 += (boxes[node * boxStride + 3 + axis] as number) ** 2
  return radius2
}

/** The square of a mean of half the edges, in a unit. For a cube it is that of the radius. */
function edges2Of(boxes: Float64Array, node: number, dimension: number, unit: number): number {
  let sum = 0
  for (let axis = 0; axis < dimension; axis++)
    sum += ((boxes[node * boxStride + 3 + axis] as number) ** 2 / unit) ** (edgePower / 2)
  return dimension * (sum / dimension) ** (2 / edgePower)
}
