/**
 * Folds the float32 terms of one target, already computed, into its results.
 *
 * @module
 */
import type { ArrayResults, PairWorkload, Reduction } from '@manybody/core'

export interface FoundTerm {
  readonly j: number
  readonly term: readonly number[]
}

/** Results of one target by name. */
export type Row = Readonly<Record<string, readonly number[]>>

/** The earlier results of one target; undefined at first. */
export function rowOf(initial: ArrayResults | undefined, row: number, rows: number): Row | undefined {
  if (initial === undefined) return undefined
  return Object.fromEntries(
    Object.entries(initial).map(([name, array]) => {
      const width = array.length / rows
      return [name, [...array.slice(row * width, (row + 1) * width)]]
    }),
  )
}

export interface FoldContext {
  readonly workload: PairWorkload
  readonly components: number
  readonly sources: number
  /** The factor of a sum. */
  readonly scale: number
}

export function foldTerms(context: FoldContext, found: readonly FoundTerm[], before: Row | undefined): Row {
  return folds[context.workload.reduction](found, before, context)
}

type FoldOf = (found: readonly FoundTerm[], before: Row | undefined, context: FoldContext) => Row

const folds: { readonly [R in Reduction]: FoldOf } = {
  sum: (found, before, context) => summed(context, found, before),
  count: (found, before) => ({ count: [(before?.count?.[0] ?? 0) + found.length] }),
  min: (found, before) => extreme(1, false, found, before),
  max: (found, before) => extreme(-1, false, found, before),
  argmin: (found, before) => extreme(1, true, found, before),
  argmax: (found, before) => extreme(-1, true, found, before),
  logsumexp: (found, before) => ({ value: [logSumExp([...(before?.value ?? []), ...found.map(first)])] }),
  smallest: (found, before, { workload }) => smallest(workload.k ?? 1, found, before),
  none: (found, before, { sources }) => ({ value: scattered(sources, found, before) }),
}

const first = ({ term }: FoundTerm): number => term[0] as number

function summed(
  { workload, components, scale }: FoldContext,
  found: readonly FoundTerm[],
  before: Row | undefined,
): Row {
  const name = workload.results[0] as string
  const totals = Array.from({ length: components }, (_, c) => {
    const sum = found.reduce((total, { term }) => total + (term[c] as number), 0)
    return Math.fround((before?.[name]?.[c] ?? 0) + Math.fround(scale * Math.fround(sum)))
  })
  return { [name]: totals }
}

function logSumExp(values: readonly number[]): number {
  const most = Math.max(...values)
  if (most === Number.NEGATIVE_INFINITY) return most
  return most + Math.log(values.reduce((sum, value) => sum + Math.fround(Math.exp(value - most)), 0))
}

function smallest(k: number, found: readonly FoundTerm[], before: Row | undefined): Row {
  const earlier = (before?.index ?? []).map((j, n) => ({ j, distance: before?.distance?.[n] as number }))
  const now = found.map((one) => ({ j: one.j, distance: Math.fround(Math.sqrt(first(one))) }))
  const none = Array.from({ length: k }, () => ({ j: -1, distance: Number.POSITIVE_INFINITY }))
  const kept = [...earlier.filter(({ j }) => j >= 0), ...now].sort((a, b) => a.distance - b.distance)
  const all = [...kept, ...none].slice(0, k)
  return { index: all.map(({ j }) => j), distance: all.map(({ distance }) => distance) }
}

function scattered(sources: number, found: readonly FoundTerm[], before: Row | undefined): readonly number[] {
  const value = [...(before?.value ?? Array<number>(sources).fill(0))]
  for (const one of found) value[one.j] = first(one)
  return value
}

function extreme(sign: 1 | -1, indexed: boolean, found: readonly FoundTerm[], before: Row | undefined): Row {
  let index = before?.index?.[0] ?? -1
  let value = before?.value?.[0] ?? sign * Number.POSITIVE_INFINITY
  for (const one of found) {
    if (!(sign * first(one) < sign * value)) continue
    value = first(one)
    index = one.j
  }
  return indexed ? { index: [index], value: [value] } : { value: [value] }
}
