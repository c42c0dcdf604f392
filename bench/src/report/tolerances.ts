/** Sums with a tolerance beside all pairs, from the rows of a record: one line for each tolerance, and for each setting of a rival. */

import type { BenchmarkRecord, Row } from '../record.ts'
import { scientific, threeDigits } from './format.ts'
import { refusals } from './refusals.ts'
import type { Section } from './section.ts'
import { isOurs, type MeasuredRow, measured } from './series.ts'

export interface ToleranceSum {
  readonly row: MeasuredRow
  /** The contender without its tolerance. */
  readonly who: string
  /** The requested tolerance; undefined for rivals, which have an opening angle. */
  readonly tolerance: string | undefined
  /** The setting of the tree; `all pairs` if these were faster. */
  readonly setting: string
  /** Milliseconds of all pairs, from fewer points where they were not timed; not a number without either. */
  readonly allPairs: number
}

/** @param timeOf the time that counts, of sums and of all pairs */
export function tolerancesIn(
  rows: readonly Row[],
  isAllPairs: (row: MeasuredRow) => boolean,
  timeOf: (row: MeasuredRow) => number,
): readonly ToleranceSum[] {
  const found = measured(rows)
  const all = found.filter(isAllPairs)
  return found.flatMap((row) => {
    const [who = '', tolerance] = row.contender.name.split(', tolerance ')
    if (tolerance === undefined && isOurs(row)) return []
    const alike = all.filter(({ problem }) => lawAndSet(problem) === lawAndSet(row.problem))
    const base = alike.find(({ problem }) => problem.targets === row.problem.targets) ?? mostOf(alike)
    const allPairs = base ? timeOf(base) * (row.problem.targets / base.problem.targets) ** 2 : Number.NaN
    const { variant = '' } = row.contender
    const setting = isOurs(row) ? settingIn(variant) : variant.replace('tree, ', '')
    return [{ row, who, tolerance, setting, allPairs }]
  })
}

/** `simplex, opening 0.4`, `mesh, reach 0.2, ...`, `all pairs`. */
function settingIn(variant: string): string {
  const [, method, setting] = /^(tree|mesh) \(([^)]*)\)/.exec(variant) ?? []
  return setting === undefined ? 'all pairs' : method === 'tree' ? setting : `${method}, ${setting}`
}

const lawAndSet = ({ name, workload }: Row['problem']): string => `${workload}, ${name}`

const mostOf = (rows: readonly MeasuredRow[]): MeasuredRow | undefined =>
  rows.toSorted((a, b) => b.problem.targets - a.problem.targets)[0]

export const toleranceHead = [
  'law, set, points',
  'tolerance or rival',
  'setting',
  'ms',
  'first',
  'faster',
  'pairs',
  'p99',
  'largest',
]

/** The lines of sums on the processor. */
export function toleranceLines(sums: readonly ToleranceSum[]): readonly (readonly string[])[] {
  return sums.map(({ row, who, tolerance, setting, allPairs }) => {
    const { problem, outcome } = row
    const { call, first, evaluated, error } = outcome
    return [
      `${problem.workload.replace(' in ', ', ')}, ${problem.targets}`,
      tolerance === undefined || who.startsWith('cpu-wasm') ? (tolerance ?? who) : `${tolerance} by ${who}`,
      setting,
      call.median.toFixed(0),
      first === undefined || !isOurs(row) ? '' : first.toFixed(0),
      Number.isNaN(allPairs) ? '' : `${threeDigits(allPairs / call.median)}x`,
      evaluated === undefined ? '' : (evaluated / problem.targets).toFixed(0),
      scientific(error.p99 ?? error.max),
      scientific(error.max),
    ]
  })
}

/** Whole calls on the processor, and all pairs in them. */
export const callsWithTolerance = (rows: readonly Row[]): readonly ToleranceSum[] =>
  tolerancesIn(
    rows,
    ({ contender }) => contender.name === 'all pairs',
    ({ outcome }) => outcome.call.median,
  )

/** One table of all sums, and why others have no figure. */
export const tolerances = ({ rows }: BenchmarkRecord): readonly Section[] => [
  { table: { head: toleranceHead, aligns: 'lllrrrrrr', lines: toleranceLines(callsWithTolerance(rows)) } },
  { notes: refusals(rows) },
]
