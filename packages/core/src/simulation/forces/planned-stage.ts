/**
 * A stage of a step as data, and the options of the stages that evaluate forces.
 *
 * @module
 */
import type { Lengths } from '../../problem/workloads/vector-sets.ts'
import type { Dimension, MapWorkload, Workload } from '../../problem/workloads/workload.ts'
import type { Clusters } from '../constraints/clusters.ts'
import type { SimulationNumbers } from '../numbers/numbers.ts'
import type { Moment } from './at-time.ts'
import type { Looked } from './curve-scope.ts'
import type { Links } from './ends.ts'
import type { PairPart } from './pair-part.ts'

/** A workload of a step, and the array of each of its results. */
export interface PlannedStage {
  readonly workload: Workload
  readonly outputs: Readonly<Record<string, string>>
  /** For a map of an integrator in steps of one length: `h` is this fraction of a step. */
  readonly fraction?: number
  /** For a sum over pairs: the part of the force that it computes. */
  readonly pair?: PairPart
  /** For a map of links: its links, the elements that it visits, and the elements that it gathers values from. */
  readonly ends?: EndSets
  /** For a map that gathers numbers of a tabulated function: the call, and the elements that it gathers from. */
  readonly curve?: { readonly call: Looked; readonly gathers: 'kinds' | 'steps' }
  /** For a map of constraints: its clusters, the elements that it visits, and the elements that it gathers values from. */
  readonly clusters?: ClusterSets
  /** For a map that copies sources into other cells: the sum over pairs that reads them, the vectors that the map reads, and how many numbers of a point it visits. */
  readonly images?: { readonly pair: PairPart; readonly vectors: readonly string[]; readonly width: number }
  /** For the rule for pairs of adaptive steps, which visits only the sources that act on others. */
  readonly encounters?: true
  /** For a stage of an adaptive clock: a minimum over the points, a map over its single numbers, or one that copies them to the points. */
  readonly clock?: 'least' | 'tick' | 'spread'
}

export interface EndSets {
  readonly links: Links
  readonly visits: 'ends' | 'points'
  readonly gathers: 'ends' | 'points'
  readonly vectors: readonly string[]
}

interface ClusterSets {
  readonly clusters: Clusters
  readonly visits: 'clusters' | 'points'
  readonly gathers: 'clusters' | 'points'
  readonly vectors: readonly string[]
  /** The components of these vectors. */
  readonly dimension: Dimension
}

export interface EvaluationOptions {
  readonly dimension: Dimension
  /** The relative error of an operation of the device. */
  readonly rounding: number
  /** The vectors among the arrays of the points. */
  readonly vectors: readonly string[]
  /** Those of any length. */
  readonly lengths: Lengths
  /** Where the sum of all forces goes: `acceleration`, or `velocity` in first-order motion. */
  readonly target: string
  /** The time of the evaluation. */
  readonly time: Moment
  /** Whether some points are fixed. */
  readonly fixed: boolean
  /** Whether a stage of the integrator turns velocities, so that forces leave this part out. */
  readonly turned: boolean
  /** How many rounds add up the ends of links. */
  readonly rounds: ReadonlyMap<Links, number>
  readonly numbers: SimulationNumbers['parameters']
}

/** Each result goes to the array of its name. */
export const ownNames = ({ results }: MapWorkload): Readonly<Record<string, string>> =>
  Object.fromEntries(results.map((name) => [name, name]))
