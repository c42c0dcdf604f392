/**
 * Bonds: a law between listed pairs of points, with numbers of each bond in place of the law's parameters.
 *
 * Each bond has two ends. The ends of a point lie one after the other, so that a device can add them up: in each of a few rounds,
 * an end adds the sum of the end 1, 2, 4, ... places further on, if that belongs to the same point.
 *
 * @module
 */
import { describe, finite, howMany, onlyNamed, takenArray, whole } from '../../checks.ts'
import { interactionOf } from '../../interactions/from-data.ts'
import type { Interaction } from '../../interactions/interaction.ts'
import { type Boundary, domainOf } from '../../workloads/domain.ts'

/** A law between listed pairs. */
export interface BondOptions {
  readonly law: Interaction
  /** The two points of each bond. */
  readonly bonds: Iterable<readonly [number, number]>
  /** Numbers of each bond by the name of a parameter of the law, whose value they replace. */
  readonly attributes?: Readonly<Record<string, Iterable<number>>>
  /** The boundary of the displacements; open by default. */
  readonly boundary?: Boundary
  /** A factor of the force and its energy, as for 1-4 pairs; 1 by default. */
  readonly scale?: number
}

/** Bonds as a snapshot has them. */
export interface Bonds extends BondOptions {
  readonly bonds: readonly (readonly [number, number])[]
  readonly attributes: Readonly<Record<string, readonly number[]>>
  readonly boundary: Boundary
  readonly scale: number
}

export const isBonds = (force: unknown): force is BondOptions =>
  typeof force === 'object' && force !== null && 'bonds' in force

/** Checks everything that needs no points. @throws TypeError, RangeError */
export function bondsOf(given: BondOptions, part: string): Bonds {
  const known = ['law', 'bonds', 'attributes', 'boundary', 'scale']
  const { law: unchecked, bonds, attributes = {}, boundary, scale = 1 } = onlyNamed(given, `part of ${part}`, known)
  if (typeof unchecked !== 'object' || unchecked === null || !('expressions' in unchecked))
    throw new TypeError(`"${part}.law" expected an interaction, such as a spring, got ${describe(unchecked)}`)
  const law = interactionOf(unchecked)
  if (typeof Object(bonds)[Symbol.iterator] !== 'function' || typeof bonds === 'string')
    throw new TypeError(`"${part}.bonds" expected a list of pairs [a, b], got ${describe(bonds)}`)
  const pairs = Array.from(bonds, (pair, n) => {
    const name = `${part}.bonds[${n}]`
    if (pair?.length !== 2) throw new TypeError(`"${name}" expected a pair [a, b], got ${howMany(pair)}`)
    const [a, b] = [whole(pair[0], `${name}[0]`, 0), whole(pair[1], `${name}[1]`, 0)]
    if (a === b) throw new RangeError(`"${name}" expected two points, got point ${a} twice`)
    return [a, b] as const
  })
  const parameters = Object.keys(law.parameters)
  const numbers = Object.entries(onlyNamed(attributes, `parameter of ${law.name}`, parameters)).map(([name, list]) => {
    const listed = typeof list === 'object' && Symbol.iterator in Object(list) && !ArrayBuffer.isView(list)
    const array = takenArray(listed ? Array.from(list) : list, `${part}.attributes.${name}`)
    if (array.length !== pairs.length)
      throw new RangeError(
        `"${part}.attributes.${name}" expected length ${pairs.length}, one number per bond, got ${array.length}`,
      )
    for (const value of array) finite(value, `${part}.attributes.${name}`, law.minimum?.[name])
    return [name, Array.from(array)] as const
  })
  return {
    law,
    bonds: pairs,
    attributes: Object.fromEntries(numbers),
    boundary: domainOf({ ...(boundary && { boundary }) }).boundary,
    scale: finite(scale, `${part}.scale`),
  }
}

/** @throws RangeError for a bond to a missing point */
export function requirePoints({ law, bonds }: Bonds, count: number): void {
  const missing = bonds.findIndex((pair) => pair.some((point) => point >= count))
  if (missing < 0) return
  const point = Math.max(...(bonds[missing] as readonly [number, number]))
  throw new RangeError(`"bonds[${missing}]" of ${law.name} expected indices of the ${count} points, got ${point}`)
}

/** The ends of all bonds as arrays. Indices are numbers; -1 stands for none. */
export interface Ends {
  readonly count: number
  /** Of each end: its point, the other point of the bond, and the numbers of the bond by name. */
  readonly own: Float64Array
  readonly other: Float64Array
  readonly attributes: Readonly<Record<string, Float64Array>>
  /** Of each round of the sum: the end to add, or -1. */
  readonly rounds: readonly Float64Array[]
  /** Of each point: its first end, or -1. */
  readonly first: Float64Array
}

/** Sorts the ends by their points. */
export function endsOf({ bonds, attributes }: Bonds, points: number): Ends {
  const count = 2 * bonds.length
  const degrees = new Uint32Array(points + 1)
  for (const [a, b] of bonds) for (const point of [a, b]) degrees[point + 1] = (degrees[point + 1] as number) + 1
  const starts = degrees.slice()
  for (let point = 0; point < points; point++)
    starts[point + 1] = (starts[point + 1] as number) + (starts[point] as number)
  const first = Float64Array.from({ length: points }, (_, point) =>
    degrees[point + 1] === 0 ? -1 : (starts[point] as number),
  )
  const [own, other] = [new Float64Array(count), new Float64Array(count)]
  const bondOf = new Uint32Array(count)
  const next = starts.slice()
  for (const [n, [a, b]] of bonds.entries())
    for (const [point, partner] of [
      [a, b],
      [b, a],
    ] as const) {
      const end = next[point] as number
      next[point] = end + 1
      own[end] = point
      other[end] = partner
      bondOf[end] = n
    }
  const most = degrees.reduce((a, b) => Math.max(a, b), 0)
  const rounds: Float64Array[] = []
  for (let step = 1; step < most; step *= 2)
    rounds.push(own.map((point, end) => (own[end + step] === point ? end + step : -1)))
  const numbers = Object.entries(attributes).map(([name, list]) => {
    return [name, Float64Array.from(bondOf, (bond) => list[bond] as number)] as const
  })
  return { count, own, other, attributes: Object.fromEntries(numbers), rounds, first }
}
