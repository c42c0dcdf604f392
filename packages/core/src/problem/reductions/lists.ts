/**
 * Lists as results: `offsets` says where the list of each target starts in `index`.
 *
 * @module
 */
import type { ArrayResults } from './rule.ts'

/** The list of target `t` is `index[offsets[t]] ... index[offsets[t + 1] - 1]`. */
export interface Lists {
  readonly offsets: Uint32Array
  readonly index: Int32Array
}

/** The results of a run that lists, by name. */
export const listsIn = ({ offsets, index }: ArrayResults): Lists => ({
  offsets: (offsets ?? new Uint32Array(1)) as Uint32Array,
  index: (index ?? new Int32Array(0)) as Int32Array,
})

/** The list of one target. */
export const listAt = ({ offsets, index }: Lists, target: number): Int32Array =>
  index.subarray(offsets[target], offsets[target + 1])

/** Lists one after the other. */
export function listsFrom(rows: readonly ArrayLike<number>[]): ArrayResults {
  const offsets = new Uint32Array(rows.length + 1)
  for (const [n, row] of rows.entries()) offsets[n + 1] = (offsets[n] as number) + row.length
  const index = new Int32Array(offsets[rows.length] as number)
  for (const [n, row] of rows.entries()) index.set(row, offsets[n])
  return { offsets, index }
}

/** The lists of all targets of several runs, joined. The targets of the runs are consecutive. */
export function listsTogether(parts: readonly ArrayResults[]): ArrayResults {
  return listsFrom(
    parts.map(listsIn).flatMap((lists) => Array.from(lists.offsets.subarray(1), (_, row) => listAt(lists, row))),
  )
}

/**
 * The lists of two source ranges as one run over both would give them.
 *
 * @throws TypeError if they belong to different numbers of targets
 */
export function mergedLists(a: ArrayResults, b: ArrayResults): ArrayResults {
  const [here, there] = [listsIn(a), listsIn(b)]
  if (here.offsets.length !== there.offsets.length)
    throw new TypeError(
      `"offsets" expected two results for the same targets, got ${here.offsets.length} numbers and ${there.offsets.length} numbers`,
    )
  return listsFrom(Array.from(here.offsets.subarray(1), (_, row) => merged(listAt(here, row), listAt(there, row))))
}

const merged = (a: Int32Array, b: Int32Array): Int32Array => Int32Array.from([...a, ...b]).sort()

/** How many entries each list has. */
export const lengthsOf = ({ offsets }: Pick<Lists, 'offsets'>): Uint32Array =>
  offsets.slice(1).map((end, n) => end - (offsets[n] as number))
