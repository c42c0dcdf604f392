/**
 * Decides which sums can be approximated here and when that is faster than all pairs, and chooses the sizes of the loop.
 *
 * @module
 */
import type { DeviceKind, PairWorkload, Shape, TreeSetting } from '@manybody/core'
import { reductions } from '@manybody/core/expression'
import type { LoopShape } from '../../design/loop-shape.ts'
import { never, notes } from '../../plans/records.ts'

/** Sums over coordinates of one number each. Core tells whether the law allows it. */
export function approximates(workload: PairWorkload, { split }: Shape): boolean {
  return reductions[workload.reduction].linear === true && !split
}

/** Targets that walk together, of one workgroup. */
const groupTargets = 32
/** Targets of one invocation. A software GPU gains nothing from several, and compiles long loops slowly. */
const ownTargets: Readonly<Record<DeviceKind, number>> = { hardware: 4, software: 1, cpu: 1 }
const unrolled: Readonly<Record<DeviceKind, number>> = { hardware: 4, software: 1, cpu: 1 }

export function treeShape(kind: DeviceKind): LoopShape {
  const [workgroup, targets] = [64, ownTargets[kind]]
  return {
    ...{ staging: 'workgroup', packed: true, split: false, group: 0, gridStride: false, blocks: true },
    ...{ workgroup, targets, unroll: unrolled[kind] },
    slices: (workgroup * targets) / groupTargets,
  }
}

/**
 * The cost of a tree on a graphics card, in pairs of the loop over all pairs: `pair` for a pair, `point` for a point besides
 * its pairs, and `run` for a run with the measurement of its error. `once` is the cost of a pair that is visited once.
 */
export const treeModel: Readonly<Record<'pair' | 'point' | 'run' | 'once', number>> & { readonly record: string } = {
  pair: 1.8,
  point: 700,
  run: 1e9,
  once: 0.67,
  record: notes,
}
/** The share of a software GPU, which spends its time on barriers. */
export const softwareTrees: { readonly share: number; readonly record: string } = { share: 0.2, record: never }

/** The share of all pairs below which a tree is faster. */
export function treeShare({ targets, sources }: Shape, kind: DeviceKind, visitsOnce: boolean): number {
  if (kind !== 'hardware') return softwareTrees.share
  const { pair, point, run, once } = treeModel
  const pairs = targets * sources
  return Math.max(0, (pairs * (visitsOnce ? once : 1) - run - point * (targets + sources)) / (pair * pairs))
}

/**
 * An estimate of the pairs of a target, for the time of a run before any run was made.
 *
 * @param byField whether nodes are opened by the field of the targets
 */
export function expectedPairs({ opening }: TreeSetting, proxies: number, sources: number, byField: boolean): number {
  const each = byField ? 20 : 75
  return Math.min(sources, (each * Math.log2(2 + sources / 16) * Math.sqrt(proxies / 4)) / opening ** 2)
}
