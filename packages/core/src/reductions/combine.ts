/**
 * Merges partial results of disjoint source ranges into the results of one run, for devices or machines that divide the
 * sources. It is apart from the table of rules so that a page which never combines does not load it.
 *
 * @module
 */
import { combineArgmax } from './argmax.ts'
import { combineArgmin } from './argmin.ts'
import { combineCount } from './count.ts'
import { combineLogSumExp } from './logsumexp.ts'
import { combineMax } from './max.ts'
import { combineMin } from './min.ts'
import { combineNone } from './none.ts'
import type { ArrayResults, Combine } from './rule.ts'
import { combineSmallest } from './smallest.ts'
import { combineSum } from './sum.ts'
import { type Reduced, type Reduction, ruleOf } from './table.ts'

const combines: Readonly<Record<Reduction, Combine>> = {
  sum: combineSum,
  min: combineMin,
  max: combineMax,
  argmin: combineArgmin,
  argmax: combineArgmax,
  logsumexp: combineLogSumExp,
  count: combineCount,
  smallest: combineSmallest,
  none: combineNone,
}

/**
 * The results of both ranges, in new arrays. The order does not matter. Counts, indices and extremes are those of one run, and
 * sums are as accurate.
 *
 * @param a results of a device, for some sources and any targets
 * @param b results for other sources and the same targets
 * @throws TypeError if the results are not those of the workload, or differ in length
 */
export function combine(workload: Reduced, a: ArrayResults, b: ArrayResults): ArrayResults {
  ruleOf(workload)
  for (const name of workload.results) {
    const [here, there] = [a[name]?.length, b[name]?.length]
    if (here === undefined || here !== there)
      throw new TypeError(
        `"${name}" expected two results for the same targets, got ${[here, there].map((length) => (length === undefined ? 'nothing' : `${length} numbers`)).join(' and ')}`,
      )
  }
  return combines[workload.reduction](a, b, workload)
}
