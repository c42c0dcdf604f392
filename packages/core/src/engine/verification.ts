/**
 * The outcome of a check of results: errors and bounds, for each target and overall.
 *
 * @module
 */
import type { Report } from '../contract/backend.ts'
import { ruleOf } from '../problem/reductions/table.ts'
import type { ArrayResults, Workload } from '../problem/workloads/workload.ts'
import { type ErrorNorms, errorNorms, quantiles } from '../truth/error-analysis/error-norms.ts'
import type { Judged } from '../truth/error-analysis/judging.ts'
import type { Truth } from './truth.ts'

/** One compared target, with the result that is closest to its bound, or farthest beyond it. */
export interface VerifiedTarget {
  readonly target: number
  readonly result: string
  /** The distance from the reference, in the unit of the result; for a vector, the length of the difference. */
  readonly error: number
  /** The largest error that rounding can cause here. Infinite if rounding decides everything, as at a pole. */
  readonly bound: number
  /** The scale of relative errors: the sum of |terms|, or the largest number of the result; 1 if that is 0. */
  readonly scale: number
  readonly ok: boolean
}

/** Norms of errors relative to their scale, over the targets of the result that is closest to its bounds. */
export interface Verification extends ErrorNorms {
  /** The number of targets compared. */
  readonly sampled: number
  /** The relative bound of the target with the error `max`, or of a target that exceeds its bound. */
  readonly bound: number
  /** Whether every target is within its bound. */
  readonly ok: boolean
  /** The target that is closest to its bound, or farthest beyond it; undefined without targets. */
  readonly worst: VerifiedTarget | undefined
  /** Every compared target. */
  readonly targets: readonly VerifiedTarget[]
  readonly report: Report
}

/** The compared results and their truth. The arrays hold only the compared targets. */
interface Compared {
  readonly workload: Workload
  readonly targets: readonly number[]
  readonly results: ArrayResults
  readonly truth: Truth
  readonly report: Report
}

/** @param judged one entry for each target, by result */
export function verificationOf(judged: readonly Readonly<Record<string, Judged>>[], compared: Compared): Verification {
  const { targets, truth, report, results } = compared
  const of = (name: string) => judged.map((one, row) => summary(one[name] as Judged, name, row, compared))
  const byResult = Object.keys(truth.results).map(of)
  const nearest = (a: VerifiedTarget, b: VerifiedTarget) => (closeness(b) > closeness(a) ? b : a)
  const every = targets.map((_, row) => byResult.map((rows) => rows[row] as VerifiedTarget).reduce(nearest))
  const sampled = targets.length
  const norms = { median: 0, p99: 0, max: 0, symmetricMedian: 0 }
  const [first, ...others] = every
  if (!first) return { ...norms, sampled, bound: 0, ok: true, worst: undefined, targets: every, report }
  const worst = others.reduce(nearest, first)
  const rows = byResult.find(([row]) => row?.result === worst.result) ?? []
  const errors = rows.map((row) => row.error / row.scale)
  const { max } = quantiles(errors)
  const about = worst.ok ? (rows[errors.indexOf(max)] as VerifiedTarget) : worst
  const expected = truth.results[worst.result] ?? []
  const { symmetricMedian } = errorNorms(
    results[worst.result] ?? [],
    expected,
    new Float64Array(targets.length).fill(1),
  )
  return {
    ...quantiles(errors),
    symmetricMedian,
    ...{ sampled, bound: about.bound / about.scale, ok: worst.ok, worst, targets: every, report },
  }
}

/** The check of a vector from those of its blocks of components, for the same targets. */
export function joinedVerification(blocks: readonly Verification[], report: Report): Verification {
  const [first] = blocks as readonly [Verification]
  const every = first.targets.map((_, row): VerifiedTarget => {
    const parts = blocks.map(({ targets }) => targets[row] as VerifiedTarget)
    const wrong = parts.filter(({ ok }) => !ok)
    if (wrong.length > 0) return wrong.reduce((a, b) => (closeness(b) > closeness(a) ? b : a))
    const along = (number: 'error' | 'bound' | 'scale') => Math.hypot(...parts.map((part) => part[number]))
    return { ...(parts[0] as VerifiedTarget), error: along('error'), bound: along('bound'), scale: along('scale') }
  })
  const symmetricMedian = Math.max(...blocks.map((block) => block.symmetricMedian))
  const worst = every.reduce<VerifiedTarget | undefined>(
    (a, b) => (a && closeness(a) >= closeness(b) ? a : b),
    undefined,
  )
  const errors = every.map(({ error, scale }) => error / scale)
  const norms = every.length > 0 ? quantiles(errors) : { median: 0, p99: 0, max: 0 }
  const about = worst?.ok ? every[errors.indexOf(norms.max)] : worst
  return {
    ...{ ...norms, symmetricMedian, sampled: first.sampled, targets: every, worst, report },
    bound: about ? about.bound / about.scale : 0,
    ok: worst?.ok ?? true,
  }
}

/** The error divided by its bound; above 1, the error exceeds the bound. */
function closeness({ error, bound, ok }: VerifiedTarget): number {
  if (error === 0) return 0
  return ok && bound === Number.POSITIVE_INFINITY ? 0 : error / bound
}

/** One result of a target: a vector as a whole if it is within its bounds, otherwise the number farthest beyond. */
function summary({ errors, bounds }: Judged, result: string, row: number, compared: Compared): VerifiedTarget {
  const { workload, targets, truth } = compared
  const numbers = Array.from(errors, (error, n) => ({
    error,
    bound: bounds[n] as number,
    ok: error <= (bounds[n] as number),
  }))
  const ok = numbers.every((n) => n.ok)
  const scale = scaleOf(result, row, truth) || 1
  const rest = { target: targets[row] as number, result, scale, ok }
  const summed = workload.loop === 'pair' && ruleOf(workload).linear
  if (summed && ok) return { ...rest, error: Math.hypot(...errorsOf(numbers)), bound: Math.hypot(...boundsOf(numbers)) }
  const [first = { error: 0, bound: 0, ok }, ...others] = numbers
  const part = (n: { error: number; bound: number; ok: boolean }) => closeness({ ...rest, ...n })
  return { ...rest, ...others.reduce((a, b) => (part(b) > part(a) ? b : a), first), ok }
}
const errorsOf = (numbers: readonly { readonly error: number }[]) => numbers.map((n) => n.error)
const boundsOf = (numbers: readonly { readonly bound: number }[]) => numbers.map((n) => n.bound)

/** The unit of an error: for an index, the terms that it chooses from; for counts and cells, 1. */
function scaleOf(result: string, row: number, { results, scales }: Truth): number {
  if (!isWhole(results[result])) return scales[result]?.[row] ?? 1
  const measured = Object.keys(results).find((name) => !isWhole(results[name]))
  return measured === undefined ? 1 : (scales[measured]?.[row] ?? 1)
}
const isWhole = (array: ArrayResults[string] | undefined) => array instanceof Int32Array || array instanceof Uint32Array
