/**
 * Checks the ranges of sources that a user gives to blocks of targets, and brings them into the form that loops read. In this form no
 * block or range is empty, and the ranges of a block ascend with gaps between them.
 *
 * @module
 */
import type { Bindings, SourceRanges } from '../../contract/backend.ts'
import { attached, describe, onlyNamed, unexpected } from '../../ground/checks.ts'
import type { Shape, Workload } from '../../problem/workloads/workload.ts'
import { RangeWriter } from './source-ranges.ts'

/**
 * Blocks of targets, and for each block the ranges of sources that its targets meet; no other pairs count. KeOps calls this
 * block sparsity, and the three lists `ranges_i`, `slices_i` and `redranges_j`.
 *
 * Block b holds the targets `targets[b] ... targets[b + 1] - 1` and has the ranges `offsets[b] ... offsets[b + 1] - 1`. Range r
 * holds the sources `sources[2 * r] ... sources[2 * r + 1] - 1`. The blocks hold every target once, in order. Ranges may come
 * in any order, but two ranges of one block must not overlap.
 */
export interface BlockRanges {
  /** The first target of each block, then the number of targets. */
  readonly targets: ArrayLike<number>
  /** The first range of each block, then the number of ranges. */
  readonly offsets: ArrayLike<number>
  /** The first source of each range, and the source after its last. */
  readonly sources: ArrayLike<number>
}

/** The same run with ranges. @throws TypeError, RangeError */
export function withRanges<W extends Workload>(
  { workload, shape, bindings }: { readonly workload: W; readonly shape: Shape; readonly bindings: Bindings },
  given: BlockRanges,
): { readonly workload: W; readonly shape: Shape; readonly bindings: Bindings } {
  const ranges = sourceRanges(given, workload, shape)
  return { workload, shape: { ...shape, ranged: true }, bindings: { ...bindings, ranges } }
}

function sourceRanges(given: BlockRanges, workload: Workload, shape: Shape): SourceRanges {
  onlyNamed(given, 'name of ranges', ['targets', 'offsets', 'sources'])
  if (workload.loop !== 'pair')
    throw new TypeError('"ranges" expected none, because only loops over pairs have ranges, got some')
  if (workload.method)
    throw new TypeError('"ranges" expected none with a tolerance, because a tree approximates all sources, got some')
  const [targets, offsets, sources] = (['targets', 'offsets', 'sources'] as const).map((name) =>
    listOf(given[name], name),
  ) as [ArrayLike<number>, ArrayLike<number>, ArrayLike<number>]
  if (sources.length % 2 > 0)
    throw new RangeError(`"ranges.sources" expected pairs of first and last, got ${sources.length} numbers`)
  ascend(targets, 'targets', shape.targets, 'the number of targets')
  if (offsets.length !== targets.length)
    throw new RangeError(
      `"ranges.offsets" expected length ${targets.length}, that of "ranges.targets", got ${offsets.length}`,
    )
  ascend(offsets, 'offsets', sources.length / 2, 'the number of ranges')
  for (let n = 0; n < sources.length; n += 2) {
    if (!between(sources[n], 0, shape.sources)) throw wrong(sources, 'sources', n, 0, shape.sources)
    const first = sources[n] as number
    if (!between(sources[n + 1], first, shape.sources)) throw wrong(sources, 'sources', n + 1, first, shape.sources)
  }
  return inOrder(targets, offsets, sources)
}

function inOrder(targets: ArrayLike<number>, offsets: ArrayLike<number>, sources: ArrayLike<number>): SourceRanges {
  const ranges = new RangeWriter(targets.length, sources.length)
  for (let block = 0; block + 1 < targets.length; block++) {
    if (targets[block] === targets[block + 1]) continue
    for (const n of ascending(sources, offsets[block] as number, offsets[block + 1] as number)) {
      const [first, last] = [sources[2 * n] as number, sources[2 * n + 1] as number]
      const before = ranges.latest
      if (before && first < last && first < before[1])
        throw new RangeError(
          `"ranges.sources" expected ranges that do not overlap within a block, got ${before.join(' to ')} and ${first} to ${last} in block ${block}`,
        )
      ranges.add(first, last)
    }
    ranges.endBlock(targets[block] as number)
  }
  return ranges.end(targets[targets.length - 1] as number)
}

/** The numbers of the ranges of a block, by their first source. */
function ascending(sources: ArrayLike<number>, from: number, to: number): Uint32Array {
  const numbers = Uint32Array.from({ length: to - from }, (_, n) => from + n)
  const first = (n: number) => sources[2 * n] as number
  const sorted = numbers.every((n) => n === from || first(n - 1) <= first(n))
  return sorted ? numbers : numbers.sort((a, b) => first(a) - first(b))
}

type List = 'targets' | 'offsets' | 'sources'

/** A list or a typed array. @throws TypeError */
function listOf(value: unknown, name: List): ArrayLike<number> {
  if (ArrayBuffer.isView(value) && 'length' in value) return attached(value as Uint32Array, `ranges.${name}`)
  if (Array.isArray(value)) return value
  throw unexpected(`ranges.${name}`, 'a list of integers or a Uint32Array', value)
}

/** Numbers from 0 to `last` that never fall. @throws RangeError, TypeError */
function ascend(list: ArrayLike<number>, name: List, last: number, what: string): void {
  if (list.length === 0) throw new RangeError(`"ranges.${name}" expected at least one number, got none`)
  for (let n = 0; n < list.length; n++) {
    const [least, most] = n === 0 ? [0, 0] : [list[n - 1] as number, last]
    if (!between(list[n], least, most)) throw wrong(list, name, n, least, most)
  }
  const end = list[list.length - 1]
  if (end !== last) throw new RangeError(`"ranges.${name}" expected ${last}, ${what}, as its last number, got ${end}`)
}

const between = (value: unknown, least: number, most: number): boolean =>
  Number.isInteger(value) && least <= (value as number) && (value as number) <= most

/** The error for a number that is not an integer in its bounds. */
function wrong(list: ArrayLike<unknown>, name: List, n: number, least: number, most: number): Error {
  const bounds = least === most ? least : `from ${least} to ${most}`
  const got = list[n]
  const message = `"ranges.${name}[${n}]" expected an integer ${bounds}, got ${describe(got)}`
  return typeof got === 'number' ? new RangeError(message) : new TypeError(message)
}
