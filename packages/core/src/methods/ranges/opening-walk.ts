/**
 * The walk for sums with a tolerance. A node that is far from a box of targets is taken as its proxies, and all other sources
 * are taken directly. Each source counts exactly once.
 *
 * @module
 */
import { type BlockTree, boxStride, firstAt, lastAt, linkStride, skipAt } from './block-tree.ts'
import type { Take } from './cutoff-walk.ts'

export interface OpeningRule {
  readonly dimension: number
  /** How far nodes must be from the targets. */
  readonly reach: Reach
  /** Centres of weight, node by node. They must be as far as the centres of boxes, because weight may lie in a near corner. */
  readonly centre: Float64Array
  /** Whether a node has proxies. A far node without any is taken directly: it has few points. */
  readonly hasProxies: (node: number) => boolean
  /** Whether a node must be opened for another reason: one of its places is excluded for a target. */
  readonly opens?: ((first: number, last: number) => boolean) | undefined
}

/** Squared opening distances of nodes, in units of `unit`, and the field of the group of targets. */
interface Reach {
  readonly far2: ArrayLike<number>
  readonly near2: ArrayLike<number>
  readonly field: number
  readonly unit: number
}

/** Passes places of sources to `take`, and far nodes to `takeProxies`, in the order of places. */
export function walkOpening(
  { boxes, links }: BlockTree,
  target: Float64Array,
  rule: OpeningRule,
  take: Take,
  takeProxies: (node: number) => void,
): void {
  const { dimension, reach, centre, hasProxies, opens } = rule
  const count = boxes.length / boxStride
  for (let node = 0; node < count; ) {
    const [box, link] = [node * boxStride, node * linkStride]
    const [first, last] = [links[link + firstAt] as number, links[link + lastAt] as number]
    const skip = links[link + skipAt] as number
    let [gap2, weightGap2] = [0, 0]
    for (let axis = 0; axis < dimension; axis++) {
      const half = target[3 + axis] as number
      gap2 += Math.max(0, Math.abs((boxes[box + axis] as number) - (target[axis] as number)) - half) ** 2
      weightGap2 +=
        Math.max(0, Math.abs((centre[node * dimension + axis] as number) - (target[axis] as number)) - half) ** 2
    }
    // Comparisons with NaN are false, so a box that is not finite is always opened.
    const nearest = Math.min(gap2, weightGap2)
    const apart =
      nearest * (reach.field / reach.unit) > (reach.far2[node] as number) &&
      nearest * (1 / reach.unit) > (reach.near2[node] as number)
    const far = apart && !opens?.(first, last)
    if (far && hasProxies(node)) takeProxies(node)
    else if (far || skip === node + 1) take(first, last)
    node = far ? skip : node + 1
  }
}
