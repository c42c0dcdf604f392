/**
 * Runs a prepared program, adds up totals, and sees to it that no number leaves without a word if it is not finite.
 *
 * @module
 */

import type { DeviceInfo, Program, Report } from '../../contract/backend.ts'
import { added } from '../../ground/arrays/added.ts'
import type { ArrayResults } from '../../problem/workloads/workload.ts'
import { type Executed, type RunInput, rowsPerBlock } from '../results/executed.ts'
import { wholeMatrix } from '../results/matrix-rows.ts'
import { noted, strayNote } from '../results/stray-results.ts'

export type { Executed, RunInput }

/** Runs a program and completes its results. @throws RangeError for a total that is not finite */
export async function execute(program: Program, input: RunInput, info: DeviceInfo): Promise<Executed> {
  const { workload, shape, bindings, early, options } = input
  if (workload.loop === 'pair' && workload.reduction === 'none' && shape.targets > rowsPerBlock(shape, info))
    return wholeMatrix(program, input, info)
  const results = await (early?.take(program) ?? program.run(bindings, options))
  const { report } = program
  if (workload.loop === 'pair' && workload.total) return { results: await totals(input, results, report), report }
  const described = noted(report, input, results)
  return { results, report: described instanceof Promise ? await described : described }
}

/** Adds up over targets in float64. Within one set every pair was visited twice. */
async function totals(input: RunInput, results: ArrayResults, report: Report): Promise<Record<string, number>> {
  const share = input.shape.sameSet ? 0.5 : 1
  const sums = input.workload.results.map((name) => [name, share * added(results[name] ?? [])] as const)
  const wrong = sums.find(([, sum]) => !Number.isFinite(sum))
  if (wrong) {
    const why = (await strayNote(input, results, report)) ?? 'the sum exceeds float64; use other units'
    throw new RangeError(`Cannot add up "${wrong[0]}" to a number, got ${wrong[1]}: ${why}`)
  }
  return Object.fromEntries(sums)
}
