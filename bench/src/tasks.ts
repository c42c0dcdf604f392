/** The workloads other than sums of laws, by name, with suitable points or fields. */

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
import { pairBody } from '@manybody/core/expression'
import { nearOf } from './cutoff-tasks.ts'
import { nearTaskOf } from './near-tasks.ts'
import { seededPoints } from './points.ts'
import { randomFrom } from './random.ts'
import { treeTaskOf } from './tree-tasks.ts'

interface Made {
  /** Whether it amplifies rounding, as high powers of the distance do. */
  readonly steep?: boolean
  /** The input of the task in words: its points, its field or its law. */
  readonly name: string
  readonly workload: Workload
  /** The dimension of the points; by default 3. */
  readonly dimension?: 2 | 3
  /** The number of points of either side, if these are two sets; by default the requested number. */
  readonly targets?: number
  readonly sources?: number
  particles(seed: number): Particles
}

const squared = pairTerm('r2', { name: 'squared distance' })()
const bell = pairTerm('exp(-r2)', { name: 'exp(-r2)' })()
const exponent = pairTerm('-r2', { name: '-r2' })()

const overPoints =
  (name: string, workload: Workload) =>
  (count: number): Made => ({
    name,
    workload,
    particles: (seed) => seededPoints({ count, seed, arrangement: 'cube', attributes: [] }),
  })

const nearestTask = (k: number) => overPoints('r2', nearest(k))

const tasks: Readonly<Record<string, (count: number) => Made>> = {
  matrix: overPoints('exp(-r2)', matrix(bell)),
  argmin: overPoints('r2', reduce('argmin', squared)),
  logsumexp: overPoints('-r2', reduce('logsumexp', exponent)),
  'count within 0.25': overPoints('r2', countWithin(0.25)),
  'nearest(8)': nearestTask(8),
  // Float32 represents the edges of cells of size 1/32 exactly, so every point has one right cell.
  'cell index': overPoints('32 cells an axis', cellIndex({ cells: [32, 32, 32], spacing: 1 / 32 })),
  gradient(count) {
    const edge = Math.max(1, Math.round(Math.cbrt(count)))
    return {
      name: `${edge} cells an axis`,
      workload: gradient({ cells: [edge, edge, edge], spacing: 1 }),
      particles: (seed) => ({ field: Float32Array.from({ length: edge ** 3 }, randomFrom(seed)) }),
    }
  },
}

export const taskNames: readonly string[] = Object.keys(tasks)

/** @param name one of {@link taskNames}, or `nearest` of another number @throws RangeError with the names of all tasks */
export function taskOf(name: string, count: number): Made {
  const near = nearOf(name, count)
  if (near) {
    const { workload, dimension, arrangement, targets, sources } = near
    const { attributes } = pairBody(workload, { dimension, sameSet: true }, { guard: true })
    const names = [...new Set([...attributes.targets, ...attributes.sources])]
    const set = (count: number, seed: number) => seededPoints({ count, seed, arrangement, attributes: names })
    const particles = (seed: number) =>
      targets === sources ? set(count, seed) : { targets: set(targets, seed), sources: set(sources, seed + 1) }
    return { ...near, particles }
  }
  const beside = nearTaskOf(name, count) ?? treeTaskOf(name, count)
  if (beside) return beside
  const [, k] = /^nearest\((\d+)\)$/.exec(name) ?? []
  const make = k === undefined ? tasks[name] : nearestTask(Number(k))
  if (!make) throw new RangeError(`"task" expected one of ${taskNames.join(', ')}, got "${name}"`)
  return make(count)
}
