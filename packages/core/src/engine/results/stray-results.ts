/**
 * One rule for results that are not finite: the report says so in its notes, with the place and the reason. A total is a single number
 * and would be lost as a whole, so there it is an error instead.
 *
 * The right answer of a reduction may be infinite, as the minimum over no sources is. Such an answer is no stray.
 *
 * @module
 */
import { looksFinite } from '../../ground/arrays/magnitudes.ts'
import type { FloatArray } from '../../ground/checks.ts'
import type { Report } from '../../ground/report.ts'
import { ruleOf } from '../../problem/reductions/table.ts'
import type { ArrayResults, Workload } from '../../problem/workloads/workload.ts'
import type { Stray } from './described-stray.ts'
import type { RunInput } from './executed.ts'

/** A matrix has as many numbers as there are pairs. Reading all of them would cost as much as computing them, so read this many. */
const mostOfMatrix = 2 ** 16

/** The first result that has numbers which are not finite. */
function strayIn(workload: Workload, results: ArrayResults): Stray | undefined {
  const rule = workload.loop === 'pair' ? ruleOf(workload) : undefined
  for (const [name, array] of Object.entries(results)) {
    if (!(array instanceof Float32Array || array instanceof Float64Array)) continue
    const many = rule?.width === 'sources' && array.length > mostOfMatrix
    if (many ? sampleLooksFinite(array) : looksFinite(array)) continue
    const isStray = (x: number) => !Number.isFinite(x) && x !== rule?.results[name]
    const index = array.findIndex(isStray)
    if (index >= 0) return { name, index, array, isStray }
  }
  return undefined
}

/** Looks at numbers spread over all rows and columns. */
function sampleLooksFinite(array: FloatArray): boolean {
  // An odd step visits all columns, even if the width of the matrix is a power of two.
  const step = Math.floor(array.length / mostOfMatrix) | 1
  let total = 0
  for (let n = 0; n < array.length; n += step) total += array[n] as number
  return Number.isFinite(total)
}

/** The report, with a note if a result is not finite. It waits only then. */
export function noted(
  report: Report,
  input: RunInput,
  results: ArrayResults,
  firstRow: number = 0,
): Report | Promise<Report> {
  const note = strayNote(input, results, report, firstRow)
  return note?.then((it) => ({ ...report, notes: [...(report.notes ?? []), it] })) ?? report
}

/** Says where a result is not finite, and why; undefined if all are. */
export function strayNote(
  input: RunInput,
  results: ArrayResults,
  { precision }: Report,
  firstRow: number = 0,
): Promise<string> | undefined {
  const stray = strayIn(input.workload, results)
  return stray && import('../with-reference.ts').then((it) => it.describedStray(input, stray, precision, firstRow))
}
