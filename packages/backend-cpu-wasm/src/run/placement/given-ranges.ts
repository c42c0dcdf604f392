/**
 * The ranges of sources from the caller, in the form that the phase `pairs` reads.
 *
 * @module
 */
import type { Range, SourceRanges } from '@manybody/core'
import { pairsIn, rangesWithin } from '@manybody/core/backend'
import type { GivenRanges } from './request.ts'

/** The names of their regions. */
export const rangeNames = ['rangeTargets', 'rangeOffsets', 'rangeSources', 'rangeBlocks'] as const

/** The words of each region: the lists within a run, and the block of the first target of each unit. */
export function givenRanges(
  ranges: SourceRanges,
  run: { readonly targets: Range; readonly sources: Range },
  unitTargets: number,
): GivenRanges {
  const within = rangesWithin(ranges, run)
  const { targets, offsets, sources } = within
  const count = targets[targets.length - 1] ?? 0
  let block = 0
  const rangeBlocks = Uint32Array.from({ length: Math.ceil(count / unitTargets) }, (_, unit) => {
    while ((targets[block + 1] as number) <= unit * unitTargets) block++
    return block
  })
  const words = [targets, offsets, sources, rangeBlocks].map((list, n) => [rangeNames[n] as string, list] as const)
  return { words, pairs: pairsIn(within) }
}
