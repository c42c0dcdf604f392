/**
 * Decides when a run visits blocks of near points by default: where that is faster for its points on a graphics card. A
 * software GPU keeps all pairs.
 *
 * The choice depends on the points, their number and the loop, not on earlier runs.
 *
 * @module
 */
import { notes } from './records.ts'

/**
 * The kinds of loop over all pairs: each pair once, lists of many neighbours or of few, the least distance, or another. Lists
 * and least distances without images or a cutoff are bare, and much cheaper. In a periodic box with a cutoff, cells are faster
 * than blocks.
 */
export type PairLoop =
  | 'once'
  | 'long lists'
  | 'bare lists'
  | 'lists'
  | 'bare extremes'
  | 'other'
  | 'once by cells'
  | 'other by cells'

export interface AllPairs {
  readonly targets: number
  readonly sources: number
  readonly loop: PairLoop
}

/** The cost of blocks, in pairs of the loop over all pairs. */
export interface BlocksRow {
  /** Cost of a pair. */
  readonly pair: number
  /** Cost of a point besides its pairs: its share of the sort, the boxes and a walk. */
  readonly point: number
  /** Cost of a run: some 20 dispatches one after the other, and the time of the host to encode them. */
  readonly run: number
  /** Cost of these dispatches if they have no points. */
  readonly idle: number
  /** As in the plan model. */
  readonly record: string
}

export const blocksModel: Readonly<Record<PairLoop, BlocksRow>> = {
  once: { pair: 2.8, point: 500, run: 1.1e8, idle: 6e7, record: notes },
  'long lists': { pair: 0.6, point: 200, run: 3e5, idle: 1e5, record: notes },
  'bare lists': { pair: 14, point: 8000, run: 1.9e8, idle: 1.7e8, record: notes },
  lists: { pair: 5, point: 700, run: 1e8, idle: 6e7, record: notes },
  'bare extremes': { pair: 10, point: 400, run: 3e8, idle: 2.1e8, record: notes },
  other: { pair: 2.1, point: 400, run: 8e7, idle: 5.5e7, record: notes },
  'once by cells': { pair: 1.6, point: 250, run: 5.5e7, idle: 1.5e7, record: notes },
  'other by cells': { pair: 1.4, point: 220, run: 4.5e7, idle: 1.2e7, record: notes },
}

/** Blocks are faster below this share of all pairs. It is 0 or less if they never are. */
export function mostShare({ targets, sources, loop }: AllPairs): number {
  if (targets === 0 || sources === 0) return 0
  const { pair, point, run } = blocksModel[loop]
  const besides = run + (point * (targets + sources)) / 2
  return (1 - besides / (targets * sources)) / pair
}

/**
 * The least time of all pairs, relative to the time of the idle dispatches. At this time, a choice costs a fifth of all pairs
 * if it declines blocks. It saves half if it takes them.
 */
const leastGain = 5

/**
 * Whether each round of a sequence may choose. The device decides, so the dispatches by blocks take their time in either case.
 * With few points that would be most of the time of all pairs, so such a sequence always takes all pairs.
 */
export function choosesInSequences({ targets, sources, loop }: AllPairs): boolean {
  return targets * sources >= leastGain * blocksModel[loop].idle
}
