/** Sums with a tolerance on a graphics card, beside all pairs, from a record of `npm run bench:gpu`. */

import type { BenchmarkRecord } from '../src/record.ts'
import { scientific, threeDigits } from '../src/report/format.ts'
import { markdownTable } from '../src/report/markdown-table.ts'
import { type MeasuredRow, measured } from '../src/report/series.ts'
import { tolerancesIn } from '../src/report/tolerances.ts'
import { sourceOf } from './gpu-rows.ts'

/** The law of these sums. */
export const treeLaw = 'point-gravity'

const isAllPairs = ({ contender }: MeasuredRow): boolean => contender.name === 'webgpu'

export function gpuTrees(record: BenchmarkRecord, link: string): string {
  const rows = measured(record.rows).filter(({ problem }) => problem.name === treeLaw)
  const timeOf = ({ outcome }: MeasuredRow) => (outcome.device ?? outcome.call).median
  const largest = rows.filter(isAllPairs).toSorted((a, b) => b.problem.targets - a.problem.targets)[0]
  if (!largest) throw new RangeError(`the record ${link} has no figure of all pairs of ${treeLaw}`)
  const lines = tolerancesIn(rows, isAllPairs, timeOf).map(({ row, tolerance = '', setting, allPairs }) => {
    const { call, device, error } = row.outcome
    const times = [device ? threeDigits(device.median) : '', threeDigits(call.median), threeDigits(allPairs)]
    return [
      `${row.problem.targets}`,
      tolerance,
      setting,
      ...times,
      scientific(error.p99 ?? error.max),
      scientific(error.max),
    ]
  })
  const head = ['points', 'tolerance', 'setting', 'device, ms', 'call, ms', 'all pairs, ms', 'p99', 'largest']
  const said = `Gravity in a cube: the tree on the device's clock; a call, which has copies from and to the host, and measures its error; and all pairs on the device's clock, which take ${threeDigits(timeOf(largest))} ms at ${largest.problem.targets} points, and are extrapolated to more. Errors are those of 2048 targets.`
  const verdicts = (record.judged ?? []).flatMap((one) =>
    'tolerances' in one && one.tolerances
      ? ` Before, ${one.tolerances.sums} other sums were judged, ${one.tolerances.trees} of them by a tree, with ${one.faults.length} faults.`
      : '',
  )
  return `${sourceOf(record, link)} ${said}${verdicts.join('')}\n\n${markdownTable(head, lines)}`
}
