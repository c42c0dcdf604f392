/**
 * The sums of a few targets over all pairs, and the sizes of their terms, with which the sums of a tree are compared. They are
 * those of another workload, which any device runs.
 *
 * @module
 */
import type { Bindings, Exclusions, PointSet } from '../../contract/backend.ts'
import type { FloatArray } from '../../ground/checks.ts'
import { Remembered } from '../../ground/remember.ts'
import { toText } from '../../language/infix.ts'
import type { Expr } from '../../language/nodes.ts'
import { termOf } from '../../problem/workloads/quantity.ts'
import type { Dimension, PairWorkload, Shape } from '../../problem/workloads/workload.ts'
import { heaviestPoints } from './heaviest.ts'

/** A workload over some targets of another one. */
export interface Sampled {
  readonly workload: PairWorkload
  readonly shape: Shape
  readonly bindings: Bindings
  /** The heaviest come last. */
  readonly targets: readonly number[]
  /** How many targets are spread over the set, and so stand for all others. */
  readonly spread: number
}

/** Targets spread over a set whatever its order, each at most once. */
export function spreadTargets(count: number, wanted: number): readonly number[] {
  const golden = (Math.sqrt(5) - 1) / 2
  const among = Array.from({ length: Math.min(count, wanted) }, (_, n) =>
    Math.floor((((n + 0.5) * golden) % 1) * count),
  )
  return [...new Set(among)]
}

/**
 * The workload that has the terms of another one and their size as components. Its targets are a separate set: some that are spread over
 * all, and the heaviest if these are much heavier than others.
 */
export function sampled(workload: PairWorkload, shape: Shape, given: Bindings, wanted: number): Sampled {
  const spread = spreadTargets(shape.targets, wanted)
  const targets = [...spread, ...heaviestPoints(workload, shape, given, spread)]
  const exclusions = excludedFrom(workload, shape, given, targets)
  const bindings: Bindings = {
    targets: rowsOf(given.targets, targets),
    sources: given.sources,
    parameters: given.parameters,
    ...(exclusions && { exclusions }),
  }
  return {
    workload: measured(workload, shape.dimension, exclusions !== undefined),
    shape: { ...shape, targets: targets.length, sameSet: false },
    bindings,
    targets,
    spread: spread.length,
  }
}

const made = new Remembered<PairWorkload, PairWorkload>()

function measured(workload: PairWorkload, dimension: Dimension, exclusions: boolean): PairWorkload {
  const make = (): PairWorkload => {
    const { law, domain } = workload
    const terms = textsOf(workload, dimension)
    const size = terms.length === 1 ? `abs(${terms[0]})` : `sqrt(${terms.map((term) => `(${term})^2`).join(' + ')})`
    const expressions = Object.fromEntries([...terms, size].map((text, n) => [`c${n}`, text]))
    const { parameters, name } = law
    return {
      ...workload,
      law: { name: `${name}, with sizes`, kind: 'term', expressions, parameters, symmetric: false },
      quantity: 'term',
      results: ['value'],
      total: false,
      // The lists are bound with each run.
      domain: { ...domain, exclusions: exclusions ? [[0, 0]] : [] },
    } as const
  }
  return made.of(workload, make, `${dimension}${exclusions}`)
}

function textsOf(workload: PairWorkload, dimension: Dimension): readonly string[] {
  const term = termOf(workload, dimension)
  const text = (e: Expr) => `(${toText(e)})`
  if (term.form === 'components') return term.components.map(text)
  return ['dx', 'dy', 'dz'].slice(0, dimension).map((axis) => `${text(term.coefficient)}*${axis}`)
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

/**
 * The excluded sources of some targets, to which the target itself belongs if it does not count. A radial term vanishes there anyway,
 * and a loop without lists is several times as fast.
 */
function excludedFrom(
  workload: PairWorkload,
  { sameSet, dimension }: Shape,
  { exclusions }: Bindings,
  targets: readonly number[],
): Exclusions | undefined {
  const { domain } = workload
  const skipsSelf = sameSet && domain.self === 'exclude' && termOf(workload, dimension).form !== 'radial'
  if (!exclusions && !skipsSelf) return undefined
  const lists = targets.map((target) => {
    const own = exclusions?.sources.subarray(exclusions.offsets[target], exclusions.offsets[target + 1]) ?? []
    return [...new Set([...own, ...(skipsSelf ? [target] : [])])].sort((a, b) => a - b)
  })
  let end = 0
  const offsets = Uint32Array.from([0, ...lists.map((list) => (end += list.length))])
  return { offsets, sources: Uint32Array.from(lists.flat()) }
}
