/**
 * The specification of every pair workload: two plain nested loops in float64.
 *
 * For each target, it folds the terms of all sources that count, one after the other. A pair does not count if it is a point
 * with itself (unless requested), excluded, beyond the cutoff, or coincident under a law that is singular there.
 * Displacements are source minus target, to the nearest image in a periodic box.
 *
 * @module
 */
import type { Range } from '../backend.ts'
import type { FloatArray } from '../checks.ts'
import { type Evaluator, evaluator } from '../expression/evaluate.ts'
import { roundHalfEven } from '../expression/functions/rounding.ts'
import { symbolsOf } from '../expression/nodes.ts'
import { parseAttribute } from '../interactions/interaction.ts'
import type { PairData } from '../workloads/numbers/pair-data.ts'
import { skipsCoincident, termOf } from '../workloads/quantity.ts'
import type { PairWorkload, Shape } from '../workloads/workload.ts'
import type { Fold } from './folds.ts'

/** Folds the terms of each target in `targetIndices` over the sources of `range`. Yields after each target. */
export function* pairLoop(
  workload: PairWorkload,
  shape: Shape,
  data: PairData,
  targetIndices: Iterable<number>,
  range: Range,
  fold: Fold,
): Generator<void> {
  const { domain } = workload
  const { dimension } = shape
  const { parameters, exclusions } = data
  const skipSelf = shape.sameSet && domain.self === 'exclude'
  const lengths = ['boxX', 'boxY', 'boxZ'].map((name) => parameters[name])
  const cutoff = domain.cutoff ? (parameters.cutoff as number) ** 2 : Number.POSITIVE_INFINITY
  const skipCoincident = skipsCoincident(workload, dimension, parameters)
  const pair = new PairTerm(workload, shape, data)
  const d = new Float64Array(3)
  const [here, there] = [data.targets.position ?? d, data.sources.position ?? d]

  let row = 0
  for (const i of targetIndices) {
    const excluded = new Set(exclusions?.sources.subarray(exclusions.offsets[i], exclusions.offsets[i + 1]))
    pair.target(i)
    for (let j = range[0]; j < range[1]; j++) {
      if (skipSelf && i === j) continue
      if (excluded.has(j)) continue
      let r2 = 0
      for (let axis = 0; axis < dimension; axis++) {
        let along = (there[j * dimension + axis] as number) - (here[i * dimension + axis] as number)
        const length = lengths[axis]
        if (length !== undefined) along -= length * roundHalfEven(along / length)
        d[axis] = along
        r2 += along * along
      }
      if (r2 > cutoff) continue
      if (r2 === 0 && skipCoincident) continue
      fold.add(row, j, pair.term(j, d, r2))
    }
    row++
    yield
  }
}

/** The term of a pair, component by component, from the law's expressions. */
class PairTerm {
  readonly #values: Float64Array
  readonly #components: readonly Evaluator[]
  readonly #radial: boolean
  readonly #dimension: number
  readonly #targetAttributes: readonly (readonly [slot: number, array: FloatArray])[]
  readonly #sourceAttributes: readonly (readonly [slot: number, array: FloatArray])[]
  readonly #term: Float64Array

  constructor(workload: PairWorkload, shape: Shape, data: PairData) {
    const term = termOf(workload, shape.dimension)
    const expressions = term.form === 'radial' ? [term.coefficient] : term.components
    const names = [...new Set(expressions.flatMap((e) => [...symbolsOf(e)]))]
    const attributes = names.filter((name) => parseAttribute(name))
    const slots = ['dx', 'dy', 'dz', 'r2', ...attributes, ...Object.keys(data.parameters)]
    this.#values = Float64Array.from(slots, (name) => data.parameters[name] ?? 0)
    this.#components = expressions.map((e) => evaluator(e, slots))
    this.#radial = term.form === 'radial'
    this.#dimension = shape.dimension
    const side = (wanted: 'i' | 'j', arrays: Readonly<Record<string, FloatArray>>) =>
      attributes.flatMap((name) => {
        const found = parseAttribute(name)
        return found?.side === wanted ? [[slots.indexOf(name), arrays[found.attribute] as FloatArray] as const] : []
      })
    this.#targetAttributes = side('i', data.targets)
    this.#sourceAttributes = side('j', data.sources)
    this.#term = new Float64Array(this.#radial ? shape.dimension : expressions.length)
  }

  target(i: number): void {
    for (const [slot, array] of this.#targetAttributes) this.#values[slot] = array[i] as number
  }

  term(j: number, d: Float64Array, r2: number): Float64Array {
    const values = this.#values
    for (let axis = 0; axis < 3; axis++) values[axis] = d[axis] as number
    values[3] = r2
    for (const [slot, array] of this.#sourceAttributes) values[slot] = array[j] as number
    if (this.#radial) {
      const coefficient = this.#components[0]?.(values) as number
      for (let axis = 0; axis < this.#dimension; axis++) this.#term[axis] = coefficient * (d[axis] as number)
    } else {
      for (let c = 0; c < this.#term.length; c++) this.#term[c] = this.#components[c]?.(values) as number
    }
    return this.#term
  }
}
