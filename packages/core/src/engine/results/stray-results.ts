/**
 * One rule for results that are not finite: the report says so in its notes, with the place and the reason. A total is a single number
 * and would be lost as a whole, so there it is an error instead.
 *
 * The right answer of a reduction may be infinite, as the minimum over no sources is. Such an answer is no stray.
 *
 * @module
 */
import type { FloatArray } from '../../ground/checks.ts'
import type { Report } from '../../ground/report.ts'
import { looksFinite, ruleOf } from '../../problem/loaded-at-once.ts'
import type { Bound } from '../../problem/workloads/bind.ts'
import type { ArrayResults, Workload } from '../../problem/workloads/workload.ts'
import type { Stray } from './described-stray.ts'

/** A matrix has as many numbers as there are pairs. Reading all of them would cost as much as computing them, so read this many. */
const mostOfMatrix = 2 ** 16

/** The first result that has numbers which are not finite. */
function strayIn(workload: Workload, results: ArrayResults): Stray | undefined {
  for (const name in results) {
    const array = results[name]
    if (!(array instanceof Float32Array || array instanceof Float64Array)) continue
    const many = array.length > mostOfMatrix && workload.loop === 'pair' && workload.reduction === 'none'
    if (many ? sampleLooksFinite(array) : looksFinite(array)) continue
    const stray = firstStray(workload, name, array)
    if (stray) return stray
  }
  return undefined
}

function firstStray(workload: Workload, name: string, array: FloatArray): Stray | undefined {
  const rule = workload.loop === 'pair' ? ruleOf(workload) : undefined
  const isStray = (x: number) => !Number.isFinite(x) && x !== rule?.results[name]
  const index = array.findIndex(isStray)
  return index >= 0 ? { name, index, array, isStray } : undefined
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
  bound: Bound,
  results: ArrayResults,
  firstRow: number = 0,
): Report | Promise<Report> {
  const note = strayNote(bound, results, report, firstRow)
  return note !== undefined ? withNote(report, note) : report
}

async function withNote(report: Report, note: Promise<string>): Promise<Report> {
  // The next run may have written its numbers into the report before the note is there.
  const own = { ...report, timings: { ...report.timings } }
  return { ...own, notes: [...(report.notes ?? []), await note] }
}

/** Says where a result is not finite, and why; undefined if all are. */
export function strayNote(
  bound: Bound,
  results: ArrayResults,
  { precision }: Report,
  firstRow: number = 0,
): Promise<string> | undefined {
  const stray = strayIn(bound.workload, results)
  return stray && import('../with-reference.ts').then((it) => it.describedStray(bound, stray, precision, firstRow))
}
