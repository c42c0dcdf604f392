/**
 * The proxies of all nodes of a tree that have more points than proxies. They are made from points where a child has few points,
 * otherwise from the child's state.
 *
 * @module
 */
import { type BlockTree, boxStride, firstAt, lastAt, linkStride, skipAt } from '../ranges/block-tree.ts'
import type { NodeWeights } from './fields.ts'
import type { ProxyScheme, WeightedPoints } from './proxy-scheme.ts'

export interface Proxies {
  /** The first proxy of each node, or -1. */
  readonly first: Int32Array
  readonly points: WeightedPoints
}

/** Makes the proxies of a fitted tree. Points are in the order of places. */
export function proxiesOf(
  { boxes, links }: BlockTree,
  points: WeightedPoints,
  dimension: number,
  scheme: ProxyScheme,
): Proxies {
  const { size, stateSize } = scheme
  const nodes = boxes.length / boxStride
  const { first, count } = nodesWithProxies(links, size)
  const state = new Float64Array(count * stateSize)
  const stateAt = (node: number) => ((first[node] as number) / size) * stateSize
  const weights = points.weight.length / (points.position.length / dimension)
  const proxies = {
    position: new Float64Array(count * size * dimension),
    weight: new Float64Array(count * size * weights),
  }
  // Children come after their parents.
  for (let node = nodes - 1; node >= 0; node--) {
    if ((first[node] as number) < 0) continue
    const box = { boxes, at: node * boxStride }
    const [at, link] = [stateAt(node), node * linkStride]
    const leaf = links[link + skipAt] === node + 1
    for (const part of leaf ? [node] : [node + 1, links[link + linkStride + skipAt] as number]) {
      const [from, to] = [links[part * linkStride + firstAt] as number, links[part * linkStride + lastAt] as number]
      if (leaf || (first[part] as number) < 0) scheme.addPoints(points, from, to, box, state, at)
      else scheme.addBox({ boxes, at: part * boxStride }, stateAt(part), box, state, at)
    }
    scheme.place(box, state, at, proxies, first[node] as number)
  }
  return { first, points: proxies }
}

/** The first proxy of each node with more points than proxies, otherwise -1, and the number of nodes with proxies. */
export function nodesWithProxies(
  links: Uint32Array,
  size: number,
): { readonly first: Int32Array; readonly count: number } {
  const first = new Int32Array(links.length / linkStride).fill(-1)
  let count = 0
  for (let node = 0; node < first.length; node++) if (pointsIn(links, node) > size) first[node] = size * count++
  return { first, count }
}

/**
 * The centre of weight of each node: each source counts by the absolute values of its weights, relative to the total of all sources.
 * A node without weight has the centre of its box.
 */
export function weightCentres(tree: BlockTree, points: WeightedPoints, dimension: number): Float64Array {
  return weightsOfNodes(tree, points, dimension).centre
}

/**
 * The weight of each node as a share of all weight, the share of its points without the heaviest point, and its centre of weight as in
 * {@link weightCentres}.
 */
export function weightsOfNodes(
  { boxes, links }: BlockTree,
  { position, weight }: WeightedPoints,
  dimension: number,
): NodeWeights {
  const nodes = boxes.length / boxStride
  const points = position.length / dimension
  const weights = weight.length / points
  const totals = new Float64Array(weights)
  for (const [n, value] of weight.entries()) totals[n % weights] = (totals[n % weights] as number) + Math.abs(value)
  const shares = new Float64Array(points)
  for (const [n, value] of weight.entries()) {
    const [point, total] = [Math.floor(n / weights), totals[n % weights] as number]
    if (total > 0) shares[point] = (shares[point] as number) + Math.abs(value) / total
  }
  const [share, others, heaviest] = [new Float64Array(nodes), new Float64Array(nodes), new Float64Array(nodes)]
  const centre = new Float64Array(nodes * dimension)
  /** Adds weight at `x` to a node: `more` in total, with its heaviest point `most` and the other points `rest`. */
  const add = (node: number, more: number, most: number, rest: number, x: Float64Array, from: number) => {
    if (!(more > 0)) return
    const before = heaviest[node] as number
    // Add up the weight of the other points separately: it would lose all digits in a difference from a heavy point.
    others[node] = (others[node] as number) + rest + Math.min(before, most)
    heaviest[node] = Math.max(before, most)
    const total = (share[node] as number) + more
    share[node] = total
    for (let axis = 0; axis < dimension; axis++) {
      const at = node * dimension + axis
      centre[at] = (centre[at] as number) + (((x[from + axis] as number) - (centre[at] as number)) * more) / total
    }
  }
  for (let node = nodes - 1; node >= 0; node--) {
    const link = node * linkStride
    for (let axis = 0; axis < dimension; axis++)
      centre[node * dimension + axis] = boxes[node * boxStride + axis] as number
    if (links[link + skipAt] === node + 1)
      for (let place = links[link + firstAt] as number; place < (links[link + lastAt] as number); place++)
        add(node, shares[place] as number, shares[place] as number, 0, position, place * dimension)
    else
      for (const child of [node + 1, links[link + linkStride + skipAt] as number])
        add(
          ...([node, share[child] as number, heaviest[child] as number, others[child] as number] as const),
          ...([centre, child * dimension] as const),
        )
  }
  return { share, others, centre }
}

const pointsIn = (links: Uint32Array, node: number): number =>
  (links[node * linkStride + lastAt] as number) - (links[node * linkStride + firstAt] as number)
