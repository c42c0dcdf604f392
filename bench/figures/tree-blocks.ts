/** The costs and the errors of tolerances in the documentation, from records of `npm run bench -- tree`. */

import type { BenchmarkRecord } from '../src/record.ts'
import { threeDigits } from '../src/report/format.ts'
import { markdownTable } from '../src/report/markdown-table.ts'
import { groups, isOurs, measured } from '../src/report/series.ts'
import { callsWithTolerance, type ToleranceSum, toleranceHead, toleranceLines } from '../src/report/tolerances.ts'
import { quantile } from '../src/timing/times.ts'
import { type Linked, sourceOfAll } from './record-blocks.ts'

/** The sums of all records, the newest first. A sum is left out if a newer record has its law, set and points. */
export function treeSums(records: readonly BenchmarkRecord[]): readonly (readonly ToleranceSum[])[] {
  const met = new Set<string>()
  const keyOf = ({ row: { problem } }: ToleranceSum) => `${problem.workload} ${problem.targets}`
  return records.map(({ rows }) => {
    const sums = callsWithTolerance(rows).filter((sum) => !met.has(keyOf(sum)))
    for (const sum of sums) met.add(keyOf(sum))
    return sums
  })
}

/** @param records the newest first */
export function treeCosts(records: readonly Linked[]): string {
  const sums = treeSums(records.map(({ record }) => record)).flat()
  return `${sourceOfAll(records)}\n\n${markdownTable(toleranceHead, toleranceLines(sums))}`
}

/** The least number of points for a row on the first page. */
const many = 1e6

/** Calls over many points, for readers who have not heard of tolerances. */
export function treeInShort(records: readonly Linked[]): string {
  const sums = treeSums(records.map(({ record }) => record)).map((sums) =>
    sums.filter(({ row, allPairs }) => isOurs(row) && row.problem.targets >= many && !Number.isNaN(allPairs)),
  )
  const lines = sums
    .flat()
    .map(({ row: { problem, outcome }, tolerance = '', allPairs }) => [
      `${problem.workload.replace(' in ', ', ')}, ${problem.targets}`,
      tolerance,
      threeDigits(outcome.call.median / 1000),
      threeDigits(allPairs / outcome.call.median),
    ])
  const source = sourceOfAll(records.filter((_, n) => sums[n]?.length))
  const said = 'A whole call, and how many times as fast as our loop over all pairs it is.'
  return `${said} ${source}\n\n${markdownTable(['law, set, points', 'tolerance', 'seconds', 'times all pairs'], lines)}`
}

/** A reported error is right if it is within this factor of the 99th percentile. */
const telling = 2.5

/**
 * The largest errors of all targets, by sets of points, from the newest record.
 *
 * @throws RangeError if the record judged only some of the targets
 */
export function treeErrors(records: readonly Linked[]): string {
  const [newest] = records as readonly [Linked]
  const all = callsWithTolerance(newest.record.rows)
  const partly = all.find(({ row: { problem, outcome } }) => outcome.error.sampled !== problem.targets)?.row
  if (partly) {
    const { problem, outcome } = partly
    throw new RangeError(
      `${newest.link} expected the errors of all ${problem.targets} targets of ${problem.workload}, got ${outcome.error.sampled}; make it with --targets ${problem.targets}`,
    )
  }
  const sums = all.flatMap(({ row, setting, tolerance }) =>
    setting === 'all pairs' ? [] : [{ ...row, tolerance: Number(tolerance) }],
  )
  const refused = newest.record.rows.length - measured(newest.record.rows).length
  const right = sums.filter(({ outcome: { error } }) => {
    const { told = 0, p99 = 0 } = error
    return told <= telling * p99 && p99 <= telling * told
  })
  const beyond = (some: readonly (typeof sums)[number][]) =>
    some.map(({ outcome, tolerance }) => outcome.error.max / tolerance).toSorted((a, b) => a - b)
  const lines = [...groups(sums, ({ problem }) => problem.name)].map(([set, some]) => {
    const shares = beyond(some)
    return [set, quantile(shares, 0.5).toPrecision(2), (shares.at(-1) ?? 0).toPrecision(2)]
  })
  const within = refused === 0 ? `all ${all.length} runs` : `${all.length} of ${all.length + refused} runs`
  const said = [
    `In ${within}, the 99th percentile is within the tolerance. A tree computes ${sums.length} of them; in ${right.length} of these, \`largest\` is within ${telling} times that percentile.`,
    `The largest error of all targets is at most ${quantile(beyond(sums), 0.95).toPrecision(2)} times the tolerance in 95 % of these.`,
    `By sets of points, the largest error divided by the tolerance:`,
  ]
  return `${sourceOfAll([newest])} ${said.join(' ')}\n\n${markdownTable(['points', 'in half of the runs', 'at most'], lines)}`
}
