/** The workloads other than sums of laws, by name, with suitable points or fields. */

import { cellIndex, countWithin, gradient, matrix, nearest, pairTerm, reduce, type Workload } from '@manybody/core'
import { cutoffTaskOf } from './cutoff-tasks.ts'
import { featureTaskOf } from './feature-tasks.ts'
import { nearTaskOf } from './near-tasks.ts'
import { randomFrom } from './random.ts'
import { overPoints, type Task } from './task.ts'
import { treeTaskOf } from './tree-tasks.ts'

const squared = pairTerm('r2', { name: 'squared distance' })()
const bell = pairTerm('exp(-r2)', { name: 'exp(-r2)' })()
const exponent = pairTerm('-r2', { name: '-r2' })()

const inCube = (name: string, workload: Workload) => (count: number) => overPoints(name, workload, 'cube', count)

const tasks: Readonly<Record<string, (count: number) => Task>> = {
  matrix: inCube('exp(-r2)', matrix(bell)),
  argmin: inCube('r2', reduce('argmin', squared)),
  logsumexp: inCube('-r2', reduce('logsumexp', exponent)),
  'count within 0.25': inCube('r2', countWithin(0.25)),
  'nearest(8)': inCube('r2', nearest(8)),
  // Float32 represents the edges of cells of size 1/32 exactly, so every point has one right cell.
  'cell index': inCube('32 cells an axis', cellIndex({ cells: [32, 32, 32], spacing: 1 / 32 })),
  gradient(count) {
    const edge = Math.max(1, Math.round(Math.cbrt(count)))
    return {
      name: `${edge} cells an axis`,
      workload: gradient({ cells: [edge, edge, edge], spacing: 1 }),
      dimension: 3,
      particles: (seed) => ({ field: Float32Array.from({ length: edge ** 3 }, randomFrom(seed)) }),
    }
  },
}

export const taskNames: readonly string[] = Object.keys(tasks)

/** @param name one of {@link taskNames}, or `nearest` of another number @throws RangeError with the names of all tasks */
export function taskOf(name: string, count: number): Task {
  const other =
    cutoffTaskOf(name, count) ?? nearTaskOf(name, count) ?? treeTaskOf(name, count) ?? featureTaskOf(name, count)
  if (other) return other
  const [, k] = /^nearest\((\d+)\)$/.exec(name) ?? []
  const make = k === undefined ? tasks[name] : inCube('r2', nearest(Number(k)))
  if (!make) throw new RangeError(`"task" expected one of ${taskNames.join(', ')}, got "${name}"`)
  return make(count)
}
