// What `npm run bench:gpu` prints.

import type { Cuda } from './cuda.ts'
import type { CudaRow, GpuMachine, GpuRow } from './record.ts'
import type { Stage } from './stages.ts'

export function heading({ gpu, kind, driver, webgpu, node, cpu, cores }: GpuMachine): string {
  const software = kind === 'hardware' ? '' : ', which is software: these figures say nothing about a GPU'
  return `${gpu}${software}, driver ${driver ?? 'unknown'}, webgpu ${webgpu}, Node ${node}, ${cpu}, ${cores} cores`
}

export const cudaNote = ({ compiler, refused }: Cuda): string =>
  refused === undefined ? `CUDA: ${compiler}` : `No CUDA in this record: ${refused}`

export function progressLine({ what, n, plans, defaultLimits }: Stage, done: number, of: number, ms: number): string {
  const small = defaultLimits ? ', within default limits' : ''
  return `[${done + 1} of ${of}, ${Math.round(ms / 1000)} s] ${what.name}, ${n} points, ${plans.length + 1} plans${small}`
}

const columns = [
  'law',
  'points',
  'device µs',
  'wall µs',
  'Gpairs/s',
  'error',
  'spread',
  'plan (* chosen by the backend)',
]

/** The fastest first. */
export function rowLines(rows: readonly GpuRow[]): readonly string[] {
  const timeOf = ({ outcome }: GpuRow) => ('wall' in outcome ? (outcome.gpu ?? outcome.wall) : Infinity)
  return [line(columns), ...rows.toSorted((a, b) => timeOf(a) - timeOf(b)).map(rowLine)]
}

function rowLine({ law, n, variant, chosen, outcome }: GpuRow): string {
  const plan = `${chosen ? '* ' : '  '}${variant}`
  if ('refused' in outcome) return line([law, String(n), '', '', '', '', '', `${plan}: ${outcome.refused}`])
  const { gpu, wall, spread, maxError } = outcome
  return line([
    law,
    String(n),
    gpu?.toFixed(2) ?? '',
    wall.toFixed(2),
    ((n * n) / (gpu ?? wall) / 1000).toFixed(1),
    maxError?.toExponential(1) ?? '',
    `${(100 * spread).toFixed(0)}%`,
    plan,
  ])
}

export function cudaLine({ law, n, kernel, outcome }: CudaRow): string {
  if ('refused' in outcome) return line([law, String(n), '', '', '', '', '', `CUDA ${kernel}: ${outcome.refused}`])
  const rate = ((n * n) / outcome.gpu / 1000).toFixed(1)
  return line([
    law,
    String(n),
    outcome.gpu.toFixed(2),
    '',
    rate,
    outcome.maxError.toExponential(1),
    '',
    `CUDA ${kernel}`,
  ])
}

const widths = [14, 8, 12, 12, 9, 9, 6]

function line(cells: readonly string[]): string {
  return cells.map((cell, n) => (n === 0 ? cell.padEnd(14) : cell.padStart(widths[n] ?? 0))).join(' ')
}
