/**
 * How far each node of a tree must be away, given the weights around it. A node with a large share of the weight, compared with
 * the field at the targets, must be farther away than a light one.
 *
 * A node is far from a group of targets at a squared distance of at least `far2 / field` and `near2`, in units of the radius of
 * all points. The field is a sum of terms that fall as `1 / distance^2`. This serves every law, because only ratios count.
 *
 * @module
 */
import { type BlockTree, boxStride, linkStride, skipAt } from '../ranges/block-tree.ts'

/** The weights of nodes, node by node. */
export interface NodeWeights {
  /** The weight of a node as a share of the weight of all points, in any unit. */
  readonly share: Float64Array
  /** The share of the node's points without the heaviest point. */
  readonly others: Float32Array | Float64Array
  /** The centre of the weight of each node, `dimension` numbers. */
  readonly centre: Float64Array
}

/** The squared opening distances of nodes, in units of {@link unitOf}. A node is far from targets beyond both. */
export interface NodeReaches {
  /** This distance is divided by the field of the targets. */
  readonly far2: Float64Array
  /** This distance holds for every field. */
  readonly near2: Float64Array
}

/** The square of the largest radius of a far node by its distance. */
export const widest2 = 0.81
/** The error of a simplex falls with the third power of radius by distance, and its share of the field with two more. */
export const fieldPower = 0.4
/** A group of coincident points has this squared radius. */
export const least2 = 1e-12
/** The radius of a node without weights is this power mean of its edges, because its error grows with a high power. */
export const edgePower = 6
/** The least distance that float32 holds. Without one, nodes much smaller than the whole set would always be far. */
export const leastReach: number = 2 ** -126

/** The squared radius of all points, which is the unit of squared distances; 1 if they coincide. */
export function unitOf({ boxes }: Pick<BlockTree, 'boxes'>, dimension: number): number {
  const radius2 = radius2Of(boxes, 0, dimension)
  return radius2 > 0 ? radius2 : 1
}

/**
 * The squared opening distances of each node. Without weights, they follow from its edges alone, and the longest edge counts most.
 */
export function nodeReaches(
  { boxes }: Pick<BlockTree, 'boxes'>,
  dimension: number,
  opening: number,
  weights: NodeWeights | undefined,
): NodeReaches {
  const unit = unitOf({ boxes }, dimension)
  const total = weights?.share[0] ?? 0
  const nodes = boxes.length / boxStride
  const scale = 1 / (opening * opening)
  const [far2, near2] = [new Float64Array(nodes), new Float64Array(nodes)]
  for (let node = 0; node < nodes; node++) {
    const radius2 = radius2Of(boxes, node, dimension) / unit
    if (weights && total > 0) {
      const share = (weights.share[node] as number) / total
      far2[node] = Math.max(radius2 ** (1 - fieldPower) * share ** fieldPower * scale, leastReach)
      near2[node] = Math.max(radius2 / widest2, leastReach)
    } else far2[node] = Math.max(edges2Of(boxes, node, dimension, unit) * scale, leastReach)
  }
  return { far2, near2 }
}

/**
 * The field of each node to the power that {@link nodeReaches} expects. A node has the field of its parent, of its sibling, and of its
 * own points without the heaviest one. That point does not act on itself, so it feels no other field. With its own weight in the
 * field, its sum would be less exact the heavier it is.
 */
export function nodeFields(
  { boxes, links }: Pick<BlockTree, 'boxes' | 'links'>,
  dimension: number,
  { share, others, centre }: NodeWeights,
): Float64Array {
  const unit = unitOf({ boxes }, dimension)
  const total = share[0] || 1
  const nodes = boxes.length / boxStride
  const [fields, around] = [new Float64Array(nodes), new Float64Array(nodes)]
  const radius2 = (node: number) => radius2Of(boxes, node, dimension) / unit
  /** The contribution of a node's points to the field at another node. */
  const from = (node: number, at: number) => {
    let apart2 = 0
    for (let axis = 0; axis < dimension; axis++)
      apart2 += ((centre[node * dimension + axis] as number) - (boxes[at * boxStride + axis] as number)) ** 2
    return (share[node] as number) / total / Math.max(apart2 / unit + radius2(node), least2)
  }
  // Parents come before their children.
  for (let node = 0; node < nodes; node++) {
    const field = around[node] as number
    fields[node] = (field + (others[node] as number) / total / Math.max(radius2(node), least2)) ** fieldPower
    if (links[node * linkStride + skipAt] === node + 1) continue
    const [a, b] = [node + 1, links[(node + 1) * linkStride + skipAt] as number]
    around[a] = field + from(b, a)
    around[b] = field + from(a, b)
  }
  return fields
}

function radius2Of(boxes: Float64Array, node: number, dimension: number): number {
  let radius2 = 0
  for (let axis = 0; axis < dimension; axis++) radius2 += (boxes[node * boxStride + 3 + axis] as number) ** 2
  return radius2
}

/** The square of a mean of half the edges, in a unit. For a cube it is the squared radius. */
function edges2Of(boxes: Float64Array, node: number, dimension: number, unit: number): number {
  let sum = 0
  for (let axis = 0; axis < dimension; axis++)
    sum += ((boxes[node * boxStride + 3 + axis] as number) ** 2 / unit) ** (edgePower / 2)
  return dimension * (sum / dimension) ** (2 / edgePower)
}
