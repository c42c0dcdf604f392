/** The columns of a table of contenders: the same in the terminal, in Markdown and in HTML. */

import type { BenchmarkRecord, Who } from '../record.ts'
import { duration, percent, scientific, threeDigits, withPrefix } from './format.ts'
import { shortName } from './heading.ts'
import { bestOfFamilies, familyOf, isOurs, type MeasuredRow, rateOf, variantOf } from './series.ts'
import { termsOf } from './subject.ts'

export interface Column {
  readonly head: string
  readonly number?: true
  /** @param among the contenders of the same problem, the fastest first */
  cell(row: MeasuredRow, among: readonly MeasuredRow[]): string
}

/** Facts about contenders. */
export function factColumns(among: readonly MeasuredRow[]): readonly Column[] {
  const several = new Set(among.map(({ contender }) => contender.threads)).size > 1
  return several ? [...facts, threads] : facts
}

const threads: Column = { head: 'threads', number: true, cell: ({ contender }) => `${contender.threads ?? ''}` }

const facts: readonly Column[] = [
  { head: 'contender', cell: ({ contender }) => nameOf(contender) },
  { head: 'in', cell: ({ environment }) => shortName(environment) },
  { head: 'on', cell: ({ contender }) => kindOf(contender) },
  { head: 'loop', cell: (row) => variantOf(row) ?? '' },
]

export const nameOf = ({ name, precision }: Who): string => (precision === 'f64' ? `${name}, f64` : name)

/** Marks software that only looks like a GPU. */
const kindOf = ({ kind }: Who): string => ({ cpu: 'CPU', software: 'software GPU', hardware: 'GPU' })[kind]

const numeric = (head: string, cell: Column['cell']): Column => ({ head, number: true, cell })

const timed = (head: string, of: (row: MeasuredRow) => number | undefined): Column =>
  numeric(head, (row) => {
    const milliseconds = of(row)
    return milliseconds === undefined ? '' : duration(milliseconds)
  })

const parts: readonly Column[] = [
  timed('compile', ({ outcome: { parts } }) => parts?.compile),
  timed('upload', ({ outcome: { parts } }) => parts?.upload.median),
  timed('compute', ({ outcome: { parts } }) => parts?.compute.median),
  timed('readback', ({ outcome: { parts } }) => parts?.readback.median),
]

/**
 * The columns with figures that at least one of the contenders has.
 *
 * @param among the fastest first
 */
export function figureColumns(
  { kind }: Pick<BenchmarkRecord, 'kind'>,
  among: readonly MeasuredRow[],
): readonly Column[] {
  const [best] = among
  const ours = among.find(isOurs)
  const all: readonly Column[] = [
    ...(kind === 'transfer' ? parts : []),
    timed('call', ({ outcome }) => outcome.call.median),
    numeric(
      'quartiles',
      ({ outcome: { call } }) => `${duration(call.lowerQuartile)} to ${duration(call.upperQuartile)}`,
    ),
    timed('device clock', ({ outcome }) => outcome.device?.median),
    numeric(`${best ? termsOf(best) : ''}/s`, (row) => withPrefix(rateOf(row))),
    numeric('of our best', (row) => (ours ? percent(rateOf(row) / rateOf(ours)) : '')),
    ...bestOfFamilies(among.filter((row) => !isOurs(row))).flatMap((rival) => gains(familyOf(rival), kind)),
    numeric('error', ({ outcome }) => scientific(outcome.error.max)),
    numeric('allowed', ({ outcome: { error } }) => (error.bound === null ? 'approximate' : scientific(error.bound))),
  ]
  return all.filter(({ cell }) => among.some((row) => cell(row, among) !== ''))
}

/** How many times as fast as the best of a family of rivals, in the same environment, and on as many threads if there is one. */
function gains(family: string, kind: BenchmarkRecord['kind']): readonly Column[] {
  const gain = (head: string, timeOf: (row: MeasuredRow) => number | undefined) =>
    numeric(head, (row, among) => {
      const rivals = among.filter((other) => !isOurs(other) && familyOf(other) === family)
      const there = rivals.filter(({ environment }) => environment === row.environment)
      const alike = there.filter(({ contender }) => contender.threads === row.contender.threads)
      const rival = bestIn(alike) ?? bestIn(there)
      const own = timeOf(row)
      return rival && rival !== row && own ? threeDigits(rival.outcome.call.median / own) : ''
    })
  return [
    gain(`x ${family}`, ({ outcome }) => outcome.call.median),
    ...(kind === 'transfer' ? [gain(`x ${family}, compute`, ({ outcome }) => outcome.parts?.compute.median)] : []),
  ]
}

/** Some rivals compute only in float64. */
export const bestIn = (family: readonly MeasuredRow[]): MeasuredRow | undefined =>
  family.find(({ contender }) => contender.precision === 'f32') ?? family[0]
