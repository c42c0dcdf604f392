/**
 * The shapes of clusters: points that constraints connect, with at most three constraints. The legs of a shape are its constraints as
 * displacements from one of its points to another.
 *
 * A pull along a leg moves its end forwards and its start backwards, each in proportion to its inverse mass.
 *
 * @module
 */

/** A leg by the places of its start and its end among the points of the cluster. */
type Leg = readonly [from: number, to: number]

export interface ClusterShape {
  readonly name: 'pair' | 'bent' | 'star' | 'chain' | 'triangle'
  /** How many points it has. */
  readonly points: number
  readonly legs: readonly Leg[]
  /** How many legs are kept; the last leg of a triangle leads back over the others. */
  readonly kept: number
}

const shape = (name: ClusterShape['name'], points: number, ...legs: readonly Leg[]): ClusterShape => ({
  ...{ name, points, legs },
  kept: Math.min(legs.length, points - 1),
})

/** Points around the first one, by their number. */
export const stars: readonly ClusterShape[] = [
  shape('pair', 2, [0, 1]),
  shape('bent', 3, [0, 1], [0, 2]),
  shape('star', 4, [0, 1], [0, 2], [0, 3]),
]
/** Four points in a row. */
export const chain: ClusterShape = shape('chain', 4, [0, 1], [1, 2], [2, 3])
/** Three points with three constraints, such as rigid water. */
export const triangle: ClusterShape = shape('triangle', 3, [0, 1], [1, 2], [2, 0])

/** The direction in which a pull along a leg moves a point: 1 at its end, -1 at its start, else 0. */
export const signAt = ([from, to]: Leg, point: number): number => Number(to === point) - Number(from === point)

/** A point with the sign by which it changes a leg. */
export interface Share {
  readonly point: number
  readonly sign: number
}

/** The points that change one leg by a pull along another. */
export function sharesOf({ legs }: ClusterShape, changed: number, pulled: number): readonly Share[] {
  const [from, to] = legs[changed] as Leg
  const along = legs[pulled] as Leg
  return [
    { point: to, sign: signAt(along, to) },
    { point: from, sign: -signAt(along, from) },
  ].filter(({ sign }) => sign !== 0)
}
