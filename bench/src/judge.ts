/**
 * Compares answers with the float64 reference over a sample of targets. A wrong answer gets no figure.
 */

import type { ArrayResults, PairWorkload, Precision, Workload } from '@manybody/core'
import { makesLists } from '@manybody/core/backend'
import {
  type Bound,
  bind,
  type ErrorNorms,
  errorBound,
  errorNorms,
  listAt,
  listsIn,
  steepFloor,
  truthOf,
} from '@manybody/core/judge'
import type { Entry, Problem } from './contender.ts'
import type { ErrorFigures } from './record.ts'

/** The results of an entry are wrong. */
export class WrongAnswerError extends Error {
  override readonly name = 'WrongAnswerError'

  constructor(fault: string) {
    super(`${wrong}${fault}`)
  }
}

const wrong = 'wrong answer: '

/** Whether a row has no figure because its answer was wrong. */
export const isWrongAnswer = (reason: string): boolean => reason.startsWith(wrong)

/** The truth about some targets of one problem, computed once for all entries. */
export interface Judge {
  /** The error of an entry's latest results. @throws WrongAnswerError */
  judge(entry: Pick<Entry, 'accuracy' | 'approximate' | 'tolerance' | 'told' | 'results'>): Promise<ErrorFigures>
}

export function judgeOf({ workload, particles, targets, sources, features, steep }: Problem): Judge {
  const bound = bind(workload, particles)
  const sample =
    workload.loop === 'pair' ? sampleOf(targets, sources, features) : Array.from({ length: targets }, (_, t) => t)
  const known = new Map<Precision, Truth>()
  const truthAt = (precision: Precision): Truth => {
    const truth = known.get(precision) ?? truthOf(workload, bound.shape, bound.bindings, { targets: sample, precision })
    known.set(precision, truth)
    return truth
  }
  return {
    async judge(entry) {
      const { accuracy, approximate } = entry
      const truth = truthAt(accuracy.precision)
      const allowed = errorBound(accuracy, sources, steep ? steepFloor : undefined)
      const all = await entry.results()
      if (makesLists(workload)) {
        checkLists(all as ArrayResults, truth.results, sample)
        return { max: 0, accumulation: accuracy.accumulation, bound: allowed, sampled: sample.length }
      }
      const norms = Object.entries(truth.results).map(([name, expected]): ErrorNorms => {
        const given = picked(name, all[name], sample, targets, expected.length)
        if (expected instanceof Float32Array || expected instanceof Float64Array)
          return judgeNumbers(name, given, expected, scaleOf(name, truth, workload), approximate ? Infinity : allowed)
        checkIndices(name, given, expected, (place, index, right) => {
          if (workload.loop !== 'pair') return false
          const target = sample[Math.floor((place * sample.length) / expected.length)] ?? -1
          return isTie(bound, workload, target, [index, right], allowed)
        })
        return { max: 0, p99: 0, median: 0, symmetricMedian: 0 }
      })
      const worst = norms.reduce((a, b) => (b.max > a.max ? b : a))
      return {
        max: worst.max,
        median: worst.median,
        p99: worst.p99,
        accumulation: accuracy.accumulation,
        bound: approximate === undefined ? allowed : null,
        ...(approximate === undefined ? {} : { approximate }),
        sampled: sample.length,
      }
    },
  }
}

type Truth = ReturnType<typeof truthOf>

/** The most terms that the reference evaluates for one judge: they take about a second. So many features take as long as the rest of a term. */
const [affordable, featuresOfTerm] = [4e6, 10]
const mostTargets = 256

/** Targets spread evenly from the first to the last. */
function sampleOf(targets: number, sources: number, features = 0): readonly number[] {
  const terms = Math.max(1, sources) * (1 + features / featuresOfTerm)
  const count = Math.min(targets, mostTargets, Math.max(8, Math.floor(affordable / terms)))
  return Array.from({ length: count }, (_, n) => (count > 1 ? Math.round((n * (targets - 1)) / (count - 1)) : 0))
}

/** The results of the sampled targets. @throws WrongAnswerError */
function picked(
  name: string,
  all: ArrayLike<number> | undefined,
  sample: readonly number[],
  targets: number,
  expected: number,
): readonly number[] {
  const width = expected / Math.max(1, sample.length)
  if (all?.length !== targets * width)
    throw new WrongAnswerError(`${name} expected ${targets * width} numbers, got ${all?.length ?? 'nothing'}`)
  for (let n = 0; n < all.length; n++)
    if (Number.isNaN(all[n])) throw new WrongAnswerError(`${name} of target ${Math.floor(n / width)} is not a number`)
  return sample.flatMap((t) => Array.from({ length: width }, (_, c) => all[t * width + c] as number))
}

/** Each number of a matrix is judged alone; otherwise the numbers of a target are judged together. */
function scaleOf(name: string, { results, scales }: Truth, workload: Workload): ArrayLike<number> {
  const scale = scales[name] ?? new Float64Array(0)
  if (workload.loop !== 'pair' || workload.reduction !== 'none') return scale
  return new Float64Array(results[name]?.length ?? 0).fill(scale[0] ?? 1)
}

function judgeNumbers(
  name: string,
  given: readonly number[],
  expected: ArrayLike<number>,
  scale: ArrayLike<number>,
  allowed: number,
): ErrorNorms {
  const norms = errorNorms(given, expected, scale)
  if (norms.max <= allowed && norms.max < Infinity) return norms
  throw new WrongAnswerError(
    `${name} is off by ${norms.max.toExponential(1)} of its terms (median ${norms.median.toExponential(1)}), allowed is ${allowed.toExponential(1)}`,
  )
}

/** Lists of neighbours are right or wrong as a whole. */
function checkLists(given: ArrayResults, expected: ArrayResults, sample: readonly number[]): void {
  for (const [row, target] of sample.entries()) {
    const [got, right] = [listAt(listsIn(given), target), listAt(listsIn(expected), row)]
    if (got.length !== right.length || right.some((source, n) => got[n] !== source))
      throw new WrongAnswerError(`the list of target ${target} expected ${right.join(' ')}, got ${got.join(' ')}`)
  }
}

function checkIndices(
  name: string,
  given: readonly number[],
  expected: ArrayLike<number>,
  isTie: (place: number, index: number, right: number) => boolean,
): void {
  for (const [place, index] of given.entries()) {
    const right = expected[place] as number
    if (index !== right && !isTie(place, index, right))
      throw new WrongAnswerError(`${name} at place ${place} of the sample expected ${right}, got ${index}`)
  }
}

/** Whether float32 cannot distinguish the terms of two sources of a target, so that either is right. */
function isTie(
  { shape, bindings }: Bound,
  workload: PairWorkload,
  target: number,
  indices: readonly [number, number],
  allowed: number,
): boolean {
  if (shape.sameSet && indices.includes(target)) return false
  const row = truthOf({ ...workload, results: ['value'], reduction: 'none' }, shape, bindings, { targets: [target] })
  const [a, b] = indices.map((index) => row.results.value?.[index] ?? Number.NaN) as [number, number]
  return Math.abs(a - b) <= allowed * Math.max(Math.abs(a), Math.abs(b))
}
