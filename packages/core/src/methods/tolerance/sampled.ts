/**
 * The targets that measure the error of a tree: their sums are also computed over all pairs, and compared. Any device runs this workload
 * over them (`TreeFacts`).
 *
 * @module
 */
import type { Bindings, Exclusions, PointSet } from '../../contract/backend.ts'
import type { FloatArray } from '../../ground/checks.ts'
import type { TreeFacts } from '../../problem/workloads/tree-facts.ts'
import type { Shape } from '../../problem/workloads/workload.ts'
import { heaviestPoints } from './heaviest.ts'

/** Some targets of a run, as a set of their own. */

export interface Sampled {
  readonly shape: Shape
  readonly bindings: Bindings
  /** The heaviest come last. */
  readonly targets: readonly number[]
  /** How many targets are spread over the set, and so stand for all others. */
  readonly spread: number
}

/** Targets spread over a set whatever its order, each at most once; all if they are few. */
export function spreadTargets(count: number, wanted: number): readonly number[] {
  if (count <= wanted) return Array.from({ length: count }, (_, n) => n)
  const golden = (Math.sqrt(5) - 1) / 2
  const among = Array.from({ length: Math.min(count, wanted) }, (_, n) =>
    Math.floor((((n + 0.5) * golden) % 1) * count),
  )
  return [...new Set(among)]
}

/** Targets that are spread over all, and the heaviest if these are much heavier than others. */
export function sampled(
  { weights, skipsSelf }: Pick<TreeFacts, 'weights' | 'skipsSelf'>,
  shape: Shape,
  given: Bindings,
  wanted: number,
): Sampled {
  const spread = spreadTargets(shape.targets, wanted)
  const targets = [...spread, ...heaviestPoints(weights, shape, given, spread)]
  const exclusions = excludedFrom(given, skipsSelf, targets)
  const bindings: Bindings = {
    targets: rowsOf(given.targets, targets),
    sources: given.sources,
    parameters: given.parameters,
    ...(exclusions && { exclusions }),
  }
  return { shape: { ...shape, targets: targets.length, sameSet: false }, bindings, targets, spread: spread.length }
}

/** Some points of a set. */
function rowsOf(set: PointSet, rows: readonly number[]): PointSet {
  const arrays = Object.entries(set.arrays).map(([name, array]) => {
    const numbers = array as FloatArray
    const width = numbers.length / set.count
    const some = numbers.slice(0, rows.length * width)
    for (const [n, row] of rows.entries()) some.set(numbers.subarray(row * width, (row + 1) * width), n * width)
    return [name, some] as const
  })
  return { count: rows.length, arrays: Object.fromEntries(arrays) }
}

/** The excluded sources of some targets. They may include the target itself. */
function excludedFrom(
  { exclusions }: Bindings,
  skipsSelf: boolean,
  targets: readonly number[],
): Exclusions | undefined {
  if (!exclusions && !skipsSelf) return undefined
  const lists = targets.map((target) => {
    const own = exclusions?.sources.subarray(exclusions.offsets[target], exclusions.offsets[target + 1]) ?? []
    return [...new Set([...own, ...(skipsSelf ? [target] : [])])].sort((a, b) => a - b)
  })
  let end = 0
  const offsets = Uint32Array.from([0, ...lists.map((list) => (end += list.length))])
  return { offsets, sources: Uint32Array.from(lists.flat()) }
}
