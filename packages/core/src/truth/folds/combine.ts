/**
 * Merges partial results of disjoint source ranges into the results of one run, for devices or machines that divide the
 * sources.
 *
 * @module
 */
import type { ArrayResults } from '../../problem/reductions/rule.ts'
import { type Reduced, ruleOf } from '../../problem/reductions/table.ts'
import { definitions } from './definitions.ts'

/**
 * The results of both ranges, in new arrays. The order does not matter. Counts, indices and extremes are exactly as in one run, and
 * sums are as accurate.
 *
 * @param a results of a device, for some sources and any targets
 * @param b results for other sources and the same targets
 * @throws TypeError if the results do not belong to the workload, or differ in length
 */
export function combine(workload: Reduced, a: ArrayResults, b: ArrayResults): ArrayResults {
  const lists = ruleOf(workload).width === 'list'
  for (const name of workload.results) {
    const [here, there] = [a[name]?.length, b[name]?.length]
    const alike = here === there || (lists && name === 'index' && there !== undefined)
    if (here === undefined || !alike)
      throw new TypeError(
        `"${name}" expected two results for the same targets, got ${[here, there].map((length) => (length === undefined ? 'nothing' : `${length} numbers`)).join(' and ')}`,
      )
  }
  return definitions[workload.reduction].combine(a, b, workload)
}
