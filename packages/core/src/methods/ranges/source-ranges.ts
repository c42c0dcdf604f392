/**
 * Reads the ranges of sources that blocks of targets meet: the ranges of one target, the ranges within a part of a run, and the
 * number of their pairs. Writes such ranges, too.
 *
 * @module
 */
import type { Range, SourceRanges } from '../../contract/backend.ts'
import type { RunRanges } from './run-ranges.ts'

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
  const within = new RangeWriter(targets.length, sources.length)
  for (let block = 0; block + 1 < targets.length; block++) {
    const from = Math.max(targets[block] as number, first)
    if (from >= Math.min(targets[block + 1] as number, last)) continue
    for (let n = 2 * (offsets[block] as number); n < 2 * (offsets[block + 1] as number); n += 2)
      within.add(Math.max(sources[n] as number, least), Math.min(sources[n + 1] as number, most))
    within.endBlock(from - first)
  }
  return within.end(last - first)
}

/** Writes ranges block by block, in ascending order. It leaves out empty ranges and joins ranges that touch. */
export class RangeWriter {
  readonly #targets: Uint32Array
  readonly #offsets: Uint32Array
  readonly #sources: Uint32Array
  #blocks = 0
  #written = 0
  /** Where the current block starts among the written numbers. */
  #start = 0

  /** For at most as many numbers as there are in the lists of a {@link SourceRanges}. */
  constructor(targets: number, sources: number) {
    this.#targets = new Uint32Array(targets)
    this.#offsets = new Uint32Array(targets)
    this.#sources = new Uint32Array(sources)
  }

  /** The latest range of the current block. */
  get latest(): Range | undefined {
    if (this.#written === this.#start) return undefined
    return [this.#sources[this.#written - 2] as number, this.#sources[this.#written - 1] as number]
  }

  add(first: number, last: number): void {
    if (first >= last) return
    if (this.#written > this.#start && this.#sources[this.#written - 1] === first) this.#written--
    else this.#sources[this.#written++] = first
    this.#sources[this.#written++] = last
  }

  /** Ends the current block. Its first target is `target`. */
  endBlock(target: number): void {
    this.#targets[this.#blocks++] = target
    this.#offsets[this.#blocks] = this.#written / 2
    this.#start = this.#written
  }

  /** All ranges, for this number of targets. */
  end(targets: number): SourceRanges {
    this.#targets[this.#blocks] = targets
    return {
      targets: this.#targets.slice(0, this.#blocks + 1),
      offsets: this.#offsets.slice(0, this.#blocks + 1),
      sources: this.#sources.slice(0, this.#written),
    }
  }
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
