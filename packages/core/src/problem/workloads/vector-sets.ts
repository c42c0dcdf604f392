/**
 * Sets of points for laws of vectors. An attribute of n x D numbers is a vector of D components; the arrays alone say how many these
 * are. Positions are needed only if a law or a domain reads them.
 *
 * @module
 */
import { arrayTypes, type FloatArray, takenArray, whole } from '../../ground/checks.ts'
import { nameOf, record } from '../../ground/names.ts'
import type { VectorFacts } from './law-facts.ts'
import { type CheckedSet, dimensionOf, isSet, noSet, pointCount } from './particles.ts'
import type { Vectors } from './vector-parameters.ts'
import type { Dimension } from './workload.ts'

/** One side, as the caller gives it. */
interface GivenSide {
  readonly given: unknown
  readonly prefix: string
  /** The attributes that the law reads of it. */
  readonly reads: readonly string[]
}

interface Side extends Omit<CheckedSet, 'count'> {
  readonly known: number | undefined
}

/** The number of components of each vector, by name. */
export type Lengths = Readonly<Record<string, number>>

/**
 * Checks the sets of a run, and copies the arrays that the law reads.
 *
 * @param law its name, for messages
 * @param parameters those that are vectors
 * @param prepared the lengths in a prepared program, for vectors that no point has
 * @throws TypeError, RangeError
 */
export function vectorSets(
  given: readonly GivenSide[],
  facts: VectorFacts,
  law: string,
  parameters: Vectors,
  prepared: Lengths = {},
): { readonly sets: readonly CheckedSet[]; readonly lengths: Lengths } {
  const vectors = facts.groups.flat()
  const start = given.map((side) => sideOf(side, facts, vectors, law))
  const lengths = record<number>([])
  const known = (name: string) => prepared[name] ?? []
  const ofParameters = (name: string) => parameters[name]?.length ?? []
  const decided = (sides: readonly Side[]): readonly Decided[] =>
    facts.groups.map((group) => ({
      group,
      own: lengthOf(group, sides, law) ?? [...group.flatMap(known), ...group.flatMap(ofParameters)][0],
    }))
  const first = decided(start)
  // A set whose vectors meet those of another has a number of points, which tells how long its other vectors are.
  const sides = start.map((side) => ({ ...side, known: side.known ?? countBy(side, first) }))
  const groups = decided(sides)
  for (const { group, own } of groups) {
    for (const name of group) {
      const { length = own } = parameters[name] ?? {}
      if (length !== own)
        throw new RangeError(`"${name}" expected ${own} numbers, as the vectors that it meets have, got ${length}`)
      if (!parameters[name]) lengths[name] = own ?? 1
    }
  }
  const sets = sides.map(({ known, ...side }): CheckedSet => {
    const counts = Object.keys(side.arrays).filter((name) => vectors.includes(name))
    const count = known ?? counts.map((name) => sizeOf(side, name) / (lengths[name] as number))[0] ?? 0
    const decided = groups.some(({ group, own }) => own !== undefined && counts.some((name) => group.includes(name)))
    if (known === undefined && !decided)
      throw new TypeError(
        `"${side.prefix}count" expected the number of points, because vectors alone do not tell it, got nothing; give { ${counts.join(', ')}, count: 100 }`,
      )
    for (const name of counts) requireLength(side, name, count, lengths)
    return { ...side, count }
  })
  return { sets, lengths }
}

/** Vectors of one length, and this length if something tells it. */
interface Decided {
  readonly group: readonly string[]
  readonly own: number | undefined
}

/** The number of points of a side, from a vector with a known length. */
function countBy(side: Side, groups: readonly Decided[]): number | undefined {
  const counts = groups.flatMap(({ group, own = 0 }) =>
    group.flatMap((name) => (side.arrays[name] && own > 0 ? sizeOf(side, name) / own : [])),
  )
  return counts.find(Number.isInteger)
}

const sizeOf = ({ arrays }: Pick<Side, 'arrays'>, name: string): number => arrays[name]?.length ?? 0

/** The arrays of a side that the law reads, and the number of points if something but the vectors tells it. */
function sideOf(
  { given, prefix, reads }: GivenSide,
  { placed }: VectorFacts,
  vectors: readonly string[],
  law: string,
): Side {
  if (!isSet(given)) throw noSet(prefix.slice(0, -1) || 'particles', '{ x, ... }, arrays by name', given)
  const { dimension: wanted, count: counted, ...all } = given as Readonly<Record<string, unknown>>
  const dimension = dimensionOf(wanted, prefix)
  for (const name of Object.keys(all)) nameOf(name, 'particles')
  const needed = [...(placed ? ['position'] : []), ...reads]
  const arrays = record<FloatArray>(
    needed.map((name) => {
      if (all[name] === undefined)
        throw new TypeError(
          `"${prefix}${name}" expected ${arrayTypes}, as ${law} reads it, got nothing; given: ${Object.keys(all).join(', ')}`,
        )
      return [name, takenArray(all[name], `${prefix}${name}`)]
    }),
  )
  const place = arrays.position && pointCount(arrays.position, dimension, prefix)
  const asked = counted === undefined ? undefined : whole(counted, `${prefix}count`, 0)
  const number = reads.find((name) => !vectors.includes(name))
  const known = asked ?? place ?? arrays[number ?? '']?.length ?? unreadPlaces(all.position, dimension, prefix)
  const side = { dimension, prefix, arrays, vectors: placed ? ['position'] : [], known }
  if (known === undefined) return side
  if (place !== undefined && place !== known)
    throw new RangeError(`"${prefix}position" expected ${known} points, as count says, got ${place}`)
  for (const name of reads) {
    const { length } = arrays[name] as FloatArray
    if (!vectors.includes(name) && length !== known)
      throw new RangeError(`"${prefix}${name}" expected length ${known}, one number per point, got ${length}`)
  }
  return side
}

/** The number of points, if positions tell it that the law does not read. @throws TypeError, RangeError for other data */
const unreadPlaces = (position: unknown, dimension: Dimension, prefix: string): number | undefined =>
  position === undefined ? undefined : pointCount(takenArray(position, `${prefix}position`), dimension, prefix)

/** The length of the vectors of a group, from the first array of a set with a known number of points. */
function lengthOf(group: readonly string[], sides: readonly Side[], law: string): number | undefined {
  for (const side of sides)
    for (const name of group) {
      if (!side.known || !side.arrays[name]) continue
      const size = sizeOf(side, name)
      const own = size / side.known
      if (Number.isInteger(own) && own > 0) return own
      throw new RangeError(
        `"${side.prefix}${name}" expected D numbers for each of ${side.known} points, at least one, as ${law} reads a vector, got length ${size}`,
      )
    }
  return undefined
}

function requireLength(side: Pick<Side, 'arrays' | 'prefix'>, name: string, count: number, lengths: Lengths): void {
  const [size, own] = [sizeOf(side, name), lengths[name] as number]
  if (size === count * own && Number.isInteger(count)) return
  const expected = Number.isInteger(count)
    ? `length ${count * own}, ${own} for each of ${count} points`
    : `${own} numbers per point`
  throw new RangeError(
    `"${side.prefix}${name}" expected ${expected}, as the vectors that it meets have, got length ${size}`,
  )
}
