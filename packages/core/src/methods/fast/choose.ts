/**
 * Chooses between a tree and a mesh for a sum within a tolerance, by an estimate of their times.
 *
 * @module
 */
import type { FloatArray } from '../../ground/checks.ts'
import { Remembered } from '../../ground/remember.ts'
import type { Fast } from '../../problem/reductions/fast.ts'
import type { Mesh } from '../../problem/reductions/mesh.ts'
import type { Tree } from '../../problem/reductions/tree.ts'
import type { Dimension, PairWorkload, Shape } from '../../problem/workloads/workload.ts'
import { kernelsOf, type MeshKernels } from '../mesh/kernels.ts'
import { settingFor, spaceFor } from '../mesh/open-space.ts'
import type { Transformer } from '../mesh/transformer.ts'
import { checkedMethod } from '../tolerance/checked-method.ts'

/** A workload with any method. */
export type Hurried = PairWorkload & { readonly method: Fast }

type With<M> = PairWorkload & { readonly method: M }

const trees = new Remembered<PairWorkload, With<Tree>>()
const meshes = new Remembered<PairWorkload, With<Mesh>>()

/** The same sum by a tree. */
export const withTree = (workload: Hurried): With<Tree> =>
  trees.of(workload, () => ({ ...workload, method: { ...checkedMethod(workload.method, 'fast'), kind: 'tree' } }))

/** The same sum through a mesh. */
export const withMesh = (workload: Hurried): With<Mesh> =>
  meshes.of(workload, () => ({ ...workload, method: { ...checkedMethod(workload.method, 'fast'), kind: 'mesh' } }))

/** Times of a target, in times of a pair of a short part; infinite for a method that does not suit the law. */
export interface Costs {
  readonly allPairs: number
  readonly tree: number
  readonly mesh: number
}

/** Coordinates of points, as many for each as the dimension. */
interface Places {
  readonly sources: FloatArray
  readonly targets: FloatArray
}

/** The time of a pair of a whole law, and that of a number of a window for each grid. */
const [wholePair, windowNumber] = [0.5, 0.1]

/** The time of a tree for 1e5 masses in a square or in a cube, from a tolerance of 1e-3 on, and how it grows with each power of ten. */
const treeTimes = { flat: [800, 1.1], solid: [2000, 1.9] } as const
/** The power of the number of points that the time of a tree grows with. */
const byPoints = 0.35

/** Estimates the costs of a sum in open space. @param placesOf called only if a mesh may be worth its windows */
export function costsOf(
  workload: PairWorkload,
  { dimension, sources }: Pick<Shape, 'dimension' | 'sources'>,
  tolerance: number,
  placesOf: () => Places,
  transformer: Transformer,
): Costs {
  const allPairs = wholePair * sources
  const [treeTime, byTolerance] = dimension === 3 ? treeTimes.solid : treeTimes.flat
  const tree = treeTime * Math.max(1, byTolerance ** Math.log10(1e-3 / tolerance)) * (sources / 1e5) ** byPoints
  const exact = { allPairs, tree, mesh: Number.POSITIVE_INFINITY }
  const kernels = kernelsIn(workload, dimension)
  if (!kernels || sources === 0) return exact
  const setting = settingFor(tolerance)
  const windows = windowNumber * (kernels.weights.length + kernels.list.length) * setting.width ** kernels.dimension
  if (!(windows < Math.min(allPairs, tree))) return exact
  const places = placesOf()
  if (places.targets.length === 0) return exact
  const { cost } = spaceFor(setting, kernels, places, transformer)
  return { ...exact, mesh: cost / (places.targets.length / kernels.dimension) + windows }
}

/** Undefined for a law that a mesh cannot sum. */
function kernelsIn(workload: PairWorkload, dimension: Dimension): MeshKernels | undefined {
  try {
    return kernelsOf(workload, { dimension })
  } catch (error) {
    return unlessRefusal(error, undefined)
  }
}

/** The value, if an error says that a method does not suit a law or its points. @throws all other errors */
export function unlessRefusal<T>(error: unknown, value: T): T {
  if (error instanceof TypeError || error instanceof RangeError) return value
  throw error
}
