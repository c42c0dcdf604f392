/** The tables of a benchmark record in the documentation: a law over its sizes, or workloads. */

import type { BenchmarkRecord, Row } from '../src/record.ts'
import { caseHead, caseLine, choiceHead, choiceLines, choicesIn, most } from '../src/report/choices.ts'
import { bestIn } from '../src/report/columns.ts'
import { crossoverLines } from '../src/report/crossovers.ts'
import { duration, scientific, threeDigits, withPrefix } from '../src/report/format.ts'
import { isBusy, machineText } from '../src/report/heading.ts'
import { markdownTable } from '../src/report/markdown-table.ts'
import { familyOf, groups, lawKey, type MeasuredRow, measured, type Series, seriesOf } from '../src/report/series.ts'
import { nearHead, nearLines } from './near-blocks.ts'

/** A record, and the link to its file. */
export interface Linked {
  readonly record: BenchmarkRecord
  readonly link: string
}

const isOf =
  (law: string) =>
  ({ problem: { name, workload } }: Row): boolean =>
    name === law || workload === law

export const hasFigureOf = ({ rows }: BenchmarkRecord, law: string): boolean => measured(rows).some(isOf(law))

/**
 * Contenders by number of points: interactions per second and, at the largest size, the ratio to the yardstick and the error.
 */
export function ratesOf(record: BenchmarkRecord, law: string, link: string): string {
  const rows = measured(record.rows.filter(isOf(law)))
  if (rows.length === 0) throw new RangeError(`the record ${link} has no figure of "${law}"`)
  const sizes = [...new Set(rows.map(({ problem }) => problem.targets))].sort((a, b) => a - b)
  const largest = sizes.at(-1) ?? 0
  const at = (series: Series, n: number) => measured(series.rows).find(({ problem }) => problem.targets === n)
  const series = seriesOf(rows).toSorted((a, b) => rate(at(b, largest)) - rate(at(a, largest)))
  const yardstick =
    series.find(({ rows: [row] }) => row && isYardstick(row)) ??
    series.find(({ rows: [row] }) => row?.contender.name === 'reference')
  const base = yardstick && at(yardstick, largest)
  const head = ['contender', ...sizes.map((n) => `N = ${n}`), base ? `times ${base.contender.name}` : '', 'error']
  const lines = series.map((one) => {
    const last = at(one, largest)
    return [
      named(one),
      ...sizes.map((n) => cell(at(one, n))),
      base && last ? threeDigits(rate(last) / rate(base)) : '',
      last ? scientific(last.outcome.error.max) : '',
    ]
  })
  const shown = head.map((_, column) => column === 0 || lines.some((line) => line[column] !== ''))
  const kept = (line: readonly string[]) => line.filter((_, column) => shown[column])
  return `${source(record, link)} Interactions a second of whole calls.\n\n${markdownTable(kept(head), lines.map(kept))}${crossings(record, series)}`
}

/** Plain JavaScript: every pair, typed arrays, float32. */
function isYardstick({ contender: { name, precision, variant } }: Row): boolean {
  return name === 'JavaScript' && precision === 'f32' && variant === 'every ordered pair'
}

const rate = (row: MeasuredRow | undefined): number => row?.outcome.interactionsPerSecond ?? 0
const cell = (row: MeasuredRow | undefined): string => (row ? withPrefix(rate(row)) : '')

function named({ label, rows: [row] }: Series): string {
  const rival = row?.contender.rival ? ', rival' : ''
  return `${label}${row?.contender.kind === 'software' ? ' (software GPU)' : ''}${rival}`
}

const crossings = ({ kind }: BenchmarkRecord, series: readonly Series[]): string =>
  kind === 'scale' ? `\n\n${crossoverLines(series).join(' ')}`.trimEnd() : ''

/** Alternatives for readers, the best known first. Names of contenders begin with these family names. */
const peers: readonly string[] = ['JavaScript', 'gpu.js', 'TensorFlow.js', 'd3-force', 'C']

/** One line for each problem at its largest size: how many times as fast as the best of each family our best is. */
export function rivalsOf(given: readonly Linked[]): string {
  const records = given.toSorted((a, b) => b.record.date.localeCompare(a.record.date))
  const lines = records.flatMap(({ record }) => [...groups(measured(record.rows), lawKey).values()].map(besidePeers))
  const head = ['problem, points', 'our best', ...peers.map((peer) => `times ${peer}`)]
  const shown = head.map((_, column) => lines.some((line) => line[column] !== ''))
  const kept = (line: readonly string[]) => line.filter((_, column) => shown[column])
  const said =
    'Whole calls in float32: pairs in a second (G: a thousand million), and how many times as fast as the fastest variant of each rival that is. Below 1 we lose.'
  return `${said} ${sourceOfAll(records)}\n\n${markdownTable(kept(head), lines.map(kept))}`
}

/** One line for each rival of blocks of near points. */
export function nearOf(records: readonly Linked[]): string {
  const lines = records.flatMap(({ record }) => nearLines(record))
  const said = 'Whole calls and whole steps, next to blocks of near points on as many threads; below 1 we lose.'
  return `${said} ${sourceOfAll(records)}\n\n${markdownTable(nearHead, lines)}`
}

