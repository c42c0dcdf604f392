/**
 * The ends of bonds, angles and dihedrals. Each bond has two ends, each angle three and each dihedral four: the points that it pulls.
 *
 * The ends of a point lie one after the other, so that a device can add them up in a few rounds. In the rounds, an end adds the sum
 * of the end 1, 2, 4, ... places further on, if that end belongs to the same point.
 *
 * @module
 */
import type { Angular } from './angles.ts'
import type { Bonds } from './bonds.ts'

export type Links = Bonds | Angular

/** The option that lists the points of links. */
export const listOf = (links: object): 'bonds' | 'angles' | 'dihedrals' =>
  'bonds' in links ? 'bonds' : 'angles' in links ? 'angles' : 'dihedrals'

/** The points of each link. */
export const membersOf = (links: Links): readonly (readonly number[])[] =>
  'bonds' in links ? links.bonds : 'angles' in links ? links.angles : links.dihedrals

export const countEnds = (links: Links): number => membersOf(links).reduce((sum, { length }) => sum + length, 0)

/** @throws RangeError for a link to a missing point */
export function requirePoints(links: Links, count: number): void {
  const members = membersOf(links)
  const missing = members.findIndex((points) => points.some((point) => point >= count))
  if (missing < 0) return
  const point = Math.max(...(members[missing] as readonly number[]))
  throw new RangeError(
    `"${listOf(links)}[${missing}]" of ${links.law.name} expected indices of the ${count} points, got ${point}`,
  )
}

/** The ends of all links of a force as arrays. Indices are numbers; -1 stands for none. */
export interface Ends {
  readonly count: number
  /** Of each end: its point, the points of its link in their order, and its place among them. */
  readonly own: Float64Array
  readonly members: readonly Float64Array[]
  readonly place: Float64Array
  /** Of each end: the numbers of its link by name. */
  readonly attributes: Readonly<Record<string, Float64Array>>
  /** Of each round of the sum: the end to add, or -1. */
  readonly rounds: readonly Float64Array[]
  /** Of each point: its first end, or -1. */
  readonly first: Float64Array
}

/** The other point of the bond of each end. */
export const otherOf = ({ place, members: [first, second] }: Pick<Ends, 'place' | 'members'>): Float64Array =>
  place.map((at, end) => (at === 0 ? second : first)?.[end] as number)

/** Sorts the ends by their points. */
export function endsOf(links: Links, points: number): Ends {
  const members = membersOf(links)
  const count = countEnds(links)
  const degrees = new Uint32Array(points + 1)
  for (const point of members.flat()) degrees[point + 1] = (degrees[point + 1] as number) + 1
  const starts = degrees.slice()
  for (let point = 0; point < points; point++)
    starts[point + 1] = (starts[point + 1] as number) + (starts[point] as number)
  const first = Float64Array.from({ length: points }, (_, point) =>
    degrees[point + 1] === 0 ? -1 : (starts[point] as number),
  )
  const [own, place] = [new Float64Array(count), new Float64Array(count)]
  const ofLink = Array.from({ length: members[0]?.length ?? 0 }, () => new Float64Array(count))
  const linkOf = new Uint32Array(count)
  const next = starts.slice()
  for (const [n, list] of members.entries())
    for (const [at, point] of list.entries()) {
      const end = next[point] as number
      next[point] = end + 1
      own[end] = point
      place[end] = at
      for (const [k, member] of list.entries()) (ofLink[k] as Float64Array)[end] = member
      linkOf[end] = n
    }
  const most = degrees.reduce((a, b) => Math.max(a, b), 0)
  const rounds: Float64Array[] = []
  for (let step = 1; step < most; step *= 2)
    rounds.push(own.map((point, end) => (own[end + step] === point ? end + step : -1)))
  const attributes = Object.entries(links.attributes).map(([name, list]) => {
    return [name, Float64Array.from(linkOf, (link) => list[link] as number)] as const
  })
  return { count, own, members: ofLink, place, attributes: Object.fromEntries(attributes), rounds, first }
}
