/**
 * The arrays of clusters and of their points, as a device gets them.
 *
 * @module
 */
import type { FloatArray } from '../../ground/checks.ts'
import type { Dimension } from '../../problem/workloads/workload.ts'
import { clusterNames } from './cluster-maps.ts'
import type { Clusters } from './clusters.ts'

type Arrays = Readonly<Record<string, FloatArray>>

/** All arrays of the clusters of a shape. @param masses of all points */
export function clusterArrays(clusters: Clusters, dimension: Dimension, masses: FloatArray): Arrays {
  const { shape, members, lengths } = clusters
  const { member, leg, near, move, pull, parting, virial, squares } = clusterNames
  const zeros = (width: number) => new Float32Array(members.length * width)
  const ofLegs = (name: (n: number) => string, width: number, count: number = shape.kept): Arrays =>
    Object.fromEntries(Array.from({ length: count }, (_, n) => [name(n), zeros(width)]))
  const points = Array.from({ length: shape.points }, (_, n) => {
    return [member(n), Float64Array.from(members, (list) => list[n] as number)] as const
  })
  return {
    ...Object.fromEntries(points),
    ...{ ...ofLegs(leg, 3), ...ofLegs(near, 3), ...ofLegs(move, dimension, shape.legs.length) },
    ...{ [pull]: zeros(3), [parting]: zeros(3), [virial]: zeros(1) },
    [squares]: Float64Array.from(lengths.flatMap((sides) => [0, 1, 2].map((n) => (sides[n] ?? 1) ** 2))),
    ...massArrays(clusters, masses),
  }
}

/** The arrays with the masses of the points of clusters. */
export function massArrays({ members }: Clusters, masses: FloatArray): Arrays {
  const { firstMass, ratios } = clusterNames
  const massOf = (point: number | undefined) =>
    point === undefined ? Number.POSITIVE_INFINITY : (masses[point] as number)
  return {
    [firstMass]: Float64Array.from(members, ([first]) => massOf(first)),
    [ratios]: Float64Array.from(
      members.flatMap((points) => [1, 2, 3].map((n) => massOf(points[0]) / massOf(points[n]))),
    ),
  }
}

/** The arrays that tell each point its cluster, and its place there. */
export function clusterOfPoints({ members }: Clusters, count: number): Arrays {
  const [of, place] = [new Float64Array(count).fill(-1), new Float64Array(count)]
  for (const [n, points] of members.entries())
    for (const [at, point] of points.entries()) {
      of[point] = n
      place[point] = at
    }
  return { [clusterNames.of]: of, [clusterNames.place]: place }
}
