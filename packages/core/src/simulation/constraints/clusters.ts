/**
 * Finds the clusters in a list of constraints: the points that constraints connect, by the shape that they form.
 *
 * @module
 */
import { type ClusterShape, chain, stars, triangle } from './shapes.ts'

/** Two points and the distance that they keep. */
export type DistanceConstraint = readonly [a: number, b: number, length: number]

/** All clusters of one shape. */
export interface Clusters {
  readonly shape: ClusterShape
  /** The points of each cluster, in the order of the shape. */
  readonly members: readonly (readonly number[])[]
  /** The length of each leg of each cluster. */
  readonly lengths: readonly (readonly number[])[]
}

/** The most constraints of a cluster. */
export const mostConnected = 3

/** The points of constraints, each as often as it has one. */
export const pointsOf = (distances: readonly DistanceConstraint[]): readonly number[] =>
  distances.flatMap((constraint) => constraint.slice(0, 2))

/** The constraints of each cluster, which share points. */
export function connected(distances: readonly DistanceConstraint[]): readonly (readonly DistanceConstraint[])[] {
  const above = new Map<number, number>()
  const topOf = (point: number): number => {
    let top = point
    for (let next = above.get(top); next !== undefined; next = above.get(top)) top = next
    if (top !== point) above.set(point, top)
    return top
  }
  for (const [a, b] of distances) {
    const [one, other] = [topOf(a), topOf(b)]
    if (one !== other) above.set(Math.max(one, other), Math.min(one, other))
  }
  const groups = new Map<number, DistanceConstraint[]>()
  for (const constraint of distances) {
    const top = topOf(constraint[0])
    const group = groups.get(top)
    if (group) group.push(constraint)
    else groups.set(top, [constraint])
  }
  return [...groups.values()]
}

/** The clusters of checked constraints, by their shapes. */
export function clustersOf(distances: readonly DistanceConstraint[]): readonly Clusters[] {
  const found = new Map<ClusterShape, { members: number[][]; lengths: number[][] }>()
  for (const group of connected(distances)) {
    const [shape, points] = arranged(group)
    const { members, lengths } = found.get(shape) ?? { members: [], lengths: [] }
    members.push(points)
    lengths.push(shape.legs.map(([from, to]) => lengthBetween(points[from] as number, points[to] as number, group)))
    found.set(shape, { members, lengths })
  }
  return [...found].map(([shape, lists]) => ({ shape, ...lists }))
}

/** The shape of connected constraints, and their points in its order. */
function arranged(group: readonly DistanceConstraint[]): [ClusterShape, number[]] {
  const partners = new Map<number, number[]>()
  for (const [a, b] of group) {
    partners.set(a, [...(partners.get(a) ?? []), b])
    partners.set(b, [...(partners.get(b) ?? []), a])
  }
  const points = [...partners.keys()]
  if (points.length === group.length) return [triangle, points]
  const centre = points.find((point) => partners.get(point)?.length === group.length)
  if (centre !== undefined) return [stars[group.length - 1] as ClusterShape, [centre, ...(partners.get(centre) ?? [])]]
  const row = points.filter((point) => partners.get(point)?.length === 1).slice(0, 1)
  while (row.length < points.length)
    row.push(partners.get(row.at(-1) as number)?.find((point) => !row.includes(point)) as number)
  return [chain, row]
}

function lengthBetween(a: number, b: number, group: readonly DistanceConstraint[]): number {
  const own = group.find(([one, other]) => (one === a && other === b) || (one === b && other === a))
  return (own as DistanceConstraint)[2]
}
