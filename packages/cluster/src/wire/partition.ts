/**
 * Divides a job into blocks. The division depends on the job alone. Both sides therefore know the blocks, and the answer does not depend
 * on who computed which block.
 *
 * @module
 */
import type { PairWorkload, Range } from '@manybody/core'
import { lengthOf } from '@manybody/core/backend'

export interface Partition {
  /** Blocks of targets meet all sources; blocks of sources meet all targets, and their results are combined. */
  readonly divides: 'targets' | 'sources'
  readonly range: Range
  /** Points in each block except the last. */
  readonly size: number
  readonly blocks: number
}

/** Blocks from `first` to the one before `last`. */
export interface Blocks {
  readonly first: number
  readonly last: number
}

/** Pairs in a block: a core computes them in about a quarter of a second. */
const pairsPerBlock = 2.5e8

/** The number of blocks to aim for: enough to give some tens of workers equal shares. */
const wantedBlocks = 64

/** With fewer targets than this and many sources, targets alone would not keep every worker busy. */
const fewTargets = 512
const manySources = 65536

export function partitionOf(
  { reduction }: Pick<PairWorkload, 'reduction'>,
  { targets, sources }: { readonly targets: Range; readonly sources: Range },
): Partition {
  const [rows, columns] = [lengthOf(targets), lengthOf(sources)]
  const divides = rows < fewTargets && columns >= manySources && reduction !== 'none' && reduction !== 'list'
  if (divides) return partition('sources', sources, rows)
  return partition('targets', targets, columns)
}

function partition(divides: Partition['divides'], range: Range, others: number): Partition {
  const points = lengthOf(range)
  const most = Math.ceil(points / wantedBlocks)
  const size = whole(Math.max(1, Math.min(most, Math.round(pairsPerBlock / Math.max(1, others)))))
  return { divides, range, size, blocks: Math.ceil(points / size) }
}

/** Rounds the size to a power of two if a block has at least one tile. Blocks then fill the waves of a GPU. */
const whole = (size: number) => (size < 64 ? size : 2 ** Math.round(Math.log2(size)))

/** The points of some blocks. */
export function pointsIn({ range: [start, end], size }: Partition, { first, last }: Blocks): Range {
  return [start + first * size, Math.min(end, start + last * size)]
}
