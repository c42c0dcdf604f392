/**
 * Judges results of a block against the float64 reference: a few of its targets must be within the bounds of rounding.
 *
 * @module
 */
import type { ArrayResults, Bindings, DeviceKind, Range } from '@manybody/core'
import { listsFrom, makesLists } from '@manybody/core/backend'
import { rowsWithin } from '@manybody/core/judge'
import type { WorkerReport } from '../wire/answer.ts'
import { bytesOf } from '../wire/arrays.ts'
import type { ClusterJob } from '../wire/job.ts'

/** The results of one block. */
export interface BlockResults {
  readonly block: number
  readonly targets: Range
  readonly sources: Range
  readonly results: ArrayResults
}

/** How the device of a worker computed. */
export interface HowComputed extends Pick<WorkerReport, 'accumulation' | 'chains'> {
  readonly kind: DeviceKind
}

/** Pairs that the reference computes for one judgement, in about 0.2 s. With a few thousand sources, this covers all targets of a block. */
const judgedPairs = 4e6

/** The fewest targets to judge, however many sources there are. */
const leastRows = 4

export interface BlockJudgement {
  readonly right: boolean
  /** Targets that were compared with the reference. */
  readonly rows: number
}

/**
 * Whether the results are right, as far as the judged targets show. If there are `others`, only targets on which the two differ are
 * judged. The targets are chosen at random, so that nobody can know them in advance.
 */
export function judge(
  { workload, shape, precision }: Pick<ClusterJob, 'workload' | 'shape' | 'precision'>,
  bindings: Bindings,
  { targets, sources, results }: BlockResults,
  { kind, accumulation, chains }: HowComputed,
  others: ArrayResults = {},
): BlockJudgement {
  const [first, last] = targets
  const met = sources[1] - sources[0]
  const rowOf = makesLists(workload) ? listRows : numberRows
  const [mine, theirs] = [rowOf(results, last - first), rowOf(others, last - first)]
  const all = Array.from({ length: last - first }, (_, row) => row)
  const differing = all.filter((row) => !same(mine(row), theirs(row)))
  const rows = atRandom(differing, Math.max(leastRows, Math.floor(judgedPairs / Math.max(1, met))))
  const numbers = rows.map(mine)
  const within = rowsWithin(
    { workload, shape, bindings },
    {
      targets: rows.map((row) => first + row),
      sources,
      results: makesLists(workload) ? listsFrom(numbers.map(({ index = [] }) => index)) : joined(numbers),
      // No chain is longer than the number of sources. Otherwise a worker could report long chains and get a bound as wide as it likes.
      report: { precision, kind, accumulation, ...(chains && { chains: chains.map((n) => Math.min(n, met)) }) },
    },
  )
  return { right: within.every(Boolean), rows: rows.length }
}

type Column = ArrayResults[string]
type Row = Readonly<Record<string, Column>>

const numberRows =
  (results: ArrayResults, rows: number) =>
  (row: number): Row =>
    Object.fromEntries(
      Object.entries(results).map(([name, column]) => {
        const width = column.length / rows
        return [name, column.subarray(row * width, (row + 1) * width)]
      }),
    )

/** Lists travel as their entries and the number of entries in each row. */
function listRows({ index, count }: ArrayResults): (row: number) => Row {
  const starts = [0]
  for (const length of count ?? []) starts.push((starts.at(-1) as number) + length)
  return (row) => (index ? { index: index.subarray(starts[row], starts[row + 1]) } : {})
}

/** Whether two results agree to the bit. */
export function same(a: ArrayResults, b: ArrayResults): boolean {
  return Object.entries(a).every(([name, column]) => {
    const [mine, theirs] = [bytesOf(column), b[name] && bytesOf(b[name])]
    if (mine.length !== theirs?.length) return false
    for (let n = 0; n < mine.length; n++) if (mine[n] !== theirs[n]) return false
    return true
  })
}

/** Picks rows at random, in ascending order: divides the rows into equal parts and takes one from each. */
function atRandom(rows: readonly number[], most: number): readonly number[] {
  const count = Math.min(most, rows.length)
  return Array.from({ length: count }, (_, n) => {
    const [from, to] = [Math.floor((n * rows.length) / count), Math.floor(((n + 1) * rows.length) / count)]
    return rows[from + Math.floor(Math.random() * (to - from))] as number
  })
}

/** The numbers of rows, one row after the other. */
function joined(rows: readonly Row[]): ArrayResults {
  return Object.fromEntries(
    Object.entries(rows[0] ?? {}).map(([name, column]) => {
      const whole = new (column.constructor as Float64ArrayConstructor)(column.length * rows.length)
      for (const [n, row] of rows.entries()) whole.set(row[name] as Column, n * column.length)
      return [name, whole]
    }),
  )
}
