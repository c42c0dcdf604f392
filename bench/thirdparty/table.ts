/**
 * A record of rivals as text: a table for each problem, the fastest first, and below it the rivals that are faster than we are.
 */

import { type BenchmarkRecord, isMeasured, type Measured, type Row } from '../src/record.ts'
import { duration, scientific, threeDigits } from '../src/report/format.ts'
import { heading } from '../src/report/heading.ts'
import { bestOfFamilies } from '../src/report/series.ts'
import { problemsOf, refusals, tableOf, titleOf } from '../src/report/tables.ts'

type Ran = Row & { readonly outcome: Measured }

export function rivalsTables(record: BenchmarkRecord): string {
  const notes = [
    'G/s: 1e9 pairs per second, by the median call; spread: between its quartiles. x JS: times plain JavaScript of the same',
    'precision; x gpu.js: times its best mode on as many threads; of C: of the same loop in C at the same width, one thread.',
    'C is timed inside its own process, the loop alone. Where nothing else is said, numbers are float32.',
    ...callCosts(record.rows.filter(isRan)),
    ...busyness(record),
  ]
  return [heading(record), ...problemsOf(record.rows).flatMap(byEnvironment).map(section), notes.join('\n')].join(
    '\n\n',
  )
}

/** Only rows of one environment are compared. */
const byEnvironment = (rows: readonly Row[]): readonly (readonly Row[])[] =>
  [...new Set(rows.map(({ environment }) => environment))].map((one) => rows.filter((row) => row.environment === one))

const isRan = (row: Row): row is Ran => isMeasured(row.outcome)

/** Up to this number of points, a problem counts as small. Rates of small and large problems are compared. */
const few = 512

/** The overhead of a call beyond its arithmetic, if both few and many points were measured. */
function callCosts(ran: readonly Ran[]): readonly string[] {
  const best = new Map<string, Ran>()
  for (const row of ran) {
    const { problem, contender } = row
    const key = JSON.stringify([problem.name, problem.workload, problem.targets])
    const known = best.get(key)
    if (!contender.rival && contender.precision === 'f32' && (!known || rateOf(row) > rateOf(known))) best.set(key, row)
  }
  return [...best.values()].flatMap((row) => {
    const { name, workload, targets } = row.problem
    const alike = [...best.values()].filter(({ problem }) => problem.name === name && problem.workload === workload)
    const most = alike.reduce((a, b) => (b.interactions > a.interactions ? b : a))
    if (targets > few || most.problem.targets <= few) return []
    const beyond = row.outcome.call.median - (1000 * row.interactions) / rateOf(most)
    return [
      `A call of ${name} at N = ${targets} costs ${duration(Math.max(0, beyond))} beyond its arithmetic at the rate of N = ${most.problem.targets}.`,
    ]
  })
}

function busyness({ machine }: BenchmarkRecord): readonly string[] {
  const { load = 0 } = machine
  return load > 0.5
    ? [`The machine was busy before this began, load ${load}: expect worse ratios than on a quiet one.`]
    : []
}

function section(rows: readonly Row[]): string {
  const ran = rows.filter(isRan).toSorted((a, b) => rateOf(b) - rateOf(a))
  const parts = [
    `${titleOf(rows)}, in ${rows[0]?.environment}`,
    ran.length ? ranking(ran) : 'No contender gave a right answer.',
    ...losses(ran),
    ...approximations(ran),
    ...own(ran),
    refusals(rows),
  ]
  return parts.filter(Boolean).join('\n')
}

const columns = ['contender', 'loop', 'on', 'G/s', 'spread', 'x JS', 'x gpu.js', 'of C', 'error']

/** A ranking without empty columns. */
function ranking(ran: readonly Ran[]): string {
  const cells = ran.map((row) => cellsOf(row, ran))
  const filled = columns.map((_, n) => cells.some((line) => line[n] !== ''))
  const kept = <T>(list: readonly T[]): T[] => list.filter((_, n) => filled[n])
  const table = tableOf(kept(columns), kept([...'lllrrrrrr']).join(''))
  table.push(...cells.map(kept))
  return table.toString()
}

function cellsOf(row: Ran, ran: readonly Ran[]): readonly string[] {
  const { contender, outcome } = row
  const { lowerQuartile, upperQuartile, median } = outcome.call
  return [
    `${contender.name}${contender.precision === 'f64' ? ', f64' : ''}`,
    loopOf(row),
    placeOf(row),
    giga(rateOf(row)),
    `${Math.round((100 * (upperQuartile - lowerQuartile)) / median)}%`,
    ratio(row, javascriptFor(row, ran)),
    ratio(row, gpuJsFor(row, ran)),
    ratio(row, nativeFor(row, ran)),
    scientific(outcome.error.max),
  ]
}

