/** Waiting times of a caller on a graphics card, beside CUDA with copies, from a record of `npm run bench:gpu -- calls`. */

import { threeDigits } from '../src/report/format.ts'
import { markdownTable } from '../src/report/markdown-table.ts'
import { micro, ratio } from './gpu-blocks.ts'
import { type GpuFigure, type GpuFigures, sourceOf } from './gpu-record.ts'

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

export function gpuCalls(figures: GpuFigures, link: string): string {
  const lines = Object.entries(words).flatMap(([contender, said]) =>
    figures.rows
      .filter((row) => row.contender === contender)
      .toSorted((a, b) => order(a.law) - order(b.law) || a.n - b.n)
      .map((row) => {
        const theirs = contender === 'webgpu, whole call' ? cudaCallOf(figures, row) : undefined
        const times = [micro(row.wall), row.compute === undefined ? '' : micro(row.compute), micro(theirs)]
        return [`${row.law}${said}, ${row.n}`, ...times, ratio(row.wall, theirs)]
      }),
  )
  const head = ['call, points', 'takes, µs', 'of it the device', 'CUDA, µs', 'WebGPU/CUDA']
  const matrix = figures.rows.find(({ law, n }) => law === 'matrix' && n === widest)
  const bytes = matrix ? ` The matrix of ${widest} points has ${threeDigits((4 * widest ** 2) / 2 ** 30)} GiB.` : ''
  return `${sourceOf(figures, link)} Calls with copies from and to the host, CUDA's, too.${bytes}\n\n${markdownTable(head, lines)}`
}

const widest = 16384

/** Other workloads come after the laws. */
function order(law: string): number {
  const laws = ['gravity', 'coulomb', 'lennard-jones-box']
  return laws.includes(law) ? laws.indexOf(law) : laws.length
}

const cudaCallOf = ({ cuda }: GpuFigures, { law, n }: GpuFigure): number | undefined =>
  cuda.find((row) => row.law === law && row.n === n && row.contender === 'CUDA, whole call')?.wall
