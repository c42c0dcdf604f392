/**
 * Why rows have no figure, with the laws and the sizes if there are several. Equal reasons are printed once; for a contender that is too
 * slow, only the smallest problem is named.
 */

import { isMeasured, type Row } from '../record.ts'
import { isTooSlow } from '../timing/pace.ts'
import { groups, lawKey, perLaw, sizesIn, variantOf } from './series.ts'
import { subjectOf } from './subject.ts'

/** Rows of one environment with the same reason share a line. So do all sizes that are too slow for a contender and a law. */
export function refusals(rows: readonly Row[]): readonly string[] {
  const refused = rows.flatMap((row) => (isMeasured(row.outcome) ? [] : [{ row, reason: row.outcome.refused }]))
  const keyOf = ({ row, reason }: (typeof refused)[number]) => {
    const { name, precision, variant, sizes } = row.contender
    const what = isTooSlow(reason) ? [lawKey(row), name, precision, variant, sizes] : [reason]
    return JSON.stringify([row.environment, ...what])
  }
  const [laws, sizes] = [perLaw(rows).length, sizesIn(rows).length]
  return [...groups(refused, keyOf).values()].map((same) => {
    const sorted = same.toSorted((a, b) => a.row.interactions - b.row.interactions)
    const [own, reason] = [sorted.map(({ row }) => row), sorted[0]?.reason ?? '']
    const about = `${laws > 1 ? `, ${lawsOf(own)}` : ''}${sizes > 1 ? ` at ${sizesOf(own, reason)}` : ''}`
    return `No figure for ${namesOf(own)} in ${own[0]?.environment}${about}: ${reason}`
  })
}

/** The law if there is one, or the number of laws. */
function lawsOf(rows: readonly Row[]): string {
  const laws = perLaw(rows)
  return laws.length === 1 ? laws.map(([row]) => subjectOf(row)).join('') : `${laws.length} problems`
}

/** `N = 4096`, `N = 4096, 8192`. For a contender that is too slow, the smallest size is enough. */
function sizesOf(rows: readonly Row[], reason: string): string {
  const sizes = sizesIn(rows)
  return sizes.length > 1 && isTooSlow(reason) ? `N = ${sizes[0]} and more` : `N = ${sizes.join(', ')}`
}

/** The contenders, with the plans that were asked for; the first few of a long list. */
function namesOf(rows: readonly Row[]): string {
  const names = [...new Set(rows.map((row) => nameWithPlan(row)))]
  return names.length > 4 ? `${names.slice(0, 3).join('; ')} and ${names.length - 3} more` : names.join('; ')
}

const nameWithPlan = (row: Row): string =>
  row.contender.sizes ? [row.contender.name, variantOf(row)].filter(Boolean).join(' ') : row.contender.name
