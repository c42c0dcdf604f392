/** The points of a problem as the rivals' loops read them, and the arrays that they fill. */

import type { ArrayResults, Dimension, PairWorkload, Precision } from '@manybody/core'
import { resultArrays } from '@manybody/core/backend'
import { bind } from '@manybody/core/judge'
import type { Problem, Sketch } from '../src/contender.ts'

export type Numbers = Float32Array | Float64Array

/** The loops that rivals implement. */
export type LoopName =
  | 'gravity'
  | 'pointGravity'
  | 'coulomb'
  | 'lennardJones'
  | 'gaussian'
  | 'planarGravity'
  | 'argmin'
  | 'logsumexp'
  | 'nearest'
  | 'matrix'

/** Laws that only trees need. For other rivals, another law has the same work. */
export const forTrees = (loop: LoopName): boolean => loop === 'pointGravity' || loop === 'planarGravity'

export interface Points {
  readonly count: number
  readonly dimension: Dimension
  /** Interleaved, `[count, dimension]`. */
  readonly position: Numbers
  /** One array for each axis. */
  readonly axes: readonly Numbers[]
  /** `[count]` each. */
  readonly attributes: Readonly<Record<string, Numbers>>
  /** Parameters of the law and of the domain: `G`, `softening`, `cutoff`, `boxX`, ... */
  readonly parameters: Readonly<Record<string, number>>
  /** The number of neighbours to keep, if any. */
  readonly k: number
}

/** @throws Error if there is no such loop */
export function loopOf({ name, task, workload }: Sketch): LoopName {
  const [law] = task.split(' in ')
  const loop = [name, task, `${law} in`].map((key) => loops[key]).find(Boolean)
  if (!loop || workload.loop !== 'pair') throw new Error(`nobody wrote a loop for ${name}, ${task}`)
  return loop
}

const loops: Readonly<Record<string, LoopName>> = {
  gravity: 'gravity',
  'point-gravity': 'pointGravity',
  'planar-gravity': 'planarGravity',
  coulomb: 'coulomb',
  'lennard-jones-box': 'lennardJones',
  gaussian: 'gaussian',
  argmin: 'argmin',
  logsumexp: 'logsumexp',
  'nearest(8)': 'nearest',
  matrix: 'matrix',
  // Sums that trees are measured by, over any set of points.
  'gravity in': 'pointGravity',
  'layout in': 'planarGravity',
}

export function pointsOf({ workload, particles, dimension }: Problem, precision: Precision): Points {
  const { shape, bindings } = bind(workload, particles)
  const Type = precision === 'f64' ? Float64Array : Float32Array
  const { position, ...attributes } = Object.fromEntries(
    Object.entries(bindings.targets.arrays).map(([name, array]) => [name, Type.from(array as Numbers)]),
  ) as Record<string, Numbers>
  const count = shape.targets
  const axes = Array.from({ length: dimension }, (_, axis) =>
    new Type(count).map((_, i) => (position as Numbers)[dimension * i + axis] as number),
  )
  const k = (workload as PairWorkload).k ?? 0
  return { count, dimension, position: position as Numbers, axes, attributes, parameters: bindings.parameters, k }
}

/** Arrays for the results of a problem, by name. */
export function resultsOf(problem: Problem, precision: Precision): ArrayResults {
  const arrays = resultArrays(problem.workload, problem.shape, precision)
  return Object.fromEntries([...arrays].map(([name, { Type, length }]) => [name, new Type(length)]))
}
