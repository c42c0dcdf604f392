/** Waiting times of a caller on a graphics card, beside CUDA with copies, from a record of `npm run bench:gpu -- calls`. */

import type { BenchmarkRecord } from '../src/record.ts'
import { threeDigits } from '../src/report/format.ts'
import { markdownTable } from '../src/report/markdown-table.ts'
import { measured } from '../src/report/series.ts'
import { lawOf, micro, ratio, rowsOf, sourceOf, wallOf } from './gpu-rows.ts'

/** Describes each contender of WebGPU and WebGL, after the name of its law. */
const words: Readonly<Record<string, string>> = {
  'webgpu, whole call': '',
  'webgpu, whole call, into': ', into an array that is there',
  'webgl, whole call': ', WebGL',
  'webgpu, simulate': ', a step of a simulation',
  'webgpu, createEngine(), cold': ', `createEngine()` before it',
  'webgpu, createEngine(), warm': ', `createEngine()` before it, shaders on disk',
  'webgpu, first call, cold': ', the first call of a process',
  'webgpu, first call, warm': ', the first call of a process, shaders on disk',
}

export function gpuCalls(record: BenchmarkRecord, link: string): string {
  const lines = Object.entries(words).flatMap(([contender, said]) =>
    measured(record.rows)
      .filter((row) => row.contender.name === contender)
      .toSorted((a, b) => order(lawOf(a)) - order(lawOf(b)) || a.problem.targets - b.problem.targets)
      .map((row) => {
        const [law, n] = [lawOf(row), row.problem.targets]
        const [cuda] =
          contender === 'webgpu, whole call' ? rowsOf(record, { law, n, contender: 'CUDA, whole call' }) : []
        const { parts } = row.outcome
        const theirs = cuda && wallOf(cuda)
        const times = [micro(wallOf(row)), micro(parts && 1000 * parts.compute.median), micro(theirs)]
        return [`${law}${said}, ${n}`, ...times, ratio(wallOf(row), theirs)]
      }),
  )
  const head = ['call, points', 'takes, µs', 'of it the device', 'CUDA, µs', 'WebGPU/CUDA']
  const hasMatrix = record.rows.some(({ problem }) => problem.workload === 'matrix' && problem.targets === widest)
  const bytes = hasMatrix ? ` The matrix of ${widest} points has ${threeDigits((4 * widest ** 2) / 2 ** 30)} GiB.` : ''
  return `${sourceOf(record, link)} Calls with copies from and to the host, CUDA's, too.${bytes}\n\n${markdownTable(head, lines)}`
}

const widest = 16384

/** Other workloads come after the laws. */
function order(law: string): number {
  const laws = ['gravity', 'coulomb', 'lennard-jones-box']
  return laws.includes(law) ? laws.indexOf(law) : laws.length
}
