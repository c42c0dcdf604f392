/**
 * When a run visits blocks by default: where that is faster for the points of the run.
 *
 * The choice depends on the points, their number, the loop and the threads, not on earlier runs.
 *
 * @module
 */
import type { DeviceBuffer, FloatArray, PairWorkload, Precision, Shape } from '@manybody/core'
import type { PairFacts } from '../../design/facts.ts'
import type { LoopPlan } from '../../design/loop-plan.ts'
import { DeviceArray } from '../host/buffer.ts'
import type { Memory } from '../host/memory.ts'

/** Cost of a pair, in pairs of the loop over all pairs; and what a target costs besides its pairs, in additions. */
type BlocksCost = readonly [pair: number, target: number]

/** Loops whose pairs can be visited once, loops that keep what is nearest, those of some reductions, and all others. */
type BlocksCosts = Readonly<Record<'once' | 'nearest' | 'other', BlocksCost>> &
  Readonly<Partial<Record<PairWorkload['reduction'], BlocksCost>>>

/** docs/notes/cpu-wasm.md has the figures to which all numbers here are fitted. */
export const blocksModel: Readonly<Record<Precision, BlocksCosts>> = {
  f32: {
    once: [2.4, 5500],
    nearest: [8.4, 4000],
    count: [1.7, 3400],
    list: [10, 600],
    other: [1.2, 2900],
  },
  f64: {
    once: [2.3, 3700],
    nearest: [4.5, 3200],
    count: [1.5, 1900],
    list: [5.3, 100],
    other: [1.1, 1500],
  },
}

/** How many pairs a target is spared at most if pairs within a unit of blocks are visited once. It is spared half of these. */
const spared = 128
/** Cost of a pair that is visited once, by that of one that is visited for either point. */
const onceCost = 0.7
/** Cost of a point of two sets, in targets of one set. Both sets are put in order. */
const apart = 0.8
/** The same of a source where targets walk to what is nearest. Such a target costs as much as one of one set. */
const walkedTo = 0.22
/** By how many additions each other thread makes a point dearer, because one thread does a part of the order. */
const placing = 1600
/** What a run by blocks takes whatever its points, and the choice, which takes 4 us. */
const fixed = 190_000
/** What any run takes whatever its points. */
const call = 600_000
/** What part of its time a run must save if blocks met no pairs at all. Otherwise, the estimate is not worth its 4 us. */
const leastGain = 0.1
/** What a source takes to enter the list of a target that visits all, with the branch that no processor predicts. */
const entering: Readonly<Record<Precision, number>> = { f32: 630, f64: 380 }
/** The least number of points of either set. With fewer, a call is over before it could choose. */
const fewestPoints = 64
/** The largest number of results. Each has a second copy in the order of places. */
const mostResults = 3 * 2 ** 26

/** The loop over all pairs, and the device. */
export interface BlocksCase {
  readonly precision: Precision
  readonly threads: number
  /** Whether it visits each pair once. */
  readonly once: boolean
  /** What a pair takes, in additions. */
  readonly pair: number
}

/** Whether runs of a program may visit blocks although no plan names them. */
export function mayVisitBlocks(
  { blocks, perTarget }: PairFacts,
  { targets, sources }: Shape,
  { visit }: LoopPlan,
): boolean {
  if (visit === 'blocks' || !blocks) return false
  return Math.min(targets, sources) >= fewestPoints && targets * perTarget <= mostResults
}

/** The share of all pairs up to which blocks are faster; 0 if they never are. */
export function mostShare(
  { reduction, k = 1 }: Pick<PairWorkload, 'reduction' | 'k'>,
  { onceObstacle, kept }: Pick<PairFacts, 'onceObstacle' | 'kept'>,
  shape: Shape,
  { precision, threads, once, pair }: BlocksCase,
): number {
  const { targets, sources, sameSet } = shape
  const symmetric = onceObstacle === undefined
  const keeps = kept !== undefined
  const rows = blocksModel[precision]
  const [pairCost, targetCost] = (symmetric ? rows.once : keeps ? rows.nearest : rows[reduction]) ?? rows.other
  // Of sources in any order, so many are among the nearest so far when a target meets them.
  const entered = reduction === 'smallest' ? k * (1 + Math.log(sources / k)) : 0
  const all = (sources * pair) / (symmetric && !once ? onceCost : 1) + entered * entering[precision]
  const points = sameSet ? 1 : 1 + sources / targets
  const ordered = sameSet ? 1 : keeps ? 1 + walkedTo * (points - 1) : apart * points
  const spare = all - ordered * targetCost - points * placing * (threads - 1) - fixed / targets
  if (spare < leastGain * (all + call / targets)) return 0
  const met = spare / (pair * pairCost)
  return (met + (symmetric ? Math.min(met, spared) : 0)) / sources
}

/** Reads points on this device for `nearShareOf`. */
export const numbersIn =
  (memory: Memory) =>
  (position: FloatArray | DeviceBuffer): FloatArray | undefined =>
    position instanceof DeviceArray && position.isIn(memory) ? position.numbers() : undefined
