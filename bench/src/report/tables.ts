/** Records as terminal tables. */

import { fittedTable, naturalWidth } from '../../../examples/main-job/fitted-table.ts'
import type { BenchmarkRecord, Row, Times, Who } from '../record.ts'
import { duration, scientific, withPrefix } from './format.ts'
import { heading, shortName } from './heading.ts'
import { refusalsOf, sizesIn } from './refusals.ts'
import { measured } from './series.ts'
import { subjectOf, termsOf } from './subject.ts'

/** Every contender's row, problem by problem, the fastest first; then those without a figure, with the reason. */
export function comparison(record: BenchmarkRecord): string {
  const groups = problemsOf(record.rows).map((group) =>
    [titleOf(group), ranking(group), refusals(group)].filter(Boolean).join('\n'),
  )
  return [heading(record), ...groups].join('\n\n')
}

function ranking(rows: readonly Row[]): string {
  const { head, lines } = rankingOf(rows)
  if (lines.length === 0) return noFigure
  return fitted(head, `llll${'r'.repeat(head.length - 4)}`, lines, ['loop', 'quartiles', 'allowed', 'of best'])
}

export const noFigure = 'No figure for any contender.'

/** The contenders of a problem, the fastest first, as columns and lines of text. */
export function rankingOf(rows: readonly Row[]): { head: readonly string[]; lines: readonly (readonly string[])[] } {
  const found = measured(rows).toSorted((a, b) => b.outcome.interactionsPerSecond - a.outcome.interactionsPerSecond)
  const [best] = found
  if (!best) return { head: [], lines: [] }
  const clocked = found.some(({ outcome }) => outcome.device !== undefined)
  const head = [
    'contender',
    'in',
    'on',
    'loop',
    'call',
    'quartiles',
    ...(clocked ? ['device clock'] : []),
    `${termsOf(best)}/s`,
    'of best',
    'error',
    'allowed',
  ]
  const lines = found.map(({ environment, contender, outcome }) => {
    const { call, device, interactionsPerSecond, error } = outcome
    return [
      nameOf(contender),
      shortName(environment),
      kindOf(contender),
      contender.variant ?? '',
      duration(call.median),
      spread(call),
      ...(clocked ? [device ? duration(device.median) : ''] : []),
      withPrefix(interactionsPerSecond),
      percent(interactionsPerSecond / best.outcome.interactionsPerSecond),
      scientific(error.max),
      error.bound === null ? 'approximate' : scientific(error.bound),
    ]
  })
  return { head, lines }
}

/** Leaves out spare columns, in their order, until the table fits a narrow terminal. */
function fitted(
  head: readonly string[],
  aligns: string,
  lines: readonly (readonly string[])[],
  spare: readonly string[],
  left: readonly string[] = [],
): string {
  const [next, ...rest] = spare
  if (next !== undefined && naturalWidth([head, ...lines]) > terminalWidth()) {
    const kept = <T>(list: Iterable<T>): T[] => [...list].filter((_, n) => head[n] !== next)
    return fitted(kept(head), kept(aligns).join(''), lines.map(kept), rest, [...left, next])
  }
  const table = tableOf(head, aligns)
  table.push(...lines)
  const text = table.toString()
  return left.length === 0 ? text : `${text}\nA wider terminal, and --html, also show: ${left.join(', ')}.`
}

/** Why rows of one law have no figure, with the sizes if there are several. */
export function refusals(rows: readonly Row[]): string {
  const several = new Set(rows.map(({ problem }) => problem.targets)).size > 1
  const lines = refusalsOf(rows).map((refusal) => {
    const names = [...new Set(refusal.rows.map(({ contender }) => contender.name))]
    const where = `${refusal.rows[0]?.environment}${several ? ` at ${sizesIn(refusal)}` : ''}`
    return `No figure for ${names.join('; ')} in ${where}: ${refusal.reason}`
  })
  return lines.join('\n')
}

export const nameOf = ({ name, precision }: Who): string => (precision === 'f64' ? `${name}, f64` : name)

/** Marks software that only looks like a GPU. */
export const kindOf = ({ kind }: Who): string => ({ cpu: 'CPU', software: 'software GPU', hardware: 'GPU' })[kind]

/** The quartiles around a median, as percentages of it. */
const spread = ({ median, lowerQuartile, upperQuartile }: Times): string =>
  `-${percent(1 - lowerQuartile / median)} +${percent(upperQuartile / median - 1)}`

const percent = (share: number): string =>
  share < 0.1 ? `${Number((100 * share).toPrecision(2))}%` : `${Math.round(100 * share)}%`

export function problemsOf(rows: readonly Row[]): readonly (readonly Row[])[] {
  const groups = new Map<string, Row[]>()
  for (const row of rows) {
    const key = JSON.stringify(row.problem)
    groups.set(key, [...(groups.get(key) ?? []), row])
  }
  return [...groups.values()]
}

export function titleOf([row]: readonly Row[]): string {
  if (!row) return ''
  const { targets, sources, dimension } = row.problem
  const size = sources === 0 || targets === sources ? `N = ${targets}` : `${targets} targets, ${sources} sources`
  return `${subjectOf(row)}, ${size}, ${dimension}-D`
}

/** Without a terminal, as in a file, lines may have any length. */
const terminalWidth = (): number => process.stdout.columns ?? Infinity

export interface TextTable {
  push(...rows: (readonly (string | number)[])[]): void
  toString(): string
}

/** An empty table; `l` and `r` align its columns. */
export function tableOf(head: readonly string[], aligns: string): TextTable {
  const rows: string[][] = []
  return {
    push: (...more) => void rows.push(...more.map((row) => row.map(String))),
    toString: () =>
      fittedTable(
        head,
        [...aligns].map((align) => (align === 'r' ? 'right' : 'left')),
        rows,
        terminalWidth(),
      ),
  }
}
