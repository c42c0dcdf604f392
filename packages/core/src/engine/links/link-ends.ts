/**
 * The ends of links with the numbers of their points and of their links, as arrays of a map. A link has an end for each point that
 * receives. The ends are in the order of the links, so that each point adds up its terms in this order.
 *
 * @module
 */
import type { FloatArray } from '../../ground/checks.ts'
import type { Precision } from '../../ground/precision.ts'
import { Remembered } from '../../ground/remember.ts'
import type { Tables } from '../../ground/table.ts'
import { foldText } from '../../language/fold-names.ts'
import { type Boundary, isTilted, repeatOf } from '../../problem/workloads/domain.ts'
import { requireFoundInFloat32, requireInFloat32 } from '../../problem/workloads/numbers/float32-numbers.ts'
import type { Lengths } from '../../problem/workloads/vector-sets.ts'
import type { Shape } from '../../problem/workloads/workload.ts'
import { bendsOf } from '../../simulation/forces/angle-stages.ts'
import { endNames } from '../../simulation/forces/end-names.ts'
import { endTables } from '../../simulation/forces/end-tables.ts'
import { membersOf, otherOf } from '../../simulation/forces/ends.ts'
import { nearestNumbers } from '../../simulation/forces/images.ts'
import { lookupsOfEnds } from '../../simulation/forces/link-calls.ts'
import type { NumbersByName } from '../../simulation/numbers/numbers.ts'
import type { LinkMap } from './link-map.ts'
import { endsInTotal, foldedBy, type LinkWorkload } from './over-links.ts'

/** The ends that a run computes. */
export interface LinkEnds {
  readonly count: number
  /** Of each end: its link, its point, the points of its link, and its place among them. */
  readonly link: Uint32Array
  readonly own: Float64Array
  readonly members: readonly Float64Array[]
  readonly place: Float64Array
}

/** @param receives which points receive; all by default */
export function linkEnds(workload: LinkWorkload, receives?: (point: number, link: number) => boolean): LinkEnds {
  return receives ? endsFor(workload, receives) : all.of(workload, () => endsFor(workload, () => true))
}

const all = new Remembered<LinkWorkload, LinkEnds>()

function endsFor(workload: LinkWorkload, receives: (point: number, link: number) => boolean): LinkEnds {
  const lists = membersOf(workload.links)
  const size = lists[0]?.length ?? 0
  const { links, reduction, directed } = workload
  const once = directed || reduction === 'each'
  const places = once ? 1 : foldedBy(reduction) === undefined ? endsInTotal(links) : size
  const most = lists.length * places
  const [link, own, place] = [new Uint32Array(most), new Float64Array(most), new Float64Array(most)]
  let count = 0
  for (const [n, points] of lists.entries())
    for (let at = 0; at < places; at++) {
      if (!receives(points[at] as number, n)) continue
      link[count] = n
      own[count] = points[at] as number
      place[count++] = at
    }
  const members = Array.from({ length: size }, (_, at) => {
    const ofLink = new Float64Array(count)
    for (let end = 0; end < count; end++) ofLink[end] = lists[link[end] as number]?.[at] as number
    return ofLink
  })
  return { count, link: link.slice(0, count), own: own.slice(0, count), place: place.slice(0, count), members }
}

/** The numbers of the links and the indices of the points, for each end. */
interface OfEnds {
  readonly attributes: Readonly<Record<string, Float64Array>>
  /** The attributes as a device gets them. */
  readonly given: Readonly<Record<string, FloatArray>>
  readonly indices: Readonly<Record<string, Float64Array>>
}

const ofEnds = new Remembered<LinkEnds, OfEnds>()

function numbersOfLinks(links: LinkWorkload['links'], ends: LinkEnds, precision: Precision): OfEnds {
  const attributes = Object.entries(links.attributes).map(([name, list]) => {
    const numbers = new Float64Array(ends.count)
    for (let end = 0; end < ends.count; end++) numbers[end] = list[ends.link[end] as number] as number
    return [name, numbers] as const
  })
  const members = ends.members.map((points, at) => [endNames.member(at), points] as const)
  const given = attributes.map(([name, list]) => {
    if (precision === 'f32') requireInFloat32(list, `links.attributes.${name}`)
    return [endNames.attribute(name), precision === 'f32' ? new Float32Array(list) : list] as const
  })
  return {
    attributes: Object.fromEntries(attributes),
    given: Object.fromEntries(given),
    indices: {
      [endNames.own]: ends.own,
      ...('bonds' in links ? { [endNames.other]: otherOf(ends) } : {}),
      ...Object.fromEntries(members),
    },
  }
}

