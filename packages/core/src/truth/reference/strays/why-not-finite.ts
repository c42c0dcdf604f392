/**
 * Why a number of a result is not finite, in words: which pair, or which operation of an expression. The reference evaluates the
 * one target again in float64, so this serves results that are wrong already, where time does not matter.
 *
 * @module
 */

import type { Precision } from '../../../ground/precision.ts'
import { symbolsOf } from '../../../language/nodes.ts'
import { ruleOf } from '../../../problem/reductions/table.ts'
import type { Bound } from '../../../problem/workloads/bind.ts'
import { gridParameters } from '../../../problem/workloads/bodies/element-body.ts'
import { mapComponents } from '../../../problem/workloads/bodies/map-components.ts'
import { largest } from '../../../problem/workloads/numbers/number-range.ts'
import type { PairData } from '../../../problem/workloads/numbers/pair-data.ts'
import { parseOutputs } from '../../../problem/workloads/outputs.ts'
import { expressionsIn, termOf } from '../../../problem/workloads/quantity.ts'
import { pairNumber } from '../../../problem/workloads/tables/pair-numbers.ts'
import type { PairWorkload, Shape, Workload } from '../../../problem/workloads/workload.ts'
import { fieldLoads } from '../grid-loop.ts'
import { pairLoop } from '../pair-loop.ts'
import { loadOf } from '../particle-loop.ts'
import { arraysOf } from '../program.ts'
import { firstStray, inPrecision, short } from './first-stray.ts'

/** A number of a result. */
export interface StrayPlace {
  /** The point or cell. */
  readonly target: number
  /** In a matrix: the only source. */
  readonly source?: number | undefined
  /** Of a map or stencil: the output, and the component. */
  readonly output?: string
  readonly component?: number
}

/** How a caller knows two points: `points 3 and 17`. */
export type NamePair = (target: number, source: number) => string

const remedy = 'use other units or precision "f64"'
const end = 'float32 ends at 3.4e38'

/**
 * The reason, as the end of a sentence; undefined if there is none in float64, nor in the steps of one term.
 *
 * @param bound the run as a device of that precision got it, with arrays of the host
 */
export function whyNotFinite(
  { workload, shape, bindings }: Bound,
  place: StrayPlace,
  precision: Precision,
  name: NamePair = pairNames(shape),
): string | undefined {
  const { parameters, tables, exclusions, ranges } = bindings
  const [targets, sources] = [arraysOf(bindings.targets, shape), arraysOf(bindings.sources, shape)]
  const data: PairData = { targets, sources, parameters, tables, exclusions, ranges, lengths: shape.lengths }
  return workload.loop === 'pair'
    ? whyPair(workload, shape, data, place, precision, name)
    : whyElement(workload, shape, data, place, precision)
}

const pairNames =
  ({ sameSet }: Shape): NamePair =>
  (i, j) =>
    sameSet ? `points ${i} and ${j}` : `target ${i} and source ${j}`

function whyPair(
  workload: PairWorkload,
  shape: Shape,
  data: PairData,
  { target, source }: StrayPlace,
  precision: Precision,
  name: NamePair,
): string | undefined {
  const { stray, most, nearest, totals } = termsOf(workload, shape, data, target, source)
  // Points of vectors have no positions.
  const apart = ({ d }: Pair) => (data.targets.position ? `, which are ${short(Math.hypot(...d))} apart` : '')
  const between = (pair: Pair) => `${name(target, pair.source)}${apart(pair)}`
  const found = (pair: Pair, precision: Precision) => strayOf(workload, shape, data, target, pair, precision)
  if (stray) {
    const operation = found(stray, 'f64')
    return `the law has no finite value for ${between(stray)}${operation ? `: ${operation}` : ''}`
  }
  if (precision === 'f32' && most && most.size > largest)
    return `the term of ${between(most)}, is ${short(most.value)}, and ${end}; ${remedy}`
  const total = totals.find((sum) => !Number.isFinite(inPrecision(sum, precision)))
  if (ruleOf(workload).linear && total !== undefined)
    return `the terms add up to ${short(total)}${precision === 'f32' ? `, and ${end}; ${remedy}` : ''}`
  for (const pair of [nearest, most]) {
    const operation = pair && found(pair, precision)
    if (operation) return `the term of ${between(pair)}, leaves float32: ${operation}; ${remedy}`
  }
  return undefined
}

