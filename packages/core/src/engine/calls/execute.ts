/**
 * Runs a prepared program, and adds up totals.
 *
 * @module
 */

import type { DeviceInfo, Program } from '../../backend.ts'
import type { ArrayResults, PairWorkload, Shape } from '../../workloads/workload.ts'
import { type Executed, type RunInput, rowsPerBlock } from '../results/executed.ts'

export type { Executed, RunInput }

/** Runs a program and completes its results. */
export async function execute(program: Program, input: RunInput, info: DeviceInfo): Promise<Executed> {
  const { workload, shape, bindings, early, options } = input
  if (workload.loop === 'pair' && workload.reduction === 'none' && shape.targets > rowsPerBlock(shape, info))
    return (await import('../results/matrix-rows.ts')).wholeMatrix(program, input, info)
  const results = await (early?.take(program) ?? program.run(bindings, options))
  const total = workload.loop === 'pair' && workload.total
  return { results: total ? totals(workload, shape, results) : results, report: program.report }
}

/** Adds up over targets in float64. Within one set every pair was visited twice. */
function totals(workload: PairWorkload, shape: Shape, results: ArrayResults): Record<string, number> {
  const share = shape.sameSet ? 0.5 : 1
  return Object.fromEntries(workload.results.map((name) => [name, share * sumOf(results[name] ?? [])]))
}

function sumOf(values: Iterable<number>): number {
  let total = 0
  for (const value of values) total += value
  return total
}
