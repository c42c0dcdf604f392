/**
 * Decides when a run visits blocks by default: where that is faster for the points of the run. It loads with the first program that has the
 * choice.
 *
 * The choice depends on the points, their number, the loop and the threads, not on earlier runs.
 *
 * @module
 */
import type { PairWorkload, Precision, Shape } from '@manybody/core'
import type { PairFacts } from '../../design/plan-facts.ts'

export { nearShareOf } from '@manybody/core/near'

/** The cost of a pair, in pairs of the loop over all pairs, and the cost of a target besides its pairs, in additions. */
type BlocksCost = readonly [pair: number, target: number]

/** Costs of loops that can visit pairs once, of loops that keep the nearest sources, of some reductions, and of all others. */
type BlocksCosts = Readonly<Record<'once' | 'nearest' | 'other', BlocksCost>> &
  Readonly<Partial<Record<PairWorkload['reduction'], BlocksCost>>>

/** All numbers here are fitted to the figures in docs/notes/cpu-wasm.md. */
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

/** If pairs within a unit of blocks are visited once, a target saves half of its pairs, and at most this many. */
const spared = 128
/** Cost of a pair that is visited once, relative to visits for both points. */
const onceCost = 0.7
/** Cost of a point if targets and sources are two sets, relative to a target of one set. Both sets are put in order. */
const apart = 0.8
/** The same for a source where targets keep their nearest sources. Each target then costs as much as in one set. */
const walkedTo = 0.22
/** Each further thread makes a point dearer by this many additions, because one thread alone does a part of the order. */
const placing = 1600
/** Fixed cost of a run by blocks, including the choice, which takes 4 us. */
const fixed = 190_000
/** Fixed cost of any run. */
const call = 600_000
/** Skip the estimate, which costs 4 us, unless blocks could save at least this fraction of the run. */
const leastGain = 0.1
/** Cost of a source that enters the list of a target in the loop over all pairs, including a branch that no processor predicts. */
const entering: Readonly<Record<Precision, number>> = { f32: 630, f64: 380 }

/** The loop over all pairs, and the device. */
export interface BlocksCase {
  readonly precision: Precision
  readonly threads: number
  /** Whether it visits each pair once. */
  readonly once: boolean
  /** The time of a pair, in additions. */
  readonly pair: number
}

/** Blocks are faster below this share of all pairs; 0 if they never are. */
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
  // If sources come in any order, this many of them are among the nearest so far when a target meets them.
  const entered = reduction === 'smallest' ? k * (1 + Math.log(sources / k)) : 0
  const all = (sources * pair) / (symmetric && !once ? onceCost : 1) + entered * entering[precision]
  const points = sameSet ? 1 : 1 + sources / targets
  const ordered = sameSet ? 1 : keeps ? 1 + walkedTo * (points - 1) : apart * points
  const spare = all - ordered * targetCost - points * placing * (threads - 1) - fixed / targets
  if (spare < leastGain * (all + call / targets)) return 0
  const met = spare / (pair * pairCost)
  return (met + (symmetric ? Math.min(met, spared) : 0)) / sources
}