interface Pair {
  readonly source: number
  readonly d: readonly number[]
}

interface Terms {
  /** The first source with a term that is not finite. */
  stray?: Pair
  /** The source with the largest component of all terms. */
  most?: Pair & { readonly value: number; readonly size: number }
  nearest?: Pair
  /** The sum of each component. */
  readonly totals: number[]
}

/** Looks at the terms of a target. */
function termsOf(workload: PairWorkload, shape: Shape, data: PairData, target: number, source?: number): Terms {
  const found: Terms = { totals: [] }
  let least = Number.POSITIVE_INFINITY
  const visitor = {
    add(_: number, j: number, term: Float64Array, displacement: Float64Array) {
      const pair = () => ({ source: j, d: Array.from(displacement.subarray(0, shape.dimension)) })
      if (!term.every(Number.isFinite)) found.stray ??= pair()
      for (const [c, value] of term.entries()) {
        found.totals[c] = (found.totals[c] ?? 0) + value
        const size = Math.abs(value)
        if (size > (found.most?.size ?? 0)) found.most = { ...pair(), value, size }
      }
      const distance = Math.hypot(...displacement)
      if (distance < least) [least, found.nearest] = [distance, pair()]
    },
  }
  const range = source === undefined ? ([0, shape.sources] as const) : ([source, source + 1] as const)
  for (const _ of pairLoop(workload, shape, data, [target], range, visitor));
  return found
}

/** The operation that has no finite value for a pair. */
function strayOf(
  workload: PairWorkload,
  { dimension }: Shape,
  data: PairData,
  i: number,
  { source: j, d: [dx = 0, dy = 0, dz = 0] }: Pair,
  precision: Precision,
): string | undefined {
  const expressions = expressionsIn(termOf(workload, dimension))
  const values: Record<string, number> = { ...data.parameters, dx, dy, dz, r2: dx * dx + dy * dy + dz * dz }
  for (const symbol of symbolsOf(...expressions)) {
    const number = pairNumber(symbol, workload.law, data)
    if (number) values[symbol] = number(i, j, dx * dx + dy * dy + dz * dz)
  }
  for (const e of expressions) {
    const found = firstStray(e, values, precision)
    if (found) return found
  }
  return undefined
}

function whyElement(
  workload: Exclude<Workload, PairWorkload>,
  shape: Shape,
  { targets, sources, parameters }: PairData,
  { target, output = '', component = 0 }: StrayPlace,
  precision: Precision,
): string | undefined {
  if (workload.loop === 'particle' && workload.operation === 'cellIndex') return undefined
  const grid = workload.loop === 'grid'
  const given = grid ? { ...gridParameters(workload.grid), ...parameters } : parameters
  const neighbours = grid ? fieldLoads(workload.grid, targets.field as Float64Array) : {}
  const e = (grid ? parseOutputs(workload) : mapComponents(workload, shape)).get(output)?.[component]
  if (!e) return undefined
  const load = (name: string) => neighbours[name] ?? loadOf(name, grid ? {} : workload, shape, targets, sources)
  const values = Object.fromEntries([...symbolsOf(e)].map((name) => [name, given[name] ?? load(name)(target)]))
  const found = firstStray(e, values, 'f64')
  if (found) return found
  const narrow = precision === 'f32' ? firstStray(e, values, 'f32') : undefined
  return narrow && `${narrow}, and ${end}; ${remedy}`
}
