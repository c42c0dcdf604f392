/**
 * From what a command asks for to a problem: a law by name or as typed, or another workload; seeded points or points
 * from a file. A spec is plain data, so that a page can make the same problem.
 */

import type { Dimension, ParticleSet, Particles, Shape, Workload } from '@manybody/core'
import { bind, pairBody } from '@manybody/core/backend'
import type { Problem, Sketch } from './contender.ts'
import { lawFrom, lawOf, type NamedLaw } from './laws.ts'
import { seededPoints } from './points.ts'
import type { ProblemInfo } from './record.ts'
import { taskOf } from './tasks.ts'

export interface ProblemSpec {
  readonly what: { readonly law: string } | { readonly expression: string } | { readonly task: string }
  /** Points, or cells of a grid (then rounded down to a cube). */
  readonly count: number
  readonly seed: number
  /** Points from a file, in place of seeded ones. */
  readonly points?: PointsFile
}

/** Points as a file gave them; plain numbers, so that they cross to a page as JSON. */
export interface PointsFile {
  readonly name: string
  readonly dimension: Dimension
  /** `position`, `[count, dimension]`, and attributes, `[count]`. */
  readonly arrays: Readonly<Record<string, readonly number[]>>
}

/**
 * @throws RangeError, ExpressionError for a law that is not there or does not parse
 * @throws TypeError if a file lacks what the law reads
 */
export function problemOf(spec: ProblemSpec): Problem {
  const { what, count, seed, points } = spec
  if ('task' in what) {
    const { workload, particles, name } = taskOf(what.task, count)
    return completed({ name, task: what.task, steep: false }, workload, particles(seed), seed)
  }
  const law = namedLaw(what, count)
  const { task, workload } = law.task
  const particles = points
    ? fromFile(points, attributesOf(workload), law.name)
    : seededPoints({ count, seed, arrangement: law.points, attributes: attributesOf(workload) })
  const about = { name: law.name, task, steep: law.steep }
  return completed(
    law.expression === undefined ? about : { ...about, expression: law.expression },
    workload,
    particles,
    seed,
  )
}

/** The problem without its points, of which there may be more than fit. */
export function sketchOf({ what, count, points }: ProblemSpec): Sketch {
  const law = 'task' in what ? undefined : namedLaw(what, count)
  const workload = law?.task.workload ?? taskOf('task' in what ? what.task : '', count).workload
  if (workload.loop === 'grid') return { workload, shape: shapeOf(cellsIn(workload.grid.cells), 0, 3) }
  const dimension = points?.dimension ?? (law?.points === 'square' ? 2 : 3)
  return { workload, shape: shapeOf(count, workload.loop === 'pair' ? count : 0, dimension) }
}

const shapeOf = (targets: number, sources: number, dimension: Dimension): Shape => ({
  dimension,
  targets,
  sources,
  sameSet: true,
  vectors: ['position'],
})

const cellsIn = (cells: readonly number[]): number => cells.reduce((product, n) => product * n, 1)

function namedLaw(what: Exclude<ProblemSpec['what'], { task: string }>, count: number): NamedLaw {
  return 'law' in what ? lawOf(what.law, count) : lawFrom(what.expression)
}

function completed(
  about: Pick<Problem, 'name' | 'task' | 'steep' | 'expression'>,
  workload: Workload,
  particles: Particles,
  seed: number,
): Problem {
  const { dimension, targets, sources } = bind(workload, particles).shape
  const interactions = workload.loop === 'pair' ? targets * sources : targets
  return { ...about, workload, particles, targets, sources, interactions, dimension, seed }
}

/** What a workload reads of its points, beside their positions. */
function attributesOf(workload: Workload): readonly string[] {
  if (workload.loop !== 'pair') return []
  const { targets, sources } = pairBody(workload, 3, true, { guard: true }).attributes
  return [...new Set([...targets, ...sources])]
}

function fromFile({ name, dimension, arrays }: PointsFile, needed: readonly string[], law: string): ParticleSet {
  const missing = needed.find((attribute) => arrays[attribute] === undefined)
  if (missing !== undefined)
    throw new TypeError(
      `"${name}" lacks "${missing}", which ${law} reads; it holds ${Object.keys(arrays).join(', ')}; add it, or choose another law`,
    )
  const entries = needed.map((attribute) => [attribute, Float32Array.from(arrays[attribute] ?? [])] as const)
  return { dimension, position: Float32Array.from(arrays.position ?? []), ...Object.fromEntries(entries) }
}

/** Points in a file. */
export const countOf = ({ dimension, arrays }: PointsFile): number => (arrays.position?.length ?? 0) / dimension

/** What a record says of a problem. */
export function infoOf({ name, expression, task, targets, sources, dimension, seed }: Problem): ProblemInfo {
  const about = { name, workload: task, targets, sources, dimension, seed }
  return expression === undefined ? about : { ...about, expression }
}
