/**
 * The results that a target gathers from its sources, as WGSL: one fold over all sources, sums of blocks, or the least terms of
 * groups. Loops use the interface below, and do not know which of the three it is.
 *
 * @module
 */

import type { LoopShape } from '../../design/loop-shape.ts'
import type { Fold } from '../folds/fold.ts'
import { openPart, saveGroup } from '../folds/group-minima.ts'

/** Statements for target r. */
export interface Gathering {
  /** Before the first source. */
  readonly declare: (r: number) => string
  /** Whether sources are visited in blocks. */
  readonly inBlocks: boolean
  /** Before and after each block. */
  readonly open: (r: number) => string
  readonly close: (r: number) => string
  /** After `close`: opens the next block in the same scope. Groups always have separate scopes. */
  readonly reopen: (r: number) => string
  /** After the last source: declares the fold of all blocks. */
  readonly total: (r: number) => string
}

const nothing = (): string => ''

export function gatheringOf(fold: Fold, shape: LoopShape): Gathering {
  if (shape.group > 0) return byGroups(fold, shape.group)
  return shape.blocks && fold.sums(0).length > 0 ? bySums(fold) : atOnce(fold)
}

const atOnce = ({ declare }: Fold): Gathering => ({
  ...{ declare, inBlocks: false },
  ...{ open: nothing, close: nothing, reopen: nothing, total: nothing },
})

/** Adds the sum of a block to the total when the block ends, because short chains of additions round less. */
function bySums({ declare, sums }: Fold): Gathering {
  const each = (r: number, text: (sum: string) => string) => sums(r).map(text).join(' ')
  return {
    declare: (r) => each(r, (sum) => `var total_${sum} = 0.0;`),
    inBlocks: true,
    open: declare,
    close: (r) => each(r, (sum) => `total_${sum} += ${sum};`),
    reopen: (r) => each(r, (sum) => `${sum} = 0.0;`),
    total: (r) => each(r, (sum) => `var ${sum} = total_${sum};`),
  }
}

/** Writes the least term of each group when the group ends, and keeps the least of all groups. */
function byGroups({ declare }: Fold, group: number): Gathering {
  return {
    ...{ declare: openPart, inBlocks: true, open: declare },
    close: (r) => saveGroup(group, r),
    ...{ reopen: nothing, total: nothing },
  }
}
