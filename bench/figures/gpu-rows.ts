/** Rows of `npm run bench:gpu` as its figures select and print them. Times are microseconds. */

import type { BenchmarkRecord } from '../src/record.ts'
import { threeDigits } from '../src/report/format.ts'
import { type MeasuredRow, measured } from '../src/report/series.ts'

/** Rows of a law or a task; of `webgpu` with its own plans and others, unless it says otherwise. */
interface Which {
  readonly law: string
  readonly contender?: string
  readonly n?: number
}

/** From few points to many. */
export const rowsOf = ({ rows }: BenchmarkRecord, { law, contender = 'webgpu', n }: Which): readonly MeasuredRow[] =>
  measured(rows)
    .filter((row) => lawOf(row) === law && row.contender.name === contender)
    .filter(({ problem }) => n === undefined || problem.targets === n)
    .toSorted((a, b) => a.problem.targets - b.problem.targets)

/** Those in the plan that the backend chose. */
export const chosen = (record: BenchmarkRecord, which: Which): readonly MeasuredRow[] =>
  rowsOf(record, which).filter(({ contender }) => contender.sizes === undefined)

/** `gravity`, `argmin`. */
export const lawOf = ({ problem: { name, workload } }: MeasuredRow): string =>
  ['accelerations', 'forces'].includes(workload) ? name : workload

/** One run on the device's clock if there is one, otherwise in wall time. */
export const timeOf = ({ outcome }: MeasuredRow): number => 1000 * (outcome.device ?? outcome.call).median
export const wallOf = ({ outcome }: MeasuredRow): number => 1000 * outcome.call.median

export const fastestOf = (rows: readonly MeasuredRow[]): number | undefined =>
  rows.length === 0 ? undefined : Math.min(...rows.map(timeOf))

export const micro = (value: number | undefined): string =>
  value === undefined ? '' : value < 1000 ? threeDigits(value) : String(Math.round(value))

/** How many times as fast the second is as the first. */
export const ratio = (time: number | undefined, other: number | undefined): string =>
  time === undefined || other === undefined ? '' : (time / other).toFixed(2)

export const deviceOf = ({ rows }: BenchmarkRecord): string =>
  measured(rows).find(({ contender }) => !contender.rival)?.contender.device ?? 'no device'

/** The machine, date and command of a record. */
export function sourceOf(record: BenchmarkRecord, link: string): string {
  const { machine, date, command, partial, environments } = record
  const { webgpu, node } = environments[0]?.versions ?? {}
  const where = `${deviceOf(record)}, driver ${machine.driver ?? 'unknown'}, webgpu ${webgpu} (Dawn), Node ${node}, ${date.slice(0, 10)}`
  const doubt = partial === undefined ? '' : ` Incomplete: ${partial}.`
  return `${where}: \`${command}\`, in [the record](${link}).${doubt}`
}
