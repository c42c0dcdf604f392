/**
 * Makes the problem of a command: a law by name or as typed, or another workload, with seeded points. A spec is plain data, so that a page
 * can make the same problem.
 */

import type { Dimension, Particles, Shape, Workload } from '@manybody/core'
import { pairBody } from '@manybody/core/expression'
import { bind } from '@manybody/core/judge'
import type { Problem, Sketch } from './contender.ts'
import { lawFrom, lawOf } from './laws.ts'
import { seededPoints } from './points.ts'
import type { ProblemInfo } from './record.ts'
import { taskOf } from './tasks.ts'

export interface ProblemSpec {
  readonly what: { readonly law: string } | { readonly expression: string } | { readonly task: string }
  /** Points, or cells of a grid (then rounded down to a cube). */
  readonly count: number
  readonly seed: number
}

/** @throws RangeError, ExpressionError for a law that does not exist or does not parse */
export function problemOf(spec: ProblemSpec): Problem {
  const made = madeOf(spec)
  const particles = made.particles()
  return { ...completed(made, bind(made.workload, particles).shape, spec), particles }
}

/** The problem without its points, which may be too many to make. */
export function sketchOf(spec: ProblemSpec): Sketch {
  const made = madeOf(spec)
  const { workload, dimension } = made
  const { count } = spec
  const [targets, sources] =
    workload.loop === 'grid'
      ? [cellsIn(workload.grid.cells), 0]
      : [made.targets ?? count, workload.loop === 'pair' ? (made.sources ?? count) : 0]
  const sameSet = made.targets === made.sources
  return completed(made, { dimension, targets, sources, sameSet, vectors: ['position'] }, spec)
}

const cellsIn = (cells: readonly number[]): number => cells.reduce((product, n) => product * n, 1)

interface Made {
  readonly about: Pick<Sketch, 'name' | 'task' | 'steep' | 'expression'>
  readonly workload: Workload
  readonly dimension: Dimension
  readonly targets?: number | undefined
  readonly sources?: number | undefined
  particles(): Particles
}

function madeOf({ what, count, seed }: ProblemSpec): Made {
  if ('task' in what) {
    const { name, particles, steep = false, dimension = 3, ...made } = taskOf(what.task, count)
    const about = { name, task: what.task, steep }
    return { ...made, about, dimension, particles: () => particles(seed) }
  }
  const law = 'law' in what ? lawOf(what.law, count) : lawFrom(what.expression)
  const { name, expression, steep } = law
  const { task, workload } = law.task
  return {
    about: { name, task, steep, ...(expression === undefined ? {} : { expression }) },
    workload,
    dimension: law.points === 'square' ? 2 : 3,
    particles: () => seededPoints({ count, seed, arrangement: law.points, attributes: attributesOf(workload) }),
  }
}

function completed({ about, workload }: Made, shape: Shape, { seed }: ProblemSpec): Sketch {
  const { dimension, targets, sources } = shape
  const interactions = workload.loop === 'pair' ? targets * sources : targets
  return { ...about, workload, shape, targets, sources, interactions, dimension, seed }
}

/** The attributes that a workload reads besides positions. */
function attributesOf(workload: Workload): readonly string[] {
  if (workload.loop !== 'pair') return []
  const { targets, sources } = pairBody(workload, { dimension: 3, sameSet: true }, { guard: true }).attributes
  return [...new Set([...targets, ...sources])]
}

/** The description of a problem in a record. */
export function infoOf({ name, expression, task, targets, sources, dimension, seed }: Sketch): ProblemInfo {
  const about = { name, workload: task, targets, sources, dimension, seed }
  return expression === undefined ? about : { ...about, expression }
}
