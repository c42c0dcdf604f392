/**
 * When a run visits blocks by default: where that is faster for the points of the run.
 *
 * The choice depends on the points, their number, the loop and the threads, not on earlier runs.
 *
 * @module
 */
import type { DeviceBuffer, FloatArray, PairWorkload, Precision, Shape } from '@manybody/core'
import { keptPower, resultArrays } from '@manybody/core/backend'
import { DeviceArray } from '../host/buffer.ts'
import { simd } from '../host/features.ts'
import type { Memory } from '../host/memory.ts'
import { cutLevels } from '../ranges/order-records.ts'
import type { LoopPlan } from './plan.ts'
import { visitsBlocks } from './visits-blocks.ts'

/** What blocks cost, in pairs of the loop over all pairs. */
export interface BlocksRow {
  readonly precision: Precision
  /** Whether that loop visits each pair once. */
  readonly once: boolean
  /** The row matches loops with at least this number of registers of targets: long loops have four, a block has two in f32. */
  readonly registers: number
  /** Cost of a pair. */
  readonly pair: number
  /** What a target costs besides its pairs, less what it costs in the other loop. */
  readonly target: number
  /** The part of it that puts the target in its place. Of few points, one thread does that. */
  readonly order: number
  /** The page with the figures. */
  readonly record: string
}

const notes = 'docs/notes/cpu-wasm.md'

/** The first row that matches wins. */
export const blocksModel: readonly BlocksRow[] = [
  { precision: 'f32', once: true, registers: 4, pair: 2.4, target: 50, order: 60, record: notes },
  { precision: 'f32', once: true, registers: 1, pair: 1.5, target: 40, order: 60, record: notes },
  { precision: 'f32', once: false, registers: 4, pair: 1.2, target: 100, order: 30, record: notes },
  { precision: 'f32', once: false, registers: 1, pair: 1.6, target: 250, order: 60, record: notes },
  { precision: 'f64', once: true, registers: 4, pair: 1.8, target: -50, order: 30, record: notes },
  { precision: 'f64', once: true, registers: 1, pair: 1.35, target: 0, order: 30, record: notes },
  { precision: 'f64', once: false, registers: 4, pair: 1.2, target: 100, order: 15, record: notes },
  { precision: 'f64', once: false, registers: 1, pair: 1.2, target: 150, order: 30, record: notes },
]

/** Blocks compute more pairs for a target than this. */
const leastPairs = 60
/** With fewer points on a side, blocks gain less than the estimate costs, which takes 10 us. */
const fewestPoints = 300
/** The largest number of results. Each has a second copy in the order of places. */
const mostResults = 3 * 2 ** 26

/** The loop over all pairs, and the device. */
export interface BlocksCase {
  readonly precision: Precision
  readonly threads: number
  readonly once: boolean
  readonly registers: number
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
export function mostShare(sources: number, { precision, threads, once, registers, widened }: BlocksCase): number {
  const row = blocksModel.find((one) => one.precision === precision && one.once === once && registers >= one.registers)
  if (row === undefined) return 0
  const alone = cutLevels(sources) === 0 ? row.order * (threads - 1) : 0
  const pairs = (sources - row.target - alone) / (row.pair * (widened ? 2 : 1))
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
