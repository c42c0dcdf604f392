/**
 * Links: the common part of bonds, angles and dihedrals. A law acts between listed points, with numbers of each link in place of its
 * parameters.
 *
 * @module
 */
import { finite, howMany, onlyNamed, takenArray, unexpected, whole } from '../../ground/checks.ts'
import { entriesOf } from '../../ground/entries.ts'
import { domainOf } from '../../problem/workloads/define-domain.ts'
import type { Boundary } from '../../problem/workloads/domain.ts'

/** The law of links, and the options that bonds, angles and dihedrals share. */
export interface PointLinkOptions<Law> {
  readonly law: Law
  /** Numbers of each link, by the name of the parameter that they replace. */
  readonly attributes?: Readonly<Record<string, Iterable<number>>>
  /** The boundary of the displacements; by default the boundary of the other forces. */
  readonly boundary?: Boundary
  /** A factor of the force and its energy, as for 1-4 pairs; 1 by default. */
  readonly scale?: number
}

/** The checked options, in the form of a snapshot. */
export interface CheckedLinks<Law> extends PointLinkOptions<Law> {
  readonly attributes: Readonly<Record<string, readonly number[]>>
  readonly boundary: Boundary
  readonly scale: number
}

interface LinkLaw {
  readonly name: string
  readonly parameters: object
  readonly minimum?: Readonly<Partial<Record<string, number>>>
}

interface LinkKind {
  readonly each: 'bond' | 'angle' | 'dihedral'
  readonly size: 2 | 3 | 4
  /** The points of one: `pair [a, b]`. */
  readonly what: string
  readonly lawOf: (given: unknown) => LinkLaw
}

/** Checks everything that needs no points. @throws TypeError, RangeError, {@link ExpressionError} */
export function linksOf<Checked extends CheckedLinks<unknown>>(given: object, part: string, kind: LinkKind): Checked {
  const list = `${kind.each}s`
  const known = ['law', list, 'attributes', 'boundary', 'scale']
  const {
    law: unchecked,
    [list]: listed,
    attributes = {},
    boundary,
    scale = 1,
  } = onlyNamed(
    given as Partial<PointLinkOptions<unknown>> & Readonly<Record<string, unknown>>,
    `part of ${part}`,
    known,
  )
  const law = kind.lawOf(unchecked)
  const links = pointLists(listed, `${part}.${list}`, kind)
  return {
    law,
    [list]: links,
    attributes: linkNumbers(attributes, law, part, { count: links.length, each: kind.each }),
    boundary: domainOf({ ...(boundary && { boundary }) }).boundary,
    scale: finite(scale, `${part}.scale`),
  } as unknown as Checked
}

const numerals = { 2: 'two', 3: 'three', 4: 'four' } as const

/** Lists of different points. @throws TypeError, RangeError */
function pointLists(given: unknown, name: string, { size, what }: LinkKind): readonly (readonly number[])[] {
  if (typeof Object(given)[Symbol.iterator] !== 'function' || typeof given === 'string')
    throw unexpected(name, `a list of ${what.replace(' ', 's ')}`, given)
  return entriesOf(given as Iterable<readonly number[]>, name).map((points, n) => {
    if (points?.length !== size) throw new TypeError(`"${name}[${n}]" expected a ${what}, got ${howMany(points)}`)
    const list = Array.from(points)
    for (const [k, point] of list.entries()) {
      if (!(Number.isSafeInteger(point) && point >= 0)) whole(point, `${name}[${n}][${k}]`, 0)
      if (list.indexOf(point) < k)
        throw new RangeError(`"${name}[${n}]" expected ${numerals[size]} points, got point ${point} twice`)
    }
    return list
  })
}

/** Numbers of each link, by the name of the parameter that they replace. @throws TypeError, RangeError */
function linkNumbers(
  attributes: unknown,
  law: LinkLaw,
  part: string,
  { count, each }: { readonly count: number; readonly each: string },
): Readonly<Record<string, readonly number[]>> {
  const known = Object.keys(law.parameters)
  const given = onlyNamed(attributes as Record<string, unknown>, `parameter of ${law.name}`, known)
  const numbers = Object.entries(given).map(([name, list]) => {
    const listed = typeof list === 'object' && Symbol.iterator in Object(list) && !ArrayBuffer.isView(list)
    const own = `${part}.attributes.${name}`
    const array = takenArray(listed ? entriesOf(list as Iterable<number>, own) : list, own)
    if (array.length !== count)
      throw new RangeError(`"${own}" expected length ${count}, one number per ${each}, got ${array.length}`)
    for (const value of array) finite(value, own, law.minimum?.[name])
    return [name, Array.from(array)] as const
  })
  return Object.fromEntries(numbers)
}
