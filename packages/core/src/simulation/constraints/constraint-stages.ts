/**
 * The stages that hold constraints: after points have moved, they are moved back onto their distances along the legs of before, and
 * velocities follow. At the end of a step, the ends of a leg part no longer. One lane computes one cluster.
 *
 * Stages of velocities alone need no correction before the next move, because that takes the same directions.
 *
 * @module
 */
import { map } from '../../problem/workloads/particle.ts'
import type { Dimension } from '../../problem/workloads/workload.ts'
import type { PlannedStage } from '../forces/planned-stage.ts'
import { workNames } from '../forces/work-names.ts'
import { offsetMap, velocityLegMap } from './centres.ts'
import {
  type ClusterMap,
  checkMap,
  legMap,
  moveMap,
  partingMap,
  pullMap,
  shiftMap,
  stopMap,
  virialMap,
} from './cluster-maps.ts'
import type { Clusters } from './clusters.ts'
import type { Constraints } from './constraints.ts'

/** The constraints of a simulation on one device. */
export interface Held extends Pick<Constraints, 'boundary'> {
  readonly clusters: readonly Clusters[]
  readonly dimension: Dimension
  /** The attribute with the masses. */
  readonly inertia: string
  readonly precision: 'f32' | 'f64'
}

/** Rounds of Newton's method in a step. A leg that turns by 0.5 is then right to rounding. */
const rounds = { f32: 3, f64: 4 }
/** Where points begin, legs may be off by a tenth. */
const roundsAtStart = 8
/** Lengths are right to this share; otherwise numbers diverge. */
const tolerance: Readonly<Record<Held['precision'], number>> = { f32: 2e-6, f64: 1e-10 }

type Sets = readonly ['clusters' | 'points', 'clusters' | 'points']

function stage(
  clusters: Clusters,
  [visits, gathers]: Sets,
  { workload, vectors, dimension }: ClusterMap,
  places: Readonly<Record<string, string>> = Object.fromEntries(workload.results.map((name) => [name, name])),
): PlannedStage {
  return { workload, outputs: places, clusters: { clusters, visits, gathers, vectors, dimension } }
}

const legs = (held: Held, into: 'leg' | 'near'): readonly PlannedStage[] =>
  held.clusters.map((one) => stage(one, ['clusters', 'points'], legMap(one.shape, held, into)))

/** The moves that restore the lengths of the legs in `near`. */
const moves = ({ clusters, dimension, precision }: Held, times: number): readonly PlannedStage[] =>
  clusters.flatMap((one) => {
    const round = stage(one, ['clusters', 'clusters'], pullMap(one.shape))
    const check = stage(one, ['clusters', 'clusters'], checkMap(one.shape, tolerance[precision]))
    const move = stage(one, ['clusters', 'clusters'], moveMap(one.shape, dimension))
    return [...Array<PlannedStage>(times).fill(round), check, move]
  })

/** The rates by which legs part, and the map that follows. */
const rates = (held: Held, by: 'velocity' | 'acceleration', then: (one: Clusters) => ClusterMap) => [
  ...legs(held, 'leg'),
  ...held.clusters.flatMap((one) => [
    stage(one, ['clusters', 'points'], partingMap(one.shape, held, by)),
    stage(one, ['clusters', 'clusters'], then(one)),
  ]),
]

/** The moves of the clusters as shifts of the points. */
const shifts = ({ clusters, dimension, inertia }: Held): readonly PlannedStage[] =>
  clusters.map((one, n) => {
    const shift = shiftMap(one.shape, dimension, { inertia, before: n === 0 ? undefined : workNames.shift })
    return stage(one, ['points', 'clusters'], shift, { shift: workNames.shift })
  })

/** Stages that move points, with constraints held. @param apply moves points by their shift, and changes velocities to match */
export function holdMoves(held: Held, moving: readonly PlannedStage[], apply: PlannedStage): readonly PlannedStage[] {
  return [
    ...legs(held, 'leg'),
    ...moving,
    ...legs(held, 'near'),
    ...moves(held, rounds[held.precision]),
    ...shifts(held),
    apply,
  ]
}

/** The outputs of the map that moves points by their shift over the time `h`. */
export const shiftOutputs: Readonly<Record<string, string>> = {
  position: `position + ${workNames.shift}`,
  velocity: `velocity + ${workNames.shift}/h`,
}

/** The stages that find how far points are from the centre of mass of their cluster, or how much faster, as shifts. Other points are centres. */
export const offsetsOf = (held: Held, of: 'position' | 'velocity'): readonly PlannedStage[] => [
  ...(of === 'position'
    ? legs(held, 'near')
    : held.clusters.map((one) => stage(one, ['clusters', 'points'], velocityLegMap(one.shape, held.dimension)))),
  ...held.clusters.map((one) => stage(one, ['clusters', 'clusters'], offsetMap(one.shape, held.dimension))),
  ...shifts(held),
]

const add = (array: 'position' | 'velocity'): PlannedStage => ({
  workload: map({ [array]: `${array} + ${workNames.shift}` }),
  outputs: { [array]: array },
})

/** The stages after which the ends of no leg part. */
export const holdVelocities = (held: Held): readonly PlannedStage[] => [
  ...rates(held, 'velocity', ({ shape }) => stopMap(shape, held.dimension)),
  ...shifts(held),
  add('velocity'),
]

/** The stages that move points onto their distances, from places nearby; velocities follow. */
export const placePoints = (held: Held): readonly PlannedStage[] => [
  ...legs(held, 'leg'),
  ...legs(held, 'near'),
  ...moves(held, roundsAtStart),
  ...shifts(held),
  add('position'),
  ...holdVelocities(held),
]

/** The stages that find the virial of the constraints of each cluster, in `clusterNames.virial`. */
export const virialStages = (held: Held): readonly PlannedStage[] =>
  rates(held, 'acceleration', ({ shape }) => virialMap(shape))
