/**
 * Conditions of pairs, and rules for attributes: as laws for a device, as float64 functions of two points, and how far apart a pair may
 * be that meets a condition.
 *
 * @module
 */
import { type FloatArray, unexpected } from '../../ground/checks.ts'
import { parseAttribute } from '../../ground/names.ts'
import { Remembered } from '../../ground/remember.ts'
import { evaluator } from '../../language/evaluate.ts'
import { type Expr, symbolsOf } from '../../language/nodes.ts'
import { pairTerm } from '../../problem/interactions/define.ts'
import type { Interaction } from '../../problem/interactions/interaction.ts'
import { expressionsOf } from '../../problem/interactions/parse-interaction.ts'
import { vectorsOf } from '../../problem/interactions/vectors.ts'
import { partsOf } from '../../problem/workloads/bodies/conditions.ts'
import { boundsOfPairs } from '../../problem/workloads/pair-bounds.ts'
import type { Dimension } from '../../problem/workloads/workload.ts'
import type { PointArrays } from '../arrays.ts'

/** The text of 1 where a condition holds, otherwise 0. Definitions stay behind it. @throws TypeError */
export function metText(condition: unknown, name: string): string {
  if (typeof condition !== 'string') throw unexpected(name, 'a condition, such as "position_x > 10"', condition)
  const [first = '', ...definitions] = condition.split(';')
  return [`select(${first}, 1, 0)`, ...definitions].join(';')
}

/** A condition of pairs, and the numbers that it reads by name. */
interface PairCondition {
  readonly pairs: string
  readonly parameters?: Readonly<Record<string, number>>
}

const laws = new Remembered<object, Interaction>()

/** The law that is 1 for pairs that meet the condition. @throws TypeError, {@link ExpressionError} */
export function conditionOf(condition: PairCondition, name: string = 'events'): Interaction {
  return laws.of(condition, () => {
    const { pairs, parameters = {} } = condition
    const law = pairTerm(metText(pairs, name), { parameters, name: 'pairs that meet a condition' })()
    requireNoVectors(law, name)
    if (law.symmetric) return law
    throw new TypeError(
      `"${name}" expected a condition that is the same for both orders of a pair, such as "r < radius_i + radius_j", got "${pairs}"`,
    )
  })
}

/** A rule for an attribute as a law. @throws TypeError, {@link ExpressionError} */
export const ruleLaw = (rule: string, parameters: Readonly<Record<string, number>>): Interaction =>
  laws.of(parameters, () => pairTerm(rule, { parameters, name: 'rule of a merger' })(), rule)

/** @throws TypeError for a law that reads vectors of any length */
export function requireNoVectors(law: Interaction, name: string): void {
  const vectors = vectorsOf(law)?.groups.flat()
  if (vectors)
    throw new TypeError(
      `"${name}" expected numbers of two points, got vectors of any length, ${vectors.join(', ')}; give the numbers as attributes`,
    )
}

/** The array that a symbol of a pair names, and the axis of a component. */
function placeOf(
  attribute: string,
  arrays: PointArrays,
  dimension: Dimension,
): { readonly array: string; readonly axis?: number } | undefined {
  const count = arrays.position.length / dimension
  if (arrays[attribute]?.length === count) return { array: attribute }
  const [, array = '', letter = ''] = /^(.+)_([xyz])$/.exec(attribute) ?? []
  const axis = 'xyz'.indexOf(letter || '-')
  const has = axis >= 0 && axis < dimension && arrays[array]?.length === count * dimension
  return has ? { array, axis } : undefined
}

/** @param components whether components of vectors may be read @throws TypeError for names that no attribute has */
export function requirePairReads(
  law: Interaction,
  { arrays, dimension }: { readonly arrays: PointArrays; readonly dimension: Dimension },
  name: string,
  components: boolean = false,
): void {
  const count = arrays.position.length / dimension
  for (const { attribute } of attributesOf(law)) {
    const place = placeOf(attribute, arrays, dimension)
    if (place && (components || place.axis === undefined)) continue
    const known = Object.keys(arrays).filter((one) => arrays[one]?.length === count)
    const why = place ? `; compare velocities in onEvent, and let 'bounce' find the pairs that approach` : ''
    throw new TypeError(
      `"${name}" expected attributes with one number for each of the particles, ${known.join(', ') || 'which have none'}, got ${attribute}${why}`,
    )
  }
}

