/**
 * Judges sums over many points by some of the targets: with a tolerance by the 99th percentile of their errors, others by the largest.
 * Nothing promises errors relative to the sums, so these are printed, not judged.
 */

import type { PairWorkload } from '@manybody/core'
import { errorBound } from '@manybody/core/judge'
import type { Problem } from '../contender.ts'
import { type Judge, WrongAnswerError } from '../judge.ts'
import { scientific } from '../report/format.ts'
import { type ErrorUnit, extremesOf, type TrueSums, trueSums } from './errors.ts'

/** @param targets how many are compared, spread over all */
export function sumsJudge(
  { workload, particles, sources }: Problem,
  targets: number,
  unit: ErrorUnit = 'terms',
): Judge {
  const unjudged = unit === 'sums' ? 'its error is relative to the median size of the sums' : undefined
  let truth: Promise<TrueSums> | undefined
  return {
    async judge({ accuracy, approximate = unjudged, tolerance, told, results }) {
      const [sums] = Object.values(await results())
      truth ??= trueSums(workload as PairWorkload, particles, targets, unit)
      const errors = (await truth).errorsOf(sums as ArrayLike<number>)
      const { p99, largest } = extremesOf(errors)
      const allowed = tolerance ?? errorBound(accuracy, sources)
      const [error, of] = tolerance === undefined ? [largest, 'a target is off'] : [p99, '99 % of the targets are off']
      if (approximate === undefined && !(error <= allowed))
        throw new WrongAnswerError(`${of} by ${scientific(error)}, allowed is ${scientific(allowed)}`)
      const median = errors[errors.length >> 1] as number
      return {
        ...{ max: largest, median, p99, accumulation: accuracy.accumulation, sampled: errors.length },
        ...(told === undefined ? {} : { told }),
        ...(approximate === undefined ? { bound: allowed } : { bound: null, approximate }),
      }
    },
  }
}
