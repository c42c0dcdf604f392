/**
 * The legs between the points of links, across faces of the box, and lengths: those of bonds, and the common text of the maps of angles and
 * dihedrals.
 *
 * @module
 */
import { axes, axesOf } from '../../ground/axes.ts'
import { powerOf, sumOf } from '../../language/canonical.ts'
import { toText } from '../../language/infix.ts'
import { type Expr, negate, symbol } from '../../language/nodes.ts'
import { isTilted, repeatOf } from '../../problem/workloads/domain.ts'
import { gatherMap } from '../../problem/workloads/particle.ts'
import type { Dimension, Gathered } from '../../problem/workloads/workload.ts'
import { boxSymbol, boxSymbols } from '../numbers/box.ts'
import type { Angular } from './angles.ts'
import type { Bonds } from './bonds.ts'
import { type BondMap, endNames } from './end-names.ts'
import { membersOf } from './ends.ts'
import { nearestImage } from './images.ts'

/** The displacement from the point of the end of a bond to the other, its square, and the positions that both read. */
export function legOfBond(
  { boundary }: Pick<Bonds, 'boundary'>,
  dimension: Dimension,
): {
  readonly along: readonly Expr[]
  readonly r2: Expr
  readonly gather: Readonly<Record<string, Gathered>>
  readonly vectors: readonly string[]
} {
  const gather = {
    other_position: { of: 'position', at: endNames.other },
    own_position: { of: 'position', at: endNames.own },
  }
  const direct = axesOf(dimension).map((axis) =>
    sumOf([symbol(`other_position_${axis}`), negate(symbol(`own_position_${axis}`))]),
  )
  const along = nearestImage(boundary, direct)
  return { along, r2: sumOf(along.map((d) => powerOf(d, 2))), gather, vectors: Object.keys(gather) }
}

/** The positions of the points of a link, by their place in it, on one axis. */
const at = (place: number, axis: string) => `member${place}_position_${axis}`

/** The leg from one member to another as definitions `<name>x` and so on. */
export function legBetween(
  name: string,
  [from, to]: readonly [number, number],
  { boundary }: Pick<Angular, 'boundary'>,
  dimension: Dimension,
): readonly string[] {
  if (isTilted(boundary)) {
    const direct = axesOf(dimension).map((axis) => sumOf([symbol(at(to, axis)), negate(symbol(at(from, axis)))]))
    return nearestImage(boundary, direct).map((e, n) => `${name}${axes[n]} = ${toText(e)}`)
  }
  return axesOf(dimension).flatMap((axis, n) => {
    const direct = `${at(to, axis)} - ${at(from, axis)}`
    const length = boxSymbol(n)
    if (repeatOf(boundary, n) === undefined) return [`${name}${axis} = ${direct}`]
    const whole = `direct${name}${axis}`
    return [`${name}${axis} = ${whole} - ${length}*round(${whole}/${length})`, `${whole} = ${direct}`]
  })
}

/** The map of the ends of links with these outputs, which reads the positions of all members. */
export function mapOfLegs(links: Angular, outputs: Readonly<Record<string, readonly string[]>>): BondMap {
  const size = membersOf(links)[0]?.length ?? 0
  const gather = Array.from({ length: size }, (_, place) => {
    return [`member${place}_position`, { of: 'position', at: endNames.member(place) }] as const
  })
  const box = Object.fromEntries(boxSymbols(links.boundary))
  return { workload: gatherMap(outputs, Object.fromEntries(gather), box), vectors: gather.map(([name]) => name) }
}

/** A sum over the axes. */
export const sumOver = (dimension: Dimension, term: (axis: string) => string): string =>
  axesOf(dimension).map(term).join(' + ')

/** A length as definitions: its square, the same without 0, and its root. */
export const lengthOf = (name: string, squared: string): readonly string[] => [
  `squared${name} = ${squared}`,
  `known${name} = select(0 < squared${name}, squared${name}, 1)`,
  `length${name} = sqrt(known${name})`,
]
