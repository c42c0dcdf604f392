/**
 * When a run visits blocks by default: where that is faster for the points of the run.
 *
 * The choice depends on the points, their number, the loop and the threads, not on earlier runs.
 *
 * @module
 */
import type { DeviceBuffer, FloatArray, PairWorkload, Precision, Shape } from '@manybody/core'
import { keptPower, onceObstacle, resultArrays } from '@manybody/core/backend'
import { functions } from '@manybody/core/expression'
import { DeviceArray } from '../host/buffer.ts'
import { simd } from '../host/features.ts'
import type { Memory } from '../host/memory.ts'
import { cutLevels } from '../ranges/order-records.ts'
import type { LoopPlan } from './plan.ts'
import { visitsBlocks } from './visits-blocks.ts'

/** What blocks cost. */
export interface BlocksRow {
  readonly precision: Precision
  readonly loop: LoopKind
  /** Cost of a pair, in pairs of the loop over all pairs. */
  readonly pair: number
  /** What a target costs besides its pairs, in operations of those pairs. */
  readonly target: number
  /** The record or the page with the figures. */
  readonly record: string
}

/** Loops of laws whose pairs can be visited once, or that keep what is nearest, or list neighbours; and all others. */
type LoopKind = 'once' | 'nearest' | 'list' | 'other'

const notes = 'docs/notes/cpu-wasm.md'

export const blocksModel: readonly BlocksRow[] = [
  { precision: 'f32', loop: 'once', pair: 1.5, target: 5500, record: notes },
  { precision: 'f32', loop: 'nearest', pair: 1, target: 3400, record: notes },
  { precision: 'f32', loop: 'list', pair: 11, target: 1000, record: notes },
  { precision: 'f32', loop: 'other', pair: 1.1, target: 4300, record: notes },
  { precision: 'f64', loop: 'once', pair: 1.4, target: 3200, record: notes },
  { precision: 'f64', loop: 'nearest', pair: 1, target: 3300, record: notes },
  { precision: 'f64', loop: 'list', pair: 6, target: 1000, record: notes },
  { precision: 'f64', loop: 'other', pair: 1, target: 3000, record: notes },
]

/** How much longer a pair of blocks takes in a periodic box. */
const boxed = 1.35
/** Cost of a pair that is visited once, by that of one that is visited for either point. */
const onceCost = 0.65
/** Cost of a point of two sets, in targets of one set. Both sets are put in order. */
const apart = 0.5
/** Operations of a pair by which a target is put in its place. Of few points, one thread does that. */
const placing = 800
/** Operations of a pair that keeping several nearest sources takes, or as many as these if they are more. */
const keeping = 8
/** If blocks pay only for fewer pairs of a target, they gain less than the estimate costs, which takes 5 us. */
const leastPairs = 32
/** With fewer points on a side, that is always so. */
const fewestPoints = 100
/** The largest number of results. Each has a second copy in the order of places. */
const mostResults = 3 * 2 ** 26

/** The loop over all pairs, and the device. */
export interface BlocksCase {
  readonly precision: Precision
  readonly threads: number
  /** Whether it visits each pair once. */
  readonly once: boolean
  /** Number of operations of its term. */
  readonly term: number
  /** Whether it computes two registers at a time. */
  readonly widened: boolean
}

/** Whether runs of a program may visit blocks although no plan names them. */
export function mayVisitBlocks(workload: PairWorkload, shape: Shape, { scalar, visit }: LoopPlan): boolean {
  if (scalar || !simd() || visit === 'blocks' || !visitsBlocks(workload, shape)) return false
  const results = [...resultArrays(workload, shape, 'f32').values()].reduce((sum, { length }) => sum + length, 0)
  return Math.min(shape.targets, shape.sources) >= fewestPoints && results <= mostResults
}

/** The share of all pairs up to which blocks are faster; 0 if they never are. */
export function mostShare(
  workload: PairWorkload,
  shape: Shape,
  { precision, threads, once, term, widened }: BlocksCase,
): number {
  const { reduction, k = 1, domain } = workload
  const { targets, sources, sameSet } = shape
  const symmetric = onceObstacle(workload, shape) === undefined
  const loop = symmetric
    ? 'once'
    : keptBy(workload, shape) !== undefined
      ? 'nearest'
      : reduction === 'list'
        ? 'list'
        : 'other'
  const row = blocksModel.find((one) => one.precision === precision && one.loop === loop) as BlocksRow
  const operations = term + (reduction === 'logsumexp' ? functions.exp.cost : k > 1 ? Math.max(keeping, k) : 0)
  const alone = cutLevels(sources) === 0 ? placing * (threads - 1) : 0
  const points = sameSet ? 1 : apart * (1 + sources / targets)
  const all = sources / (symmetric && !once ? onceCost : 1)
  const pair = row.pair * (domain.boundary.kind === 'periodic' ? boxed : 1) * (widened ? 2 : 1)
  const pairs = (all - (points * (row.target + alone)) / operations) / pair
  return pairs > leastPairs ? pairs / sources : 0
}

/** Reads points on this device for `nearShareOf`. */
export const numbersIn =
  (memory: Memory) =>
  (position: FloatArray | DeviceBuffer): FloatArray | undefined =>
    position instanceof DeviceArray && position.isIn(memory) ? position.numbers() : undefined

/** How many nearest sources the workload keeps; undefined if it needs all within its cutoff. */
export function keptBy(workload: PairWorkload, { dimension }: Shape): number | undefined {
  return keptPower(workload, dimension) === undefined ? undefined : (workload.k ?? 1)
}
