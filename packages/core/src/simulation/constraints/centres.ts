/**
 * The maps that find the places and the velocities of the points of a cluster relative to its centre of mass. Weighted with the masses, these
 * add up to 0, so that moves along the legs give them, as they give the shifts of constraints.
 *
 * @module
 */
import { axes, axesOf } from '../../ground/axes.ts'
import { Remembered } from '../../ground/remember.ts'
import { gatherMap } from '../../problem/workloads/particle.ts'
import type { Dimension } from '../../problem/workloads/workload.ts'
import { type ClusterMap, clusterNames, gathered, perKeptLeg, spatial } from './cluster-maps.ts'
import type { ClusterShape } from './shapes.ts'

const { near, move, ratios, firstMass } = clusterNames

/** How much faster the end of each leg is than its start, in `near`. */
export function velocityLegMap(shape: ClusterShape, dimension: Dimension): ClusterMap {
  const gather = gathered('velocity', shape)
  const legs = perKeptLeg(shape, (n) => {
    const [from, to] = shape.legs[n] as readonly [number, number]
    const along = (axis: string) => `member${to}_velocity_${axis} - member${from}_velocity_${axis}`
    return [near(n), spatial(dimension, along)] as const
  })
  return { workload: gatherMap(Object.fromEntries(legs), gather), vectors: Object.keys(gather), dimension }
}

const known = new Remembered<ClusterShape, ClusterMap>()

/** The moves by which points at their centre of mass reach their places, from the legs in `near`. */
export const offsetMap = (shape: ClusterShape, dimension: Dimension): ClusterMap =>
  known.of(shape, () => newOffsetMap(shape, dimension), `${dimension}`)

function newOffsetMap(shape: ClusterShape, dimension: Dimension): ClusterMap {
  // Legs lead from point to point, or all of them from the first one.
  const isRow = shape.legs[1]?.[0] === 1
  const others = Array.from({ length: shape.points - 1 }, (_, n) => n + 1)
  const placeOf = (point: number, axis: string) =>
    (isRow ? others.slice(0, point) : [point]).map((leg) => `${near(leg - 1)}_${axis}`).join(' + ')
  const definitions = (axis: string) => [
    `centre = (${others.map((point) => `weight${point}*(${placeOf(point, axis)})`).join(' + ')})/(1 + ${others.map((point) => `weight${point}`).join(' + ')})`,
    ...others.map((point) => `weight${point} = 1/${ratios}_${axes[point - 1]}`),
  ]
  const moveOf = (leg: number, axis: string) => {
    // A leg moves all points behind it.
    const behind = isRow ? others.slice(leg) : others.slice(leg, leg + 1)
    const moved = behind.map((point) => `weight${point}*(${placeOf(point, axis)} - centre)`)
    return leg < shape.kept ? [`${firstMass}*(${moved.join(' + ')})`, ...definitions(axis)].join('; ') : '0'
  }
  const moves = shape.legs.map((_, leg) => [move(leg), axesOf(dimension).map((axis) => moveOf(leg, axis))] as const)
  const vectors = [...perKeptLeg(shape, near), ratios]
  return { workload: gatherMap(Object.fromEntries(moves), {}), vectors, dimension: 3 }
}