/** Describes the device; a software GPU is marked. */
function placeOf(row: Ran): string {
  const { kind } = row.contender
  if (kind !== 'cpu') return kind === 'hardware' ? 'GPU' : 'software GPU'
  const threads = threadsOf(row)
  return `${threads} thread${threads === 1 ? '' : 's'}`
}

/** The rivals that are faster than the best of ours: on one thread, and with all threads that each can use. */
function losses(ran: readonly Ran[]): readonly string[] {
  const [single, any] = [(row: Ran) => row.contender.kind === 'cpu' && threadsOf(row) === 1, () => true].map(
    (among) => {
      const field = ran.filter(among)
      const ours = field.find(({ contender }) => !contender.rival && contender.precision === 'f32')
      return ours && { ours, field: field.filter((row) => row.contender.rival && rateOf(row) > rateOf(ours)) }
    },
  )
  return [
    ...(single ? [verdict('On one thread', single.ours, single.field)] : []),
    ...(any && any.ours !== single?.ours ? [verdict('With all there is', any.ours, any.field)] : []),
  ]
}

function verdict(where: string, ours: Ran, faster: readonly Ran[]): string {
  const own = `${nameOf(ours)} at ${giga(rateOf(ours))} G/s`
  if (faster.length === 0) return `${where} nobody is faster than ${own}.`
  const best = bestOfFamilies(faster, (row) => row)
  const names = best.map((row) => `${nameOf(row)} (${threeDigits(rateOf(row) / rateOf(ours))} x)`)
  return `${where} ${own} is slower than: ${names.join('; ')}.`
}

/** The detail that each approximate method leaves out by design, and its error. */
function approximations(ran: readonly Ran[]): readonly string[] {
  return ran.flatMap((row) => {
    const { approximate, max } = row.outcome.error
    return approximate ? [`${nameOf(row)} is approximate, off by up to ${scientific(max)}: ${approximate}.`] : []
  })
}

/** Checks our own contenders: the gain by threads, and whether a typed law is as fast as a built-in one. */
function own(ran: readonly Ran[]): readonly string[] {
  const ours = ran.filter(
    ({ contender }) => !contender.rival && contender.precision === 'f32' && contender.kind === 'cpu',
  )
  const one = ours.find((row) => threadsOf(row) === 1)
  const several = ours.find((row) => threadsOf(row) > 1)
  const typed = ours.find(({ contender }) => contender.name === 'cpu-wasm, typed law')
  const builtIn = typed && ours.find((row) => row.contender.name === 'cpu-wasm' && loopOf(row) === loopOf(typed))
  return [
    ...(one && several ? [`${threadsOf(several)} threads are ${ratio(several, one)} times as fast as one.`] : []),
    ...(typed && builtIn ? [`A typed law is ${ratio(typed, builtIn)} times as fast as the built-in one.`] : []),
  ]
}

const nameOf = (row: Ran): string => [row.contender.name, loopOf(row)].filter(Boolean).join(', ')

/** The variant without the threads, which have their own column. */
const loopOf = ({ contender }: Row): string => contender.variant?.replace(/, \d+ threads?$/, '') ?? ''

/** The plain loop of the same precision. */
const javascriptFor = ({ contender }: Ran, ran: readonly Ran[]): Ran | undefined =>
  ran.find(
    ({ contender: other }) =>
      other.name === 'JavaScript' && other.variant === 'every ordered pair' && other.precision === contender.precision,
  )

/** The fastest mode of gpu.js on the same kind of device, with no more threads. */
const gpuJsFor = (row: Ran, ran: readonly Ran[]): Ran | undefined =>
  row.contender.precision === 'f32'
    ? ran.find(
        (other) =>
          other.contender.name.startsWith('gpu.js') &&
          (other.contender.kind === 'cpu') === (row.contender.kind === 'cpu') &&
          threadsOf(other) <= threadsOf(row),
      )
    : undefined

/** The contender in C that is comparable to one thread of ours: with the same width and the same visits of pairs. */
function nativeFor(row: Ran, ran: readonly Ran[]): Ran | undefined {
  const { name: own, rival, precision, variant = '' } = row.contender
  if (rival || own.endsWith('threads')) return undefined
  const name = `C, ${/wide/.test(variant) ? 256 : 128} bits`
  const once = variant.startsWith('pairs-once')
  return ran.find(
    ({ contender }) =>
      contender.name === name &&
      contender.precision === precision &&
      contender.variant?.startsWith('each pair once') === once,
  )
}

const threadsOf = ({ contender }: Row): number =>
  Number(/(\d+) threads?/.exec(contender.variant ?? '')?.[1] ?? contender.threads ?? 1)

const rateOf = ({ interactions, outcome }: Ran): number => (1000 * interactions) / outcome.call.median

const giga = (perSecond: number): string => threeDigits(perSecond / 1e9)

const ratio = (row: Ran, to: Ran | undefined): string => (to && to !== row ? threeDigits(rateOf(row) / rateOf(to)) : '')
