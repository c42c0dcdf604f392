/**
 * Runs a prepared program, adds up totals, and sees to it that no number leaves without a word if it is not finite.
 *
 * @module
 */

import type { DeviceInfo, Program, Report } from '../../contract/backend.ts'
import { added } from '../../ground/arrays/added.ts'
import type { Bound } from '../../problem/workloads/bind.ts'
import type { ArrayResults } from '../../problem/workloads/workload.ts'
import { type Executed, type RunInput, rowsPerBlock } from '../results/executed.ts'
import { noted, strayNote } from '../results/stray-results.ts'

/** Runs a program and completes its results. @throws RangeError for a total that is not finite */
export async function execute(program: Program, input: RunInput, info: DeviceInfo): Promise<Executed> {
  const { workload, shape, bindings, options } = input
  if (workload.loop === 'pair' && workload.reduction === 'none' && shape.targets > rowsPerBlock(shape, info))
    return (await import('../results/matrix-rows.ts')).wholeMatrix(program, input, info)
  return completed(await program.run(bindings, options), input, program.report)
}

/** The results of a device with their totals, or with a note if one is not finite. It waits only for an explanation of such numbers. */
export function completed(results: ArrayResults, bound: Bound, report: Report): Executed | Promise<Executed> {
  if (bound.workload.loop === 'pair' && bound.workload.total) return totals(bound, results, report)
  const described = noted(report, bound, results)
  return described instanceof Promise
    ? described.then((it) => ({ results, report: it }))
    : { results, report: described }
}

/** Adds up over targets in float64. Within one set every pair was visited twice. */
function totals(bound: Bound, results: ArrayResults, report: Report): Executed | Promise<Executed> {
  const share = bound.shape.sameSet ? 0.5 : 1
  const sums: Record<string, number> = {}
  for (const name of bound.workload.results) {
    const sum = share * added(results[name] ?? [])
    if (!Number.isFinite(sum)) return refused(name, sum, bound, results, report)
    sums[name] = sum
  }
  return { results: sums, report }
}

async function refused(name: string, sum: number, bound: Bound, results: ArrayResults, report: Report): Promise<never> {
  const why = (await strayNote(bound, results, report)) ?? 'the sum exceeds float64; use other units'
  throw new RangeError(`Cannot add up "${name}" to a number, got ${sum}: ${why}`)
}