function attributesOf(law: Interaction): readonly { readonly attribute: string; readonly side: string }[] {
  return [...symbolsOf(...Object.values(expressionsOf(law)))].flatMap((symbol) => parseAttribute(symbol) ?? [])
}

/** The arrays that a law of pairs reads, without the positions. */
export const arraysRead = (law: Interaction, arrays: PointArrays, dimension: Dimension): readonly string[] => [
  ...new Set(attributesOf(law).flatMap(({ attribute }) => placeOf(attribute, arrays, dimension)?.array ?? [])),
]

/** Some points of a system, and the edges of its box. */
export interface System {
  /** Which of all points they are, ascending. Elsewhere an index counts these points alone. */
  readonly points: Uint32Array
  readonly arrays: PointArrays
  readonly dimension: Dimension
  /** The edges of the periodic box; empty in open space. */
  readonly lengths: readonly number[]
}

/** The displacement from a point to the nearest image of another, along an axis. */
export function displacement(
  { arrays: { position }, dimension, lengths }: System,
  from: number,
  to: number,
  axis: number,
): number {
  const d = (position[to * dimension + axis] as number) - (position[from * dimension + axis] as number)
  const length = lengths[axis] ?? Number.POSITIVE_INFINITY
  return length === Number.POSITIVE_INFINITY ? d : d - length * Math.round(d / length)
}

/** The value of a law of pairs for two points, in float64. */
export function pairValue(law: Interaction, system: System): (i: number, j: number) => number {
  const { arrays, dimension } = system
  const [expression] = Object.values(expressionsOf(law)) as [Expr]
  const attributes = attributesOf(law).map(({ attribute, side }) => {
    const { array = '', axis } = placeOf(attribute, arrays, dimension) ?? {}
    const numbers = arrays[array] as FloatArray
    const [stride, offset] = axis === undefined ? [1, 0] : [dimension, axis]
    return { symbol: `${attribute}_${side}`, side, at: (p: number) => numbers[p * stride + offset] as number }
  })
  const parameters = Object.entries(law.parameters)
  const slots = ['dx', 'dy', 'dz', 'r2', ...attributes.map(({ symbol }) => symbol), ...parameters.map(([name]) => name)]
  const value = evaluator(expression, slots)
  const values = Float64Array.from([0, 0, 0, 0, ...attributes.map(() => 0), ...parameters.map(([, number]) => number)])
  return (i, j) => {
    let r2 = 0
    for (let axis = 0; axis < dimension; axis++) {
      const d = displacement(system, i, j, axis)
      values[axis] = d
      r2 += d * d
    }
    values[3] = r2
    for (const [n, { side, at }] of attributes.entries()) values[4 + n] = at(side === 'i' ? i : j)
    return value(values)
  }
}

/** No pair farther apart meets a condition. Infinite if the condition does not tell. */
export function reachOf(law: Interaction, arrays: Readonly<Record<string, FloatArray>>): number {
  const [met] = Object.values(expressionsOf(law)) as [Expr]
  if (met.kind !== 'call' || met.name !== 'select')
    return met.kind === 'constant' && met.value === 0 ? 0 : Number.POSITIVE_INFINITY
  const numbers = { targets: arrays, sources: arrays, parameters: law.parameters }
  const limits = partsOf('and', met.args[0] as Expr).map((condition) => {
    if (condition.kind !== 'call' || !['less', 'lessEqual'].includes(condition.name)) return Number.POSITIVE_INFINITY
    const [distance, limit] = condition.args as readonly [Expr, Expr]
    const high = Math.max(0, boundsOfPairs(limit, numbers)[1])
    if (isSymbol(distance, 'r2')) return Math.sqrt(high)
    const root = distance.kind === 'power' && distance.exponent === 0.5 && isSymbol(distance.base, 'r2')
    return root ? high : Number.POSITIVE_INFINITY
  })
  return Math.min(...limits)
}

const isSymbol = (e: Expr, name: string) => e.kind === 'symbol' && e.name === name
