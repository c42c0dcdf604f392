/**
 * When a run visits blocks of near points by default: where that is faster for its points on a graphics card. A software GPU
 * keeps all pairs.
 *
 * The choice depends on the points, their number and the loop, not on earlier runs.
 *
 * @module
 */
import { notes } from './records.ts'

/** The loop over all pairs. */
export interface AllPairs {
  readonly targets: number
  readonly sources: number
  /** Whether it meets each pair once. */
  readonly once: boolean
  /** Whether targets keep lists of sources. */
  readonly lists: boolean
}

/** What blocks cost, in pairs of the loop over all pairs. */
export interface BlocksRow extends Pick<AllPairs, 'once' | 'lists'> {
  /** Cost of a pair. */
  readonly pair: number
  /** Cost of a point besides its pairs: its share of the sort, the boxes and a walk. */
  readonly point: number
  /** Cost of a run: 28 dispatches, each of which waits for the one before. */
  readonly run: number
  /** As in the plan model. */
  readonly record: string
}

/** The first row that matches wins. */
export const blocksModel: readonly BlocksRow[] = [
  { once: false, lists: true, pair: 4.6, point: 1200, run: 1.1e8, record: notes },
  { once: true, lists: false, pair: 2.8, point: 1200, run: 1.7e8, record: notes },
  { once: false, lists: false, pair: 2.1, point: 1000, run: 1.1e8, record: notes },
]

/** The share of all pairs up to which blocks are faster; 0 or less if they never are. */
export function mostShare({ targets, sources, once, lists }: AllPairs): number {
  const row = blocksModel.find((one) => one.once === once && one.lists === lists)
  if (row === undefined || targets === 0 || sources === 0) return 0
  const besides = row.run + (row.point * (targets + sources)) / 2
  return (1 - besides / (targets * sources)) / row.pair
}
