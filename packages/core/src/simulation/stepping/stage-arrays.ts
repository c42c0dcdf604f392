/**
 * The arrays that each stage of a simulation sees: every stage the arrays of the points, maps also work arrays, sums over pairs
 * components of vectors and slopes of energies, maps of links the ends of these links, and maps of constraints their clusters.
 *
 * @module
 */
import type { DeviceBuffer, PointSet } from '../../contract/backend.ts'
import { isTilted } from '../../problem/workloads/domain.ts'
import type { Dimension, Shape } from '../../problem/workloads/workload.ts'
import { imageNames } from '../forces/cell-images.ts'
import { endNames } from '../forces/end-names.ts'
import { countEnds } from '../forces/ends.ts'
import type { PairPart } from '../forces/pair-part.ts'
import type { PlannedStage } from '../forces/planned-stage.ts'
import { workNames } from '../forces/work-names.ts'
import type { NamedBuffers } from './buffers.ts'
import type { ClusterBuffers } from './cluster-buffers.ts'
import type { CurveBuffers } from './curve-buffers.ts'
import type { EndArrays } from './end-arrays.ts'
import type { ImageBuffers } from './image-buffers.ts'
import type { PairShapes } from './pair-shapes.ts'

/** The points that a stage visits and reads, and the arrays that its results may go to. */
export interface StageArrays {
  readonly shape: Shape
  readonly targets: PointSet
  readonly sources: PointSet
  /** The shape with the most points that there may be, for which programs are made. */
  readonly room: Shape
  readonly lengthUnit: number | undefined
  readonly outputs: Readonly<Record<string, DeviceBuffer>>
}

/** All arrays, by who sees them. */
interface AllArrays {
  readonly dimension: Dimension
  readonly vectors: readonly string[]
  readonly count: number
  readonly capacity: number
  readonly points: NamedBuffers
  /** Of maps, and where results go. */
  readonly work: NamedBuffers
  readonly ofPairs: NamedBuffers
  /** With one number each, of an adaptive clock. */
  readonly single: NamedBuffers
  readonly ends: EndArrays
  readonly constraints: ClusterBuffers | undefined
  readonly images: ImageBuffers
  readonly shapes: PairShapes
  readonly curves: CurveBuffers
}

type Unplaced = Omit<PlannedStage, 'outputs'>

export function stageArrays(stage: Unplaced, all: AllArrays): StageArrays {
  const { workload, ends, clock, pair, encounters, curve } = stage
  const { count, work, ofPairs, single } = all
  const shaped = pair ?? (encounters && 'encounters')
  const known = shaped && all.shapes.of(shaped)
  const sized = (points: number): Shape => {
    const plain = shapeOf(stage, points, all)
    return known && !ends && !clock ? { ...known.shape, ...plain } : plain
  }
  const shapes = { shape: sized(count), room: sized(all.capacity), lengthUnit: known?.lengthUnit }
  const square = workload.loop === 'pair' && isTilted(workload.domain.boundary) && ofPairs[workNames.square]
  const own = workload.loop === 'pair' ? { ...ofPairs, ...(square && { position: square }) } : work
  const points: PointSet = { count, arrays: { ...all.points, ...own } }
  const outputs = { ...all.points, ...ofPairs, ...work }
  const imaged = all.images.of((stage.images?.pair ?? pair) as PairPart)
  if (imaged) {
    const images: PointSet = { count: (imaged[imageNames.of] as DeviceBuffer).length, arrays: imaged }
    if (pair) return { ...shapes, targets: points, sources: images, outputs }
    const { width = 1 } = stage.images ?? {}
    const all = { count: width * count, arrays: { ...points.arrays, ...ofPairs } }
    return { ...shapes, targets: { ...images, count: width * images.count }, sources: all, outputs: imaged }
  }
  if (clock) {
    const one: PointSet = { count: 1, arrays: single }
    const each: PointSet = { count, arrays: { ...all.points, ...work } }
    const [targets, sources] = ({ least: [one, each], tick: [one, one], spread: [each, one] } as const)[clock]
    return { ...shapes, targets, sources, outputs: { ...work, ...single } }
  }
  if (stage.clusters && all.constraints) {
    const { clusters, visits, gathers } = stage.clusters
    const buffers = all.constraints.of(clusters)
    const both = {
      clusters: { count: clusters.members.length, arrays: buffers },
      points: { count, arrays: { ...points.arrays, ...all.constraints.ofPoints(clusters) } },
    }
    return { ...shapes, targets: both[visits], sources: both[gathers], outputs: { ...outputs, ...buffers } }
  }
  if (curve && !ends) return { ...shapes, targets: points, sources: all.curves.of(curve.call, curve.gathers), outputs }
  if (!ends) return { ...shapes, targets: points, sources: points, outputs }
  const buffers = all.ends.of(ends.links)
  const both = {
    ends: { count: countEnds(ends.links), arrays: buffers },
    points: { count, arrays: { ...points.arrays, [endNames.first]: buffers[endNames.first] as DeviceBuffer } },
  }
  const [targets, gathered] = [both[ends.visits], both[ends.gathers]]
  const sources = curve ? all.ends.curvesOf(ends.links).of(curve.call, curve.gathers) : gathered
  return { ...shapes, targets, sources, outputs: { ...outputs, ...buffers } }
}

/** The shape of a stage over so many points. */
function shapeOf(
  { ends, clusters, clock, images, pair, curve }: Unplaced,
  points: number,
  { dimension, vectors, images: all, curves, ends: linked }: AllArrays,
): Shape {
  if (clock) {
    const [targets, sources] = ({ least: [1, points], tick: [1, 1], spread: [points, 1] } as const)[clock]
    return { dimension, targets, sources, sameSet: clock === 'tick', vectors: clock === 'least' ? ['position'] : [] }
  }
  if (clusters) {
    const sizes = { clusters: clusters.clusters.members.length, points }
    const { visits, gathers, vectors: read, dimension: own } = clusters
    return { dimension: own, targets: sizes[visits], sources: sizes[gathers], sameSet: false, vectors: read }
  }
  const imaged = all.of((images?.pair ?? pair) as PairPart)?.[imageNames.of]?.length
  if (images) {
    const { width, vectors: read } = images
    return { dimension, targets: width * (imaged ?? 0), sources: width * points, sameSet: false, vectors: read }
  }
  if (imaged !== undefined) return { dimension, targets: points, sources: imaged, sameSet: false, vectors }
  if (curve && !ends) {
    const { count } = curves.of(curve.call, curve.gathers)
    return { dimension, targets: points, sources: count, sameSet: false, vectors }
  }
  if (!ends) return { dimension, targets: points, sources: points, sameSet: true, vectors }
  const sizes = { ends: countEnds(ends.links), points }
  const steps = curve && linked.curvesOf(ends.links).of(curve.call, curve.gathers).count
  return {
    dimension,
    targets: sizes[ends.visits],
    sources: steps ?? sizes[ends.gathers],
    sameSet: false,
    vectors: ends.vectors,
  }
}
