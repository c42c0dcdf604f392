/** Near points on a graphics card beside CUDA with cells and Verlet lists, from a record of `npm run bench:gpu -- near`. */

import type { BenchmarkRecord } from '../src/record.ts'
import { markdownTable } from '../src/report/markdown-table.ts'
import { groups, measured } from '../src/report/series.ts'
import { fastestOf, lawOf, micro, ratio, sourceOf, timeOf } from './gpu-rows.ts'

/** A workload that only these records have. */
export const nearWorkload = 'steps of a liquid'

export function gpuNear(record: BenchmarkRecord, link: string): string {
  const problems = groups(measured(record.rows), (row) => `${lawOf(row)}, ${row.problem.targets}`)
  const lines = [...problems].map(([problem, rows]) => {
    const [ours, theirs] = [false, true].map((rival) =>
      fastestOf(rows.filter((row) => !!row.contender.rival === rival)),
    )
    const kernel = rows.find((row) => row.contender.rival && timeOf(row) === theirs)?.contender.variant ?? ''
    return [problem, micro(ours), micro(theirs), kernel, ratio(theirs, ours)]
  })
  const head = ['problem, points', 'WebGPU, µs', 'CUDA, µs', 'its kernel', 'CUDA/WebGPU']
  const said = "Both on the device's clock, but for our steps, which have none."
  return `${sourceOf(record, link)} ${said}\n\n${markdownTable(head, lines)}`
}
