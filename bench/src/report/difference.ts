/**
 * Two records, row by row: rows of the same environment, problem and contender, with the ratio of their times and whether the difference
 * exceeds the spread of both.
 */

import { type BenchmarkRecord, isMeasured, type Machine, type Row } from '../record.ts'
import { isBusy } from './heading.ts'
import { problemKey } from './series.ts'

export interface Difference {
  /** Warnings to read first: other machines, incomplete records, busy machines. */
  readonly warnings: readonly string[]
  readonly pairs: readonly Pair[]
  readonly onlyFirst: readonly Row[]
  readonly onlySecond: readonly Row[]
}

export interface Pair {
  readonly first: Row
  readonly second: Row
  /** Absent if one of them has no figure. */
  readonly speed?: Speed
}

/** The speed of the second relative to the first, from whole calls. */
export interface Speed {
  readonly ratio: number
  /** The ratios of the slower quartile of each to the faster quartile of the other. */
  readonly low: number
  readonly high: number
  /** `undecided` if the quartiles overlap. */
  readonly verdict: 'faster' | 'slower' | 'undecided'
}

export function difference(first: BenchmarkRecord, second: BenchmarkRecord): Difference {
  const environments = sameEnvironments(first, second)
  const environmentOf = ({ environment }: Row) => environments.get(environment) ?? environment
  const ambiguous = new Set([
    ...repeated(first.rows, environmentOf),
    ...repeated(second.rows, ({ environment }) => environment),
  ])
  const keyOf = (row: Row, environment: string) => {
    const key = placeKey(row, environment)
    return ambiguous.has(key) ? key + looksKey(row) : key
  }
  const waiting = new Map(second.rows.map((row) => [keyOf(row, row.environment), row]))
  const onlyFirst: Row[] = []
  const pairs: Pair[] = []
  for (const row of first.rows) {
    const key = keyOf(row, environmentOf(row))
    const other = waiting.get(key)
    waiting.delete(key)
    if (other) pairs.push(pairOf(row, other))
    else onlyFirst.push(row)
  }
  const warnings = [...machineWarnings(first, second), ...deviceWarnings(pairs), ...environmentWarnings(environments)]
  return { warnings, pairs, onlyFirst, onlySecond: [...waiting.values()] }
}

const placeKey = (row: Row, environment: string): string =>
  JSON.stringify([environment, problemKey(row), row.contender.name])

/**
 * Distinguishes contenders with the same name, as in a sweep. Otherwise variants are ignored, because the backend may choose another each
 * time.
 */
function looksKey({ contender: { precision, threads, variant, sizes } }: Row): string {
  return JSON.stringify([precision, threads, variant, sizes])
}

/** Keys that more than one row has. */
function repeated(rows: readonly Row[], environmentOf: (row: Row) => string): readonly string[] {
  const keys = rows.map((row) => placeKey(row, environmentOf(row)))
  return keys.filter((key, i) => keys.indexOf(key) !== i)
}

/**
 * The environment of the second record for each one of the first: with the same name, or the same program in another version.
 */
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

function pairOf(first: Row, second: Row): Pair {
  if (!isMeasured(first.outcome) || !isMeasured(second.outcome)) return { first, second }
  const [a, b] = [first.outcome.call, second.outcome.call]
  const verdict =
    b.upperQuartile < a.lowerQuartile ? 'faster' : b.lowerQuartile > a.upperQuartile ? 'slower' : 'undecided'
  const speed: Speed = {
    ratio: a.median / b.median,
    low: a.lowerQuartile / b.upperQuartile,
    high: a.upperQuartile / b.lowerQuartile,
    verdict,
  }
  return { first, second, speed }
}

function machineWarnings(first: BenchmarkRecord, second: BenchmarkRecord): readonly string[] {
  const facts = ['cpu', 'cores', 'memoryGiB', 'platform', 'driver'] as const
  const differing = facts.filter((fact) => first.machine[fact] !== second.machine[fact])
  const text = (machine: Machine) => differing.map((fact) => `${fact} ${machine[fact] ?? 'unknown'}`).join(', ')
  const machines =
    differing.length === 0
      ? []
      : [
          `DIFFERENT MACHINES: first ${text(first.machine)}; second ${text(second.machine)}. Ratios compare machines, not versions.`,
        ]
  const others = [first, second].flatMap(({ partial, machine }, i) => {
    const which = i === 0 ? 'The first record' : 'The second record'
    return [
      ...(partial === undefined ? [] : [`${which} is incomplete: ${partial}.`]),
      ...(isBusy(machine) ? [`${which} is of a busy machine: load ${machine.load} on ${machine.cores} cores.`] : []),
    ]
  })
  return [...machines, ...others]
}

function deviceWarnings(pairs: readonly Pair[]): readonly string[] {
  const text = ({ contender: { device, kind, precision, threads } }: Row) =>
    `${device} (${[kind, precision, threads === undefined ? '' : `${threads} threads`].filter((part) => part !== '').join(', ')})`
  const changed = pairs.flatMap(({ first, second, speed }) =>
    !speed || text(first) === text(second)
      ? []
      : [`${first.contender.name} ran on ${text(first)}, then on ${text(second)}`],
  )
  return [...new Set(changed)].map((one) => `DIFFERENT DEVICES: ${one}.`)
}

function environmentWarnings(environments: ReadonlyMap<string, string>): readonly string[] {
  return [...environments].flatMap(([a, b]) => (a === b ? [] : [`${a} is compared with ${b}.`]))
}
