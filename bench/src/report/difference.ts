/**
 * Two records, row by row: rows of the same environment, problem and contender, with the ratio of their times and whether the difference
 * exceeds the spread of both.
 */

import { type BenchmarkRecord, isMeasured, type Machine, type Row } from '../record.ts'
import { duration, scientific, threeDigits } from './format.ts'
import { isBusy } from './heading.ts'
import type { Section } from './section.ts'
import { groups, measured, problemKey, variantOf } from './series.ts'
import { sized } from './subject.ts'

/** What to read first (other machines, incomplete records), the rows of both, and the rows of only one. */
export function difference(first: BenchmarkRecord, second: BenchmarkRecord): readonly Section[] {
  const environments = sameEnvironments(first, second)
  const keysOf = (rows: readonly Row[], nameOf: (environment: string) => string) =>
    rows.map(({ environment, ...row }) => keyOf({ ...row, environment: nameOf(environment) }))
  const [firsts, seconds] = [
    keysOf(first.rows, (name) => environments.get(name) ?? name),
    keysOf(second.rows, (name) => name),
  ]
  const ambiguous = new Set([firsts, seconds].flatMap(repeated))
  const matched = (keys: readonly string[], rows: readonly Row[]) =>
    rows.map((row, n) => (ambiguous.has(keys[n] ?? '') ? keys[n] + looksKey(row) : (keys[n] ?? '')))
  const waiting = new Map(matched(seconds, second.rows).map((key, n) => [key, second.rows[n] as Row]))
  const [pairs, onlyFirst]: [Pair[], Row[]] = [[], []]
  for (const [n, key] of matched(firsts, first.rows).entries()) {
    const [row, other] = [first.rows[n] as Row, waiting.get(key)]
    waiting.delete(key)
    if (other) pairs.push([row, other])
    else onlyFirst.push(row)
  }
  const warnings = [...recordWarnings(first, second), ...deviceWarnings(pairs), ...environmentWarnings(environments)]
  return [
    { notes: warnings.map((warning) => `! ${warning}`) },
    pairs.length === 0 ? { notes: ['No row of one record is in the other.'] } : comparedSection(pairs),
    { notes: onlyFirst.map((row) => only('first', row)) },
    { notes: [...waiting.values()].map((row) => only('second', row)) },
  ]
}

type Pair = readonly [first: Row, second: Row]

const keyOf = (row: Row): string => JSON.stringify([row.environment, problemKey(row), row.contender.name])

/**
 * Distinguishes contenders with the same name, as in a sweep. Otherwise variants are ignored, because the backend may choose another each
 * time.
 */
const looksKey = ({ contender: { precision, threads, variant, sizes } }: Row): string =>
  JSON.stringify([precision, threads, variant, sizes])

const repeated = (keys: readonly string[]): readonly string[] =>
  [...groups(keys, (key) => key)].flatMap(([key, same]) => (same.length > 1 ? [key] : []))

/** The environment of the second record for each one of the first: with the same name, or the same program in another version. */
function sameEnvironments(first: BenchmarkRecord, second: BenchmarkRecord): ReadonlyMap<string, string> {
  const program = (name: string) => name.replace(/ \d[\d.]*/, '')
  const names = second.environments.map(({ name }) => name)
  return new Map(
    first.environments.flatMap(({ name }) => {
      const same = names.includes(name) ? name : names.find((other) => program(other) === program(name))
      return same === undefined ? [] : [[name, same] as const]
    }),
  )
}

const verdicts = ['second is faster', 'second is slower', 'quartiles overlap', 'no figure in one'] as const

function comparedSection(pairs: readonly Pair[]): Section {
  const lines = pairs.map(lineOf)
  const count = (verdict: (typeof verdicts)[number]) => lines.filter((line) => line.includes(verdict)).length
  const [faster, slower, undecided, none] = verdicts.map(count) as [number, number, number, number]
  const lost = none > 0 ? `; ${none} have no figure in one of the two` : ''
  const said = `The second is faster in ${faster}, slower in ${slower}, and no different beyond the spread in ${undecided} of ${pairs.length} rows${lost}.`
  return { table: { head, aligns: 'lllrrrrlrr', lines }, notes: [said] }
}

