/**
 * Other bonds, angles, dihedrals and exclusions for the forces of a running simulation.
 *
 * @module
 */
import { isAngles, isBonds, isDihedrals, isExternal } from '../typed-at-once.ts'
import type { Force, ForceDescription } from './force.ts'

const lists = ['bonds', 'angles', 'dihedrals', 'exclusions'] as const
type List = (typeof lists)[number]

/** Lists of points, and numbers of each by the names of parameters. */
export interface OtherLinks {
  readonly list: readonly (readonly number[])[]
  readonly attributes?: Readonly<Record<string, readonly number[]>> | undefined
}

/** The list that a caller names: `bonds`, or `forces[1].bonds`; undefined for any other name. */
export function listNamed(name: string): { readonly list: List; readonly place: number | undefined } | undefined {
  const [, place, own] = /^(?:forces\[(\d+)\]\.)?(\w+)$/.exec(name) ?? []
  const list = lists.find((one) => one === own)
  return list && { list, place: place === undefined ? undefined : Number(place) }
}

/** Whether a force acts between listed points. */
export const isLinked = (force: unknown): boolean => isBonds(force) || isAngles(force) || isDihedrals(force)

const has: Readonly<Record<List, (force: Force) => boolean>> = {
  bonds: (force) => isBonds(force),
  angles: (force) => isAngles(force),
  dihedrals: (force) => isDihedrals(force),
  exclusions: (force) => !isLinked(force) && !isExternal(force),
}

/** The description with another list. @throws TypeError if no force, or several, have such a list */
export function withLinks<D extends ForceDescription>(
  description: D,
  name: string,
  { list: points, attributes }: OtherLinks,
): D {
  const { list, place } = listNamed(name) as { list: List; place: number | undefined }
  const given = { [list]: points, ...(attributes && { attributes }) }
  const { forces } = description
  if (!forces) {
    if (list !== 'exclusions' || (place ?? 0) > 0)
      throw new TypeError(`"${name}" expected a force with ${list}, got none`)
    return { ...description, domain: { ...description.domain, ...given } }
  }
  const places = [...forces.keys()].filter((n) => has[list](forces[n] as Force) && (place ?? n) === n)
  const [only, other] = places
  if (only === undefined) throw new TypeError(`"${name}" expected a force with ${list}, got none`)
  if (other !== undefined)
    throw new TypeError(
      `"${name}" expected the list of one force, but ${places.map((n) => `forces[${n}]`).join(' and ')} have ${list}; write forces[${only}].${list}`,
    )
  return { ...description, forces: forces.map((force, n) => (n === only ? ({ ...force, ...given } as Force) : force)) }
}
