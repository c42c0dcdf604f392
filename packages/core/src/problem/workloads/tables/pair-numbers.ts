/**
 * The numbers of a pair of points by their names in expressions, in float64, for the reference and error analysis.
 *
 * @module
 */
import type { FloatArray } from '../../../ground/checks.ts'
import { parseAttribute } from '../../../ground/names.ts'
import { evaluator } from '../../../language/evaluate.ts'
import { foldBody } from '../../../language/fold-bodies.ts'
import { requireNumbers, vectorsIn } from '../../../language/fold-names.ts'
import { functionOf, isOfStep, parseLookup, wholeNumber, type wholeParts } from '../../../language/lookups.ts'
import { type Expr, symbolsOf } from '../../../language/nodes.ts'
import type { Interaction } from '../../interactions/interaction.ts'
import type { PairData } from '../numbers/pair-data.ts'
import { blockNames, blocksOf, vectorStart } from './layout.ts'

/** The number for target i and source j, at a squared distance in the unit of length of the run. */
export type PairNumber = (i: number, j: number, r2: number) => number

/** An attribute, a sum over the components of vectors, or a number of a table; undefined for any other name. */
export function pairNumber(name: string, law: Pick<Interaction, 'tables'>, data: PairData): PairNumber | undefined {
  return attributeOf(name, data) ?? foldOf(name, law, data) ?? lookupOf(name, law, data)
}

function attributeOf(name: string, { targets, sources }: PairData): PairNumber | undefined {
  const { attribute = '', side } = parseAttribute(name) ?? {}
  if (side === undefined) return undefined
  const array = (side === 'i' ? targets : sources)[attribute] as FloatArray
  return side === 'i' ? (i) => array[i] as number : (_, j) => array[j] as number
}

/** The sum over the components of vectors. */
function foldOf(name: string, law: Pick<Interaction, 'tables'>, data: PairData): PairNumber | undefined {
  const components = componentsOf(name, law, data)
  if (!components) return undefined
  const { body, names, length, numbers, read } = components
  const value = evaluator(body, names)
  return (i, j) => {
    let sum = 0
    for (let k = 0; k < length; k++) {
      read(i, j, k)
      sum += value(numbers)
    }
    return sum
  }
}

/** The components that a fold adds up. */
export interface Components {
  /** What a component adds. */
  readonly body: Expr
  /** The vectors of the fold, those among the parameters, and the other parameters. */
  readonly names: readonly string[]
  readonly length: number
  /** The numbers of these names for the component that was read last. */
  readonly numbers: Float64Array
  readonly read: (i: number, j: number, k: number) => void
}

/** Undefined for a name that is no fold. */
export function componentsOf(
  name: string,
  { tables: ofLaw }: Pick<Interaction, 'tables'>,
  { targets, sources, parameters, tables, lengths = {} }: PairData,
): Components | undefined {
  const body = foldBody(name)
  if (!body) return undefined
  requireNumbers([name])
  const vectors = (vectorsIn(name) ?? []).map((vector) => {
    const { attribute = '', side } = parseAttribute(vector) ?? {}
    return { side, attribute, array: (side === 'i' ? targets : sources)[attribute] as FloatArray }
  })
  const length = lengths[vectors[0]?.attribute ?? ''] ?? 0
  const given = [...symbolsOf(body)].flatMap((one) => {
    const start = vectorStart(one, ofLaw)
    return start === undefined ? [] : [{ one, start: parameters[start] as number }]
  })
  const names = [...(vectorsIn(name) ?? []), ...given.map(({ one }) => one), ...Object.keys(parameters)]
  const numbers = Float64Array.from(names, (one) => parameters[one] ?? 0)
  const read = (i: number, j: number, k: number) => {
    for (const [slot, { side, array }] of vectors.entries())
      numbers[slot] = array[(side === 'i' ? i : j) * length + k] as number
    for (const [n, { start }] of given.entries()) numbers[vectors.length + n] = tables?.[start + k] as number
  }
  return { body, names, length, numbers, read }
}

/** The number of a table for the kinds of both points. */
function lookupOf(name: string, { tables = {} }: Pick<Interaction, 'tables'>, data: PairData): PairNumber | undefined {
  const { table = '', indices = [], atCutoff = false } = parseLookup(name) ?? {}
  const n = blocksOf(tables).findIndex(({ names }) => names.includes(table))
  const { names = [] } = blocksOf(tables)[n] ?? {}
  const [row, column = () => 0] = indices.flatMap((index) => attributeOf(index, data) ?? [])
  const numbers = data.tables
  if (n < 0 || !numbers) return undefined
  const own = blockNames(n)
  const [start, stride] = [data.parameters[own.start] as number, data.parameters[own.columnStride] as number]
  const first = start + names.indexOf(table)
  const of = functionOf(table)
  if (of !== undefined && isOfStep(name)) {
    const [from, scale, last, before] = (['from', 'scale', 'last', 'first'] as const).map((part) =>
      wholeOf(of, part, indices, tables, data),
    )
    const { lengthUnit: unit = 1, cutoff = 0 } = data.parameters
    return (i, j, r2) => {
      const of = (number: PairNumber | undefined) => number?.(i, j, r2) ?? 0
      const r = atCutoff ? cutoff : unit * Math.sqrt(r2)
      const step = Math.floor(Math.min(Math.max((r - of(from)) * of(scale), 0), of(last)))
      return numbers[first + names.length * (of(before) + step)] as number
    }
  }
  if (!row) return undefined
  return (i, j, r2) => numbers[first + names.length * row(i, j, r2) + stride * column(i, j, r2)] as number
}

/** A number of a whole function. */
function wholeOf(
  name: string,
  part: (typeof wholeParts)[number],
  indices: readonly string[],
  tables: Interaction['tables'] = {},
  data: PairData,
): PairNumber | undefined {
  const whole = wholeNumber(name, part, indices)
  return indices.length === 0 ? () => data.parameters[whole] as number : lookupOf(whole, { tables }, data)
}
