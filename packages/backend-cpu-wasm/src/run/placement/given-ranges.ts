/**
 * The ranges of sources from the caller, in the form that the phase `pairs` reads.
 *
 * @module
 */
import type { SourceRanges } from '@manybody/core'

/** The names of their regions. */
export const rangeNames = ['rangeTargets', 'rangeOffsets', 'rangeSources', 'rangeBlocks'] as const

/** The words of each region: the lists, and the block of the first target of each unit. */
export function givenRanges(
  { targets, offsets, sources }: SourceRanges,
  unitTargets: number,
): readonly (readonly [name: (typeof rangeNames)[number], words: Uint32Array])[] {
  const count = targets[targets.length - 1] ?? 0
  let block = 0
  const rangeBlocks = Uint32Array.from({ length: Math.ceil(count / unitTargets) }, (_, unit) => {
    while ((targets[block + 1] as number) <= unit * unitTargets) block++
    return block
  })
  return [
    ['rangeTargets', targets],
    ['rangeOffsets', offsets],
    ['rangeSources', sources],
    ['rangeBlocks', rangeBlocks],
  ]
}
