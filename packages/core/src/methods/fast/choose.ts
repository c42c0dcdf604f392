/**
 * Chooses between a tree and a mesh for a sum within a tolerance, by an estimate of their times.
 *
 * @module
 */
import { finite, oneOf, onlyNamed } from '../../ground/checks.ts'
import { Remembered } from '../../ground/remember.ts'
import type { Fast } from '../../problem/reductions/fast.ts'
import type { Mesh } from '../../problem/reductions/mesh.ts'
import type { Tree } from '../../problem/reductions/tree.ts'
import type { Dimension, PairWorkload } from '../../problem/workloads/workload.ts'
import { extentOf } from '../mesh/extent.ts'
import { kernelsOf } from '../mesh/kernels.ts'
import { openSpace, type Transformer } from '../mesh/open-space.ts'
import { firstRung, type MeshSetting, settings } from '../mesh/settings.ts'

/** A workload with any method. */
export type Hurried = PairWorkload & { readonly method: Fast }

type With<M> = PairWorkload & { readonly method: M }

const trees = new Remembered<PairWorkload, With<Tree>>()
const meshes = new Remembered<PairWorkload, With<Mesh>>()

/** @throws TypeError, RangeError for wrong options */
export function checkedFast(method: Fast): Omit<Fast, 'kind'> {
  const { kind, tolerance, of } = onlyNamed(method, 'option of fast', ['kind', 'tolerance', 'of'])
  oneOf(kind, 'method.kind', ['fast'])
  if (of !== undefined) oneOf(of, 'method.of', ['terms', 'result'])
  if (!(finite(tolerance, 'tolerance', Number.MIN_VALUE) < 1))
    throw new RangeError(`"tolerance" expected less than 1, got ${tolerance}`)
  return { tolerance, ...(of && { of }) }
}

/** The same sum by a tree. */
export const withTree = (workload: Hurried): With<Tree> =>
  trees.of(workload, () => ({ ...workload, method: { kind: 'tree', ...checkedFast(workload.method) } }))

/** The same sum through a mesh. */
export const withMesh = (workload: Hurried): With<Mesh> =>
  meshes.of(workload, () => ({ ...workload, method: { kind: 'mesh', ...checkedFast(workload.method) } }))

/** Times of a target, in times of a pair of a short part; infinite for a method that does not suit the law. */
export interface Costs {
  readonly tree: number
  readonly mesh: number
}

/** Coordinates of points in space, three for each. */
interface Places {
  readonly sources: Float64Array
  readonly targets: Float64Array
}

/** The time of a pair of a whole law, and that of a number of a window for each grid. */
const [wholePair, windowNumber] = [0.5, 0.1]

/** The time of a tree for 1e5 masses in a cube, from a tolerance of 1e-3 on, and how it grows with each power of ten and with the points. */
const [treeTime, byTolerance, byPoints] = [2000, 1.9, 0.35]

/** Estimates the costs of a sum in open space. */
export function costsOf(
  workload: PairWorkload,
  dimension: Dimension,
  tolerance: number,
  places: Places,
  transformer: Transformer,
): Costs {
  const count = places.sources.length / dimension
  const byTree = treeTime * Math.max(1, byTolerance ** Math.log10(1e-3 / tolerance)) * (count / 1e5) ** byPoints
  const tree = Math.min(wholePair * count, byTree)
  if (dimension !== 3) return { tree, mesh: Number.POSITIVE_INFINITY }
  return { tree, mesh: meshCost(workload, tolerance, places, transformer) }
}

function meshCost(workload: PairWorkload, tolerance: number, places: Places, transformer: Transformer): number {
  const { sources, targets } = places
  if (sources.length === 0 || targets.length === 0) return Number.POSITIVE_INFINITY
  const { weights, list } = kernelsOf(workload, { dimension: 3 })
  const setting = settings[firstRung(0.9 * tolerance, true, true)] as MeshSetting
  const grids = weights.length + list.length
  const { cost } = openSpace(
    setting,
    extentOf(sources === targets ? [sources] : [sources, targets]),
    places,
    grids,
    transformer,
  )
  return cost / (targets.length / 3) + windowNumber * grids * setting.width ** 3
}
