/**
 * Reads the ranges of sources that blocks of targets meet: those of one target, those that a part of a run visits, and the
 * number of their pairs.
 *
 * @module
 */
import type { Range, SourceRanges } from '../backend.ts'
import type { RunRanges } from '../run-ranges.ts'

/** The ranges of sources that a target meets, within `whole`: all of it, unless ranges are given. */
export function rangesOf(ranges: SourceRanges | undefined, target: number, whole: Range): readonly Range[] {
  if (!ranges) return [whole]
  const { targets, offsets, sources } = ranges
  let [block, next] = [0, targets.length - 1]
  while (next - block > 1) {
    const middle = (block + next) >> 1
    if ((targets[middle] as number) <= target) block = middle
    else next = middle
  }
  return Array.from({ length: (offsets[block + 1] as number) - (offsets[block] as number) }, (_, n): Range => {
    const at = 2 * ((offsets[block] as number) + n)
    const [first, last] = [Math.max(sources[at] as number, whole[0]), Math.min(sources[at + 1] as number, whole[1])]
    return [first, Math.max(first, last)]
  })
}

/** The ranges within a part of the targets and of the sources. Targets count from the first of that part on. */
export function rangesWithin(ranges: SourceRanges, part: RunRanges): SourceRanges {
  const { targets, offsets, sources } = ranges
  const [first, last] = part.targets
  const [least, most] = part.sources
  const starts = new Uint32Array(targets.length)
  const counts = new Uint32Array(targets.length)
  const kept = new Uint32Array(sources.length)
  let blocks = 0
  let end = 0
  for (let block = 0; block + 1 < targets.length; block++) {
    const from = Math.max(targets[block] as number, first)
    if (from >= Math.min(targets[block + 1] as number, last)) continue
    for (let n = 2 * (offsets[block] as number); n < 2 * (offsets[block + 1] as number); n += 2) {
      const [a, b] = [Math.max(sources[n] as number, least), Math.min(sources[n + 1] as number, most)]
      if (a >= b) continue
      kept[end++] = a
      kept[end++] = b
    }
    starts[blocks++] = from - first
    counts[blocks] = end / 2
  }
  starts[blocks] = last - first
  return { targets: starts.slice(0, blocks + 1), offsets: counts.slice(0, blocks + 1), sources: kept.slice(0, end) }
}

/** The number of pairs of targets and sources. */
export function pairsIn({ targets, offsets, sources }: SourceRanges): number {
  let pairs = 0
  for (let block = 0; block + 1 < targets.length; block++) {
    const held = (targets[block + 1] as number) - (targets[block] as number)
    for (let n = 2 * (offsets[block] as number); n < 2 * (offsets[block + 1] as number); n += 2)
      pairs += held * ((sources[n + 1] as number) - (sources[n] as number))
  }
  return pairs
}
