/**
 * Plans that visit near points, by blocks of points or by cells: which workloads allow them, and their sizes for a device.
 *
 * @module
 */
import type { Dimension, PairWorkload, Plan, Shape } from '@manybody/core'
import { axesOf, blockPoints, isTilted, repeatOf } from '@manybody/core/backend'
import { keptPower, readsVectors } from '@manybody/core/expression'
import { targetsByCells } from '../../design/cell-layout.ts'
import type { BlockPlan } from '../../design/loop-shape.ts'
import type { PairCase } from '../../plans/pair-case.ts'
import { blocksVariant, cellsVariant, type NearVariant, notFor } from '../../plans/variants.ts'

/** Default numbers of invocations and targets of a workgroup. Each invocation tests one box and loads one source at a time. */
const usual = { workgroup: 64, targets: 32 } as const
/** Lists that several invocations fill for a target are merged, and are longer than one list while they fill. */
const nearest = { workgroup: 32 } as const

/**
 * All workloads that have a cutoff or keep the nearest sources, except a matrix, which also contains the other pairs, and laws of vectors,
 * which are not put in order with their points. Points on a line are not put in order either.
 */
export function visitsBlocks(workload: PairWorkload, dimension: Dimension): boolean {
  const { reduction, domain } = workload
  if (reduction === 'none' || dimension === 1 || readsVectors(workload)) return false
  return domain.cutoff !== undefined || keptPower(workload, dimension) !== undefined
}

/**
 * All workloads that have a cutoff in a right-angled box that is periodic along all axes and keep more than the nearest sources, except a matrix. Images of split
 * coordinates would lose their lower halves.
 */
export function visitsCells(workload: PairWorkload, { dimension, split }: Pick<Shape, 'dimension' | 'split'>): boolean {
  const { reduction, domain } = workload
  return (
    reduction !== 'none' &&
    dimension !== 1 &&
    !readsVectors(workload) &&
    !split &&
    domain.cutoff !== undefined &&
    isPeriodic(domain.boundary, dimension) &&
    !isTilted(domain.boundary) &&
    keptPower(workload, dimension) === undefined
  )
}

const isPeriodic = (boundary: PairWorkload['domain']['boundary'], dimension: Dimension) =>
  axesOf(dimension).every((_, axis) => repeatOf(boundary, axis) !== undefined)

/** A kind of plan, and the workloads that it is for. */
interface Kind {
  readonly variant: NearVariant
  /** Default number of targets of a workgroup. */
  readonly targets: (targets: number) => number
  /** Default number of sources per step of the inner loop. A software GPU compiles long loops slowly, and runs them no faster. */
  readonly unroll: number
  readonly visits: (workload: PairWorkload, shape: Pick<Shape, 'dimension' | 'split'>) => boolean
}

const byBlocks: Kind = {
  variant: blocksVariant,
  targets: () => usual.targets,
  unroll: 4,
  visits: (workload, { dimension }) => visitsBlocks(workload, dimension),
}

export const byCells: Kind = {
  variant: cellsVariant,
  targets: targetsByCells,
  unroll: 2,
  visits: visitsCells,
}

/**
 * @param memory bytes of workgroup memory for a size of the workgroup, without the memory for merging slices
 * @throws RangeError with the sizes that do not fit
 */
export function blockPlanOf(
  {
    workload,
    shape,
  }: { readonly workload: PairWorkload; readonly shape: Pick<Shape, 'dimension' | 'targets' | 'split'> },
  { sizes = {} }: Plan,
  c: PairCase,
  memory: (workgroup: number) => number,
  { variant, targets: usualTargets, unroll: usualUnroll, visits }: Kind = byBlocks,
): BlockPlan {
  if (!visits(workload, shape)) throw notFor(variant)
  const {
    workgroup = keptPower(workload, shape.dimension) ? nearest.workgroup : usual.workgroup,
    targets = Math.min(usualTargets(shape.targets), workgroup),
    unroll = c.kind === 'hardware' ? usualUnroll : 1,
    ...unknown
  } = sizes
  for (const name of Object.keys(unknown))
    throw new RangeError(`"sizes" expected workgroup, targets, unroll, got ${name}`)
  const most = Math.min(256, c.invocations)
  if (!isPowerOfTwo(workgroup) || workgroup < 32 || workgroup > most)
    throw new RangeError(`"workgroup" expected a power of two from 32 to ${most}, got ${workgroup}`)
  if (!isPowerOfTwo(targets) || targets < blockPoints || targets > workgroup)
    throw new RangeError(`"targets" expected a power of two from ${blockPoints} to ${workgroup}, got ${targets}`)
  if (!isPowerOfTwo(unroll) || unroll > 16)
    throw new RangeError(`"unroll" expected a power of two from 1 to 16, got ${unroll}`)
  const fits = (slices: number) => memory(workgroup) + (slices > 1 ? 4 * c.words * workgroup : 0) <= c.memory
  // Long lists do not fit workgroup memory, so they cannot be merged. Then each target has one invocation.
  const slices = fits(workgroup / targets) ? workgroup / targets : 1
  if (!fits(slices))
    throw new RangeError(
      `"variant" ${variant} needs ${memory(workgroup)} bytes of workgroup memory, device limit is ${c.memory}; name another variant`,
    )
  return {
    targets: workgroup / slices,
    shape: {
      ...{ staging: 'workgroup', packed: true, split: false, group: 0, gridStride: false },
      ...{ workgroup, slices, targets: 1, unroll },
      blocks: c.sums,
    },
  }
}

const isPowerOfTwo = (n: number) => Number.isInteger(Math.log2(n))
