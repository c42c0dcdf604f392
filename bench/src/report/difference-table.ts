/** The differences between two records, for the terminal. */

import { isMeasured, type Row, type Times } from '../record.ts'
import type { Difference, Pair, Speed } from './difference.ts'
import { duration, scientific, threeDigits } from './format.ts'
import { variantOf } from './series.ts'
import { sized } from './subject.ts'
import { textTable } from './tables.ts'

export function differenceTable({ warnings, pairs, onlyFirst, onlySecond }: Difference): string {
  return [
    warnings.map((warning) => `! ${warning}`).join('\n'),
    pairs.length === 0 ? 'No row of one record is in the other.' : `${table(pairs)}\n${summary(pairs)}`,
    only('first', onlyFirst),
    only('second', onlySecond),
  ]
    .filter((part) => part !== '')
    .join('\n\n')
}

const head = [
  'problem',
  'contender',
  'in',
  'first',
  'second',
  'times as fast',
  'quartiles of it',
  'verdict',
  'error, first',
  'second',
]

const table = (pairs: readonly Pair[]): string =>
  textTable(
    head,
    'lllrrrrlrr',
    pairs.map(({ first, second, speed }) => [
      sized(first),
      contender(first),
      first.environment,
      time(first),
      time(second),
      speed ? threeDigits(speed.ratio) : '',
      speed ? `${threeDigits(speed.low)} to ${threeDigits(speed.high)}` : '',
      speed ? verdicts[speed.verdict] : 'no figure in one',
      error(first),
      error(second),
    ]),
  )

const verdicts: Readonly<Record<Speed['verdict'], string>> = {
  faster: 'second is faster',
  slower: 'second is slower',
  undecided: 'quartiles overlap',
}

function summary(pairs: readonly Pair[]): string {
  const count = (verdict: Speed['verdict']) => pairs.filter(({ speed }) => speed?.verdict === verdict).length
  const none = pairs.filter(({ speed }) => speed === undefined).length
  return `The second is faster in ${count('faster')}, slower in ${count('slower')}, and no different beyond the spread in ${count('undecided')} of ${pairs.length} rows${none > 0 ? `; ${none} have no figure in one of the two` : ''}.`
}

function only(which: string, rows: readonly Row[]): string {
  return rows
    .map((row) => `Only in the ${which}: ${contender(row)}, ${sized(row)}, in ${row.environment}, ${time(row)}`)
    .join('\n')
}

/** Swept variants distinguish contenders; otherwise a backend may choose another each time. */
function contender(row: Row): string {
  const { name, precision, threads, sizes } = row.contender
  const swept = Object.keys(sizes ?? {}).length > 0 && variantOf(row)
  return [name, precision, threads !== undefined && `${threads} threads`, swept].filter(Boolean).join(', ')
}

function time({ outcome }: Row): string {
  return isMeasured(outcome) ? `${duration(outcome.call.median)} ± ${duration(halfSpread(outcome.call))}` : 'no figure'
}

/** Half of the distance between the quartiles. */
const halfSpread = ({ lowerQuartile, upperQuartile }: Times): number => (upperQuartile - lowerQuartile) / 2

function error({ outcome }: Row): string {
  return isMeasured(outcome) ? scientific(outcome.error.max) : ''
}
