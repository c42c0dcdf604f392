/** Remarks on the contenders of one problem: rivals that are faster than we are, and methods that approximate by design. */

import type { Row } from '../record.ts'
import { nameOf } from './columns.ts'
import { scientific, threeDigits } from './format.ts'
import { bestOfFamilies, isOurs, ranked, rateOf } from './series.ts'

export function remarks(rows: readonly Row[]): readonly string[] {
  const lost = loss(rows)
  const approximate = ranked(rows).flatMap(({ contender, outcome: { error } }) =>
    error.approximate === undefined
      ? []
      : [`${nameOf(contender)} is approximate, off by up to ${scientific(error.max)}: ${error.approximate}.`],
  )
  return [...(lost === undefined ? [] : [`We lose: ${lost}.`]), ...approximate]
}

/** The rivals that beat our best, the fastest of each family: `C is 2.32 times as fast as our best, cpu-wasm`. */
export function loss(rows: readonly Row[]): string | undefined {
  const among = ranked(rows)
  const ours = among.find(isOurs)
  const [first, ...rest] = bestOfFamilies(among.filter((row) => !isOurs(row) && ours && rateOf(row) > rateOf(ours)))
  if (!ours || !first) return undefined
  const times = (row: typeof first) => `${threeDigits(rateOf(row) / rateOf(ours))} times`
  const others = rest.map((row) => `; ${nameOf(row.contender)} ${times(row)}`).join('')
  return `${nameOf(first.contender)} is ${times(first)} as fast as our best, ${nameOf(ours.contender)}${others}`
}