/** The points of a run, and the numbers of the law. */
export interface LinkedPoints {
  readonly arrays: Readonly<Record<string, FloatArray>>
  readonly shape: Pick<Shape, 'dimension' | 'vectors'>
  readonly parameters: NumbersByName
  readonly tables: Tables | undefined
  /** The number of components of each vector that the law reads. */
  readonly lengths: Lengths | undefined
  /** The precision of the numbers of ends. */
  readonly precision: Precision
}

/** The arrays that the maps of the ends read. */
export function endArrays(
  { links }: LinkWorkload,
  { gathered, base, stages }: LinkMap,
  ends: LinkEnds,
  { arrays, shape, parameters, tables, lengths, precision }: LinkedPoints,
): Readonly<Record<string, FloatArray>> {
  const { dimension, vectors } = shape
  const { attributes, given, indices } = ofEnds.of(ends, () => numbersOfLinks(links, ends, precision), precision)
  const Numbers = precision === 'f32' ? Float32Array : Float64Array
  const read = Object.entries(gathered).map(([name, { of, at }]) => {
    const [index, array] = [indices[at] as Float64Array, arrays[of] as FloatArray]
    if (of === 'position') {
      const found = new Numbers(dimension * ends.count)
      return [name, between(array, [indices[base] as Float64Array, index], links.boundary, found)] as const
    }
    const width = vectors.includes(of) ? dimension : 1
    return [name, gather(array, index, width, new Numbers(width * ends.count))] as const
  })
  const own: Readonly<Record<string, FloatArray>> = {
    [endNames.place]: ends.place,
    // The order of the points decides where points at one place are pushed.
    ...('bonds' in links && { [endNames.own]: ends.own, [endNames.other]: indices[endNames.other] as Float64Array }),
    ...('angles' in links && { [endNames.bends]: bendsOf(links, attributes, ends.count, parameters) }),
    ...('bonds' in links && tablesOfEnds(links.law, ends, { arrays, parameters, tables, lengths, precision })),
  }
  const used = Object.entries(own).filter(([name]) => stages.some((stage) => stage.arrays.includes(name)))
  return {
    ...Object.fromEntries(read),
    ...given,
    ...Object.fromEntries(used.map(([name, list]) => [name, list instanceof Numbers ? list : new Numbers(list)])),
  }
}

function tablesOfEnds(
  law: Parameters<typeof endTables>[0]['law'],
  ends: LinkEnds,
  { arrays, tables, precision, ...numbers }: Omit<LinkedPoints, 'shape'>,
): Readonly<Record<string, FloatArray>> {
  const found = endTables({ law: { ...law, ...(tables && { tables }) } }, ends, arrays, numbers)
  if (precision === 'f32')
    for (const [n, name] of lookupsOfEnds(law).entries())
      requireFoundInFloat32(found[n] as FloatArray, foldText(name) ?? name)
  return Object.fromEntries(found.map((list, n) => [endNames.table(n), list]))
}

/** @param found gets the numbers */
function gather(array: FloatArray, index: Float64Array, width: number, found: FloatArray): FloatArray {
  for (let end = 0; end < index.length; end++)
    for (let c = 0; c < width; c++) found[end * width + c] = array[(index[end] as number) * width + c] as number
  return found
}

/** Positions relative to the nearest image of others, subtracted in float64. @param found gets the numbers */
function between(
  position: FloatArray,
  [from, to]: readonly [from: Float64Array, to: Float64Array],
  boundary: Boundary,
  found: FloatArray,
): FloatArray {
  const dimension = found.length / to.length
  const apart = (end: number, axis: number) =>
    (position[(to[end] as number) * dimension + axis] as number) -
    (position[(from[end] as number) * dimension + axis] as number)
  if (isTilted(boundary)) {
    for (let end = 0; end < to.length; end++)
      found.set(
        nearestNumbers(
          boundary,
          Array.from({ length: dimension }, (_, axis) => apart(end, axis)),
        ),
        end * dimension,
      )
    return found
  }
  for (let axis = 0; axis < dimension; axis++) {
    const box = repeatOf(boundary, axis)
    for (let end = 0; end < to.length; end++) {
      const direct = apart(end, axis)
      found[end * dimension + axis] = box === undefined ? direct : direct - box * Math.round(direct / box)
    }
  }
  return found
}
