/**
 * Makes the problem of a command: a law by name or as typed, or another workload, with seeded points. A spec is plain data, so that a page
 * can make the same problem.
 */

import type { Shape } from '@manybody/core'
import { bind } from '@manybody/core/judge'
import type { Problem, Sketch } from './contender.ts'
import { lawTask, typedTask } from './laws.ts'
import type { ProblemInfo } from './record.ts'
import type { Task } from './task.ts'
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
  const particles = made.particles(spec.seed)
  return { ...completed(made, bind(made.workload, particles).shape, spec), particles }
}

/** The problem without its points, which may be too many to make. */
export function sketchOf(spec: ProblemSpec): Sketch {
  const made = madeOf(spec)
  const { workload, dimension, features } = made
  const { count } = spec
  const [targets, sources] =
    workload.loop === 'grid'
      ? [cellsIn(workload.grid.cells), 0]
      : [made.targets ?? count, workload.loop === 'pair' ? (made.sources ?? count) : 0]
  const sameSet = made.targets === made.sources
  const points = features ? { vectors: [], lengths: { x: features } } : { vectors: ['position'] }
  return completed(made, { dimension, targets, sources, sameSet, ...points }, spec)
}

const cellsIn = (cells: readonly number[]): number => cells.reduce((product, n) => product * n, 1)

interface Made extends Task, Pick<Sketch, 'task' | 'expression'> {}

function madeOf({ what, count }: ProblemSpec): Made {
  if ('task' in what) return { ...taskOf(what.task, count), task: what.task }
  return 'law' in what ? lawTask(what.law, count) : { ...typedTask(what.expression, count), ...what }
}

function completed(
  { name, task, expression, workload, features, steep = false }: Made,
  shape: Shape,
  { seed }: ProblemSpec,
): Sketch {
  const { dimension, targets, sources } = shape
  const interactions = workload.loop === 'pair' ? targets * sources : targets
  const about = { name, task, steep, ...(expression === undefined ? {} : { expression }) }
  return { ...about, workload, shape, features, targets, sources, interactions, dimension, seed }
}

/** The description of a problem in a record. */
export function infoOf({ name, expression, task, targets, sources, dimension, features, seed }: Sketch): ProblemInfo {
  const about = { name, workload: task, targets, sources, dimension, seed }
  return { ...about, ...(expression !== undefined && { expression }), ...(features !== undefined && { features }) }
}
