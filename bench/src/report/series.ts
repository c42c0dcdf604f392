/**
 * Groups rows by contender and names each group. A name adds the facts (environment, precision, threads, variant) that distinguish it from
 * other groups of that contender on the same problem.
 */

import { isMeasured, type Measured, type Row } from '../record.ts'

/** A contender over all problems it met. */
export interface Series {
  readonly label: string
  readonly rows: readonly Row[]
}

export type MeasuredRow = Row & { readonly outcome: Measured }

export function measured(rows: readonly Row[]): readonly MeasuredRow[] {
  return rows.filter((row): row is MeasuredRow => isMeasured(row.outcome))
}

/** The rows with a figure, the fastest first. */
export const ranked = (rows: readonly Row[]): readonly MeasuredRow[] =>
  measured(rows).toSorted((a, b) => rateOf(b) - rateOf(a))

/** Terms per second of whole calls. */
export const rateOf = ({ outcome }: MeasuredRow): number => outcome.interactionsPerSecond

export const isOurs = ({ contender }: Row): boolean => !contender.rival

/** One problem at one size: contenders are compared within it and never across. */
export function problemKey({
  problem: { name, expression, workload, targets, sources, dimension, seed },
}: Row): string {
  return JSON.stringify([name, expression, workload, targets, sources, dimension, seed])
}

/** A problem without its size. */
export function lawKey({ problem: { name, expression, workload, dimension } }: Row): string {
  return JSON.stringify([name, expression, workload, dimension])
}

/** The rows of each law, whatever their sizes. */
export const perLaw = (rows: readonly Row[]): readonly (readonly [Row, ...Row[]])[] =>
  [...groups(rows, lawKey).values()] as unknown as readonly (readonly [Row, ...Row[]])[]

/** The numbers of points, ascending. */
export const sizesIn = (rows: readonly Row[]): readonly number[] =>
  [...new Set(rows.map(({ problem }) => problem.targets))].toSorted((a, b) => a - b)

/** `workgroup 512, parts 32`, or undefined if no sizes were requested. */
function sizesOf({ contender: { sizes } }: Row): string | undefined {
  const entries = Object.entries(sizes ?? {})
  return entries.length === 0 ? undefined : entries.map(([name, size]) => `${name} ${size}`).join(', ')
}

/** `split (workgroup 512, parts 32)`, or undefined if the contender has no variants. */
export function variantOf(row: Row): string | undefined {
  const [{ variant }, sizes] = [row.contender, sizesOf(row)]
  // The names of many variants already include their sizes.
  return variant === undefined || sizes === undefined || variant.includes('(')
    ? (variant ?? sizes)
    : `${variant} (${sizes})`
}

/** Additions to a name, in the order of trying them. */
const facts: readonly ((row: Row) => string | undefined)[] = [
  ({ environment }) => environment.replace(/ \d.*$/, ''),
  ({ contender: { precision } }) => precision,
  ({ contender: { threads } }) =>
    threads === undefined ? undefined : threads === 1 ? '1 thread' : `${threads} threads`,
  // Threads are added separately.
  ({ contender: { variant } }) => variant?.replace(/, \d+ threads?$/, ''),
  sizesOf,
  ({ environment }) => environment,
]

/** The rows of each contender, in the order of the record. */
export function seriesOf(rows: readonly Row[]): readonly Series[] {
  const labels = new Map(rows.map((row) => [row, [row.contender.name]]))
  const nameOf = (row: Row) => (labels.get(row) ?? []).join(', ')
  for (const fact of facts) {
    const clashing = new Set<string>()
    for (const same of groups(rows, (row) => problemKey(row) + nameOf(row)).values()) {
      const [first, ...rest] = same
      if (first && rest.some((row) => fact(row) !== fact(first))) clashing.add(nameOf(first))
    }
    for (const row of rows) {
      const added = fact(row)
      if (added !== undefined && clashing.has(nameOf(row))) labels.get(row)?.push(added)
    }
  }
  return [...groups(rows, nameOf)].map(([label, rows]) => ({ label, rows }))
}

export function groups<T, K>(items: readonly T[], keyOf: (item: T) => K): Map<K, readonly T[]> {
  const made = new Map<K, T[]>()
  for (const item of items) {
    const key = keyOf(item)
    const group = made.get(key)
    if (group) group.push(item)
    else made.set(key, [item])
  }
  return made
}

/** `C`, `gpu.js`: contenders whose names begin alike. */
export const familyOf = ({ contender }: Row): string => contender.name.split(/[ ,]/)[0] ?? ''

/** The first contender of each family, whatever its variant: the best if they are ranked. */
export const bestOfFamilies = (ranked: readonly MeasuredRow[]): readonly MeasuredRow[] =>
  [...groups(ranked, familyOf).values()].flatMap(([best]) => (best === undefined ? [] : [best]))
