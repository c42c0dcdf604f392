/**
 * The ends of bonds and angles. Each bond has two ends and each angle three: the points that it pulls.
 *
 * The ends of a point lie one after the other, so that a device can add them up in a few rounds. In the rounds, an end adds the sum
 * of the end 1, 2, 4, ... places further on, if that end belongs to the same point.
 *
 * @module
 */
import type { Angles } from './angles.ts'
import type { Bonds } from './bonds.ts'

export type Links = Bonds | Angles

/** The points of each link. */
export const membersOf = (links: Links): readonly (readonly number[])[] =>
  'bonds' in links ? links.bonds : links.angles

export const countEnds = (links: Links): number => membersOf(links).reduce((sum, { length }) => sum + length, 0)

/** @throws RangeError for a bond or an angle to a missing point */
export function requirePoints(links: Links, count: number): void {
  const members = membersOf(links)
  const missing = members.findIndex((points) => points.some((point) => point >= count))
  if (missing < 0) return
  const point = Math.max(...(members[missing] as readonly number[]))
  const list = 'bonds' in links ? 'bonds' : 'angles'
  throw new RangeError(
    `"${list}[${missing}]" of ${links.law.name} expected indices of the ${count} points, got ${point}`,
  )
}

/** The ends of all bonds or angles as arrays. Indices are numbers; -1 stands for none. */
export interface Ends {
  readonly count: number
  /** Of each end: its point, the other points of its link, neighbours first, and its place in it. */
  readonly own: Float64Array
  readonly others: readonly Float64Array[]
  readonly place: Float64Array
  /** Of each end: the numbers of its link by name. */
  readonly attributes: Readonly<Record<string, Float64Array>>
  /** Of each round of the sum: the end to add, or -1. */
  readonly rounds: readonly Float64Array[]
  /** Of each point: its first end, or -1. */
  readonly first: Float64Array
}

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
  const others = Array.from({ length: (members[0]?.length ?? 2) - 1 }, () => new Float64Array(count))
  const linkOf = new Uint32Array(count)
  const next = starts.slice()
  for (const [n, list] of members.entries())
    for (const [at, point] of list.entries()) {
      const end = next[point] as number
      next[point] = end + 1
      own[end] = point
      place[end] = at
      // Neighbours in the link come first: for an outer point of an angle, the vertex.
      const rest = at === 2 ? list.slice(0, 2).reverse() : list.filter((one) => one !== point)
      for (const [k, other] of rest.entries()) (others[k] as Float64Array)[end] = other
      linkOf[end] = n
    }
  const most = degrees.reduce((a, b) => Math.max(a, b), 0)
  const rounds: Float64Array[] = []
  for (let step = 1; step < most; step *= 2)
    rounds.push(own.map((point, end) => (own[end + step] === point ? end + step : -1)))
  const attributes = Object.entries(links.attributes).map(([name, list]) => {
    return [name, Float64Array.from(linkOf, (link) => list[link] as number)] as const
  })
  return { count, own, others, place, attributes: Object.fromEntries(attributes), rounds, first }
}
