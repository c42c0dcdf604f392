/**
 * The ranges of points that a run or a stage visits: the ranges of its options, checked, or all points.
 *
 * @module
 */
import type { Range, RunOptions } from '../../contract/backend.ts'
import { describe } from '../../ground/checks.ts'
import type { Shape, Workload } from '../../problem/workloads/workload.ts'

export interface RunRanges {
  readonly targets: Range
  readonly sources: Range
}

/** @throws TypeError, RangeError if a range is not a part of the points, or the workload has no pairs */
export function runRanges(
  { loop }: Pick<Workload, 'loop'>,
  shape: Pick<Shape, 'targets' | 'sources'>,
  options: Pick<RunOptions, 'targets' | 'sources'>,
): RunRanges {
  return {
    targets: checked('targets', loop, options.targets, shape.targets),
    sources: checked('sources', loop, options.sources, shape.sources),
  }
}

function checked(side: keyof RunRanges, loop: Workload['loop'], range: Range | undefined, count: number): Range {
  if (range === undefined) return [0, count]
  if (loop !== 'pair')
    throw new TypeError(`"${side}" expected no range, because only loops over pairs have ranges, got ${shown(range)}`)
  const [first = Number.NaN, last = Number.NaN] = Array.isArray(range) ? range : []
  if (Number.isInteger(first) && Number.isInteger(last) && 0 <= first && first <= last && last <= count) return range
  throw new RangeError(
    `"${side}" expected integers [first, last] with 0 <= first <= last <= ${count}, the number of ${side}, got ${shown(range)}`,
  )
}

const shown = (range: unknown): string => (Array.isArray(range) ? `[${range.join(', ')}]` : describe(range))

/** The number of indices in a range. */
export const lengthOf = ([first, last]: Range): number => last - first
