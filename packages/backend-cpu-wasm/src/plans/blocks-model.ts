/**
 * When a run visits blocks by default: where that is faster for the points of the run.
 *
 * The choice depends on the points, their number, the loop and the threads, not on earlier runs.
 *
 * @module
 */
import type { DeviceBuffer, FloatArray, PairWorkload, Precision, Shape } from '@manybody/core'
import { keptPower, resultArrays } from '@manybody/core/backend'
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

/** Loops that visit each pair once, or keep what is nearest, or list neighbours; and all others. */
type LoopKind = 'once' | 'nearest' | 'list' | 'other'

const notes = 'docs/notes/cpu-wasm.md'

export const blocksModel: readonly BlocksRow[] = [
  { precision: 'f32', loop: 'once', pair: 2.1, target: 4250, record: notes },
  { precision: 'f32', loop: 'nearest', pair: 1.2, target: 2500, record: notes },
  { precision: 'f32', loop: 'list', pair: 11, target: 1000, record: notes },
  { precision: 'f32', loop: 'other', pair: 1.55, target: 1500, record: notes },
  { precision: 'f64', loop: 'once', pair: 1.9, target: 1750, record: notes },
  { precision: 'f64', loop: 'nearest', pair: 1.5, target: 1500, record: notes },
  { precision: 'f64', loop: 'list', pair: 8, target: 1000, record: notes },
  { precision: 'f64', loop: 'other', pair: 1.1, target: 2250, record: notes },
]

/** Operations of a pair by which a target is put in its place. Of few points, one thread does that. */
const placing = 800
/** Operations of a pair that keeping several nearest sources takes, or as many as these if they are more. */
const keeping = 8
/** If blocks pay only for fewer pairs of a target, they gain less than the estimate costs, which takes 10 us. */
const leastPairs = 40
/** With fewer points on a side, that is always so. */
const fewestPoints = 100
/** The largest number of results. Each has a second copy in the order of places. */
const mostResults = 3 * 2 ** 26

/** The loop over all pairs. */
interface LoopCost {
  readonly loop: LoopKind
  /** Number of operations of a pair. */
  readonly operations: number
}

/** The loop over all pairs, and the device. */
export interface BlocksCase extends LoopCost {
  readonly precision: Precision
  readonly threads: number
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
export function mostShare(sources: number, { precision, threads, loop, operations, widened }: BlocksCase): number {
  const row = blocksModel.find((one) => one.precision === precision && one.loop === loop) as BlocksRow
  const alone = cutLevels(sources) === 0 ? placing * (threads - 1) : 0
  const pairs = (sources - (row.target + alone) / operations) / (row.pair * (widened ? 2 : 1))
  return pairs > leastPairs ? pairs / sources : 0
}

/** Reads points on this device for `nearShareOf`. */
export const numbersIn =
  (memory: Memory) =>
  (position: FloatArray | DeviceBuffer): FloatArray | undefined =>
    position instanceof DeviceArray && position.isIn(memory) ? position.numbers() : undefined

/** The loop that a workload has if it does not visit blocks, for a term with this number of operations. */
export function loopOf(workload: PairWorkload, shape: Shape, once: boolean, term: number): LoopCost {
  const { reduction, k = 1 } = workload
  const kept = keptBy(workload, shape) !== undefined
  const loop = once ? 'once' : kept ? 'nearest' : reduction === 'list' ? 'list' : 'other'
  return {
    loop,
    operations: term + (reduction === 'logsumexp' ? functions.exp.cost : k > 1 ? Math.max(keeping, k) : 0),
  }
}

/** How many nearest sources the workload keeps; undefined if it needs all within its cutoff. */
export function keptBy(workload: PairWorkload, { dimension }: Shape): number | undefined {
  return keptPower(workload, dimension) === undefined ? undefined : (workload.k ?? 1)
}