/** How often the CPU chooses the better loop, and which choices took too long, the worst first. */
export function choicesOf(records: readonly Linked[]): string {
  const said =
    'Time of the chosen loop, and of a whole call that chooses, by that of the better loop, and how much longer a call takes that chooses (the median of all cases). Points of a liquid, a square and a Plummer sphere, all workloads and both precisions.'
  const all = records.flatMap(({ record }) => choicesIn(record))
  const misses = all.filter(({ chosen }) => chosen > most).toSorted((a, b) => b.chosen - a.chosen)
  const missed =
    misses.length === 0
      ? 'No choice misses.'
      : `The choices that miss, by the medians of both loops:\n\n${markdownTable(['what misses', ...caseHead.slice(1)], misses.map(caseLine))}`
  return `${said} ${sourceOfAll(records)}\n\n${markdownTable(choiceHead, choiceLines(all))}\n\n${missed}`
}

function besidePeers(rows: readonly MeasuredRow[]): readonly string[] {
  const largest = Math.max(...rows.map(({ interactions }) => interactions))
  const ranked = rows.filter((row) => row.interactions === largest).toSorted((a, b) => rate(b) - rate(a))
  const ours = ranked.find(({ contender }) => !contender.rival && contender.precision === 'f32')
  const best = (peer: string) => {
    const found = bestIn(ranked.filter((row) => familyOf(row) === peer))
    if (!(ours && found)) return ''
    const { approximate } = found.outcome.error
    const times = threeDigits(rate(ours) / rate(found))
    return approximate === undefined ? times : `${times} (error ${scientific(found.outcome.error.max)})`
  }
  return [
    rows[0] ? problemOf({ ...rows[0], problem: (ranked[0] ?? rows[0]).problem }) : '',
    ours ? `${ours.contender.name}: ${withPrefix(rate(ours))}` : '',
    ...peers.map(best),
  ]
}

/** One line for each problem, one column for each contender: the median of whole calls. */
export function callsOf(record: BenchmarkRecord, link: string): string {
  const rows = measured(record.rows)
  const series = seriesOf(rows)
  const problems = [...new Set(rows.map(problemOf))]
  const lines = problems.map((problem) => [
    problem,
    ...series.map((one) => {
      const row = measured(one.rows).find((row) => problemOf(row) === problem)
      return row ? duration(row.outcome.call.median) : ''
    }),
  ])
  return `${source(record, link)} Medians of whole calls.\n\n${markdownTable(['workload, points', ...series.map(named)], lines)}`
}

const problemOf = ({ problem: { workload, name, targets } }: Row): string =>
  `${workload === name ? workload : `${workload} of ${name}`}, ${targets}`

function source(record: BenchmarkRecord, link: string): string {
  return `${where(record)}: \`${record.command}\`, in [the record](${link}).${doubts(record)}`
}

/** Where several records of a kind come from, in a short line. The records have the commands. */
export function sourceOfAll(records: readonly Linked[]): string {
  const all = records.map(({ record }) => record)
  const days = new Map<string, Map<string, BenchmarkRecord[]>>()
  for (const record of all) {
    const { machine, environments, date } = record
    const where = `${machine.cpu}, ${machine.cores} cores, ${namesOf(environments)}`
    const day = date.slice(0, 10)
    const there = days.get(where) ?? new Map<string, BenchmarkRecord[]>()
    days.set(where, there.set(day, [...(there.get(day) ?? []), record]))
  }
  const machines = Array.from(days, ([where, byDay]) => {
    const told = Array.from(byDay, ([day, those]) => {
      const load = busyLoad(those)
      return load ? `${day} (load ${load})` : day
    })
    return `${where}, ${told.join(' and ')}`
  })
  const links = records.map(({ link }, n) => `[${n + 1}](${link})`).join(', ')
  return `${machines.join('; ')}: records ${links}.${incompleteness(all)}`
}

function where({ machine, date, environments }: BenchmarkRecord): string {
  return `${machineText(machine)}, ${namesOf(environments)}, ${date.slice(0, 10)}`
}

const namesOf = (environments: BenchmarkRecord['environments']): string =>
  environments.map(({ name }) => name).join(' and ')

/** Why the figures of a record are doubtful: some are missing, or the machine was busy. */
function doubts(record: BenchmarkRecord): string {
  const load = busyLoad([record])
  return `${incompleteness([record])}${load ? ` The machine was busy: load ${load}.` : ''}`
}

const incompleteness = (records: readonly BenchmarkRecord[]): string =>
  records.map(({ partial }) => (partial === undefined ? '' : ` Incomplete: ${partial}.`)).join('')

/** The range of loads of busy machines; empty if no machine was busy. */
function busyLoad(records: readonly BenchmarkRecord[]): string {
  const loads = records.flatMap(({ machine }) => (isBusy(machine) ? [machine.load] : []))
  return loads.length === 0 ? '' : [...new Set([Math.min(...loads), Math.max(...loads)])].join(' to ')
}
