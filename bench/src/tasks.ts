/** The workloads beside the sums of laws, by name, with points or fields that suit them. */

import {
  cellIndex,
  countWithin,
  gradient,
  matrix,
  nearest,
  type Particles,
  pairTerm,
  reduce,
  type Workload,
} from '@manybody/core'
import { seededPoints } from './points.ts'
import { randomFrom } from './random.ts'

interface Made {
  /** What is computed with. */
  readonly name: string
  readonly workload: Workload
  readonly particles: Particles
}

const squared = pairTerm('r2', { name: 'squared distance' })()
const bell = pairTerm('exp(-r2)', { name: 'exp(-r2)' })()
const exponent = pairTerm('-r2', { name: '-r2' })()

const points = (count: number, seed: number): Particles =>
  seededPoints({ count, seed, arrangement: 'cube', attributes: [] })
const overPoints =
  (name: string, workload: Workload) =>
  (count: number, seed: number): Made => ({ name, workload, particles: points(count, seed) })

const tasks: Readonly<Record<string, (count: number, seed: number) => Made>> = {
  matrix: overPoints('exp(-r2)', matrix(bell)),
  argmin: overPoints('r2', reduce('argmin', squared)),
  logsumexp: overPoints('-r2', reduce('logsumexp', exponent)),
  'count within 0.25': overPoints('r2', countWithin(0.25)),
  'nearest(8)': overPoints('r2', nearest(8)),
  // Cells of 1/32 have edges that float32 holds exactly, so that every point has one right cell.
  'cell index': overPoints('32 cells an axis', cellIndex({ cells: [32, 32, 32], spacing: 1 / 32 })),
  gradient(count, seed) {
    const edge = Math.max(1, Math.floor(Math.cbrt(count)))
    const random = randomFrom(seed)
    return {
      name: `${edge} cells an axis`,
      workload: gradient({ cells: [edge, edge, edge], spacing: 1 }),
      particles: { field: Float32Array.from({ length: edge ** 3 }, random) },
    }
  },
}

/** @throws RangeError naming the tasks that there are */
export function taskOf(name: string, count: number, seed: number): Made {
  const make = tasks[name]
  if (!make) throw new RangeError(`"task" expected one of ${Object.keys(tasks).join(', ')}, got "${name}"`)
  return make(count, seed)
}