const head = [
  ...['problem', 'contender', 'in', 'first', 'second', 'times as fast', 'quartiles of it', 'verdict'],
  ...['error, first', 'second'],
]

function lineOf([first, second]: Pair): readonly string[] {
  const errors = [first, second].map(({ outcome }) => (isMeasured(outcome) ? scientific(outcome.error.max) : ''))
  return [
    sized(first),
    contender(first),
    first.environment,
    time(first),
    time(second),
    ...speed(first, second),
    ...errors,
  ]
}

/** The speed of the second relative to the first, the ratios of the slower quartile of each to the faster of the other, and the verdict. */
function speed(first: Row, second: Row): readonly string[] {
  const [a, b] = measured([first, second]).map(({ outcome }) => outcome.call)
  if (!a || !b) return ['', '', verdicts[3]]
  const [ratio, low, high] = [
    [a.median, b.median],
    [a.lowerQuartile, b.upperQuartile],
    [a.upperQuartile, b.lowerQuartile],
  ].map(([one = 0, other = 0]) => threeDigits(one / other))
  const place = b.upperQuartile < a.lowerQuartile ? 0 : b.lowerQuartile > a.upperQuartile ? 1 : 2
  return [ratio ?? '', `${low} to ${high}`, verdicts[place]]
}

const only = (which: string, row: Row): string =>
  `Only in the ${which}: ${contender(row)}, ${sized(row)}, in ${row.environment}, ${time(row)}`

/** Swept variants distinguish contenders; otherwise a backend may choose another each time. */
function contender(row: Row): string {
  const { name, precision, threads, sizes } = row.contender
  const swept = Object.keys(sizes ?? {}).length > 0 && variantOf(row)
  return [name, precision, threads !== undefined && `${threads} threads`, swept].filter(Boolean).join(', ')
}

/** With half of the distance between the quartiles. */
function time({ outcome }: Row): string {
  if (!isMeasured(outcome)) return 'no figure'
  const { median, lowerQuartile, upperQuartile } = outcome.call
  return `${duration(median)} ± ${duration((upperQuartile - lowerQuartile) / 2)}`
}

function recordWarnings(first: BenchmarkRecord, second: BenchmarkRecord): readonly string[] {
  const facts = ['cpu', 'cores', 'memoryGiB', 'platform', 'driver'] as const
  const differing = facts.filter((fact) => first.machine[fact] !== second.machine[fact])
  const text = (machine: Machine) => differing.map((fact) => `${fact} ${machine[fact] ?? 'unknown'}`).join(', ')
  const machines = `DIFFERENT MACHINES: first ${text(first.machine)}; second ${text(second.machine)}. Ratios compare machines, not versions.`
  const others = [first, second].flatMap(({ partial, machine }, i) => {
    const which = i === 0 ? 'The first record' : 'The second record'
    return [
      ...(partial === undefined ? [] : [`${which} is incomplete: ${partial}.`]),
      ...(isBusy(machine) ? [`${which} is of a busy machine: load ${machine.load} on ${machine.cores} cores.`] : []),
    ]
  })
  return [...(differing.length === 0 ? [] : [machines]), ...others]
}

function deviceWarnings(pairs: readonly Pair[]): readonly string[] {
  const text = ({ contender: { device, kind, precision, threads } }: Row) =>
    `${device} (${[kind, precision, ...(threads === undefined ? [] : [`${threads} threads`])].join(', ')})`
  const changed = pairs.flatMap(([first, second]) =>
    measured([first, second]).length < 2 || text(first) === text(second)
      ? []
      : [`DIFFERENT DEVICES: ${first.contender.name} ran on ${text(first)}, then on ${text(second)}.`],
  )
  return [...new Set(changed)]
}

const environmentWarnings = (environments: ReadonlyMap<string, string>): readonly string[] =>
  [...environments].flatMap(([a, b]) => (a === b ? [] : [`${a} is compared with ${b}.`]))
