/**
 * Finds two points so close that rounding their coordinates to float32 changes their distance too much, wherever they are in their
 * arrays.
 *
 * Two points can only be such a pair within a short reach of each other. A hash of cells removes all points that are alone within
 * reach (see `cell-hash.ts`). In an ordinary cloud few remain after one round, by chance. The next round has other cells, and smaller
 * ones if the remaining points are rounded less.
 *
 * @module
 */
import type { FloatArray } from '../../../ground/checks.ts'
import { meeting, meetingOf, type SomePoints } from './cell-hash.ts'

interface ClosePair {
  readonly target: number
  readonly source: number
}

/** Where points are close to each other. */
interface Surroundings {
  readonly dimension: number
  /** Lengths of a periodic box, if any; 0 or none along an axis that does not repeat. */
  readonly boxes: readonly number[]
}

/** If there are fewer pairs, all are examined. */
const fewPairs = 2 ** 13
/** The edges of cells in each round, in reaches. */
const rounds = [64, 24, 16, 8, 8]
/** The size of the table. Later rounds have fewer points in a table of the same size. */
const bitsPerPoint = 8
/** The most pairs that are examined at the end, for each point. */
const looksPerPoint = 64
/** The most that rounding changes a displacement of two points, by their size, and a little more for the octaves of sizes. */
const lostPerSize = 2 ** -23 * (1 + 2 ** -20)
/** This many points of each set tell whether close pairs are common. */
const sample = 2 ** 11

/**
 * A pair of points at different places, if rounding changes their distance by more than a share. Undefined if there is none;
 * `'many'` if it gives up because too many points are close to each other.
 *
 * @param targets coordinates in float64; the same array as the sources if they are one set
 * @param share of the distance between neighbours. In a large cloud the closest pair is much closer than neighbours are. It may lose
 * the usual loss of the closest pair among evenly spread points
 */
export function closePair(
  targets: FloatArray,
  sources: FloatArray,
  space: Surroundings,
  share: number,
): ClosePair | 'many' | undefined {
  const { dimension } = space
  const here: SomePoints = { positions: targets, count: targets.length / dimension }
  const there: SomePoints = targets === sources ? here : { positions: sources, count: sources.length / dimension }
  const size = sizeOf(here, there, dimension)
  if (isHarmless(size)) return undefined
  const tolerated = toleratedShare(Math.sqrt(here.count * there.count), size, share)
  const first = (set: SomePoints): SomePoints => ({ ...set, count: Math.min(set.count, sample) })
  if (here.count * there.count > 4 * sample * sample) {
    const some = first(here)
    const common = search(some, here === there ? some : first(there), space, tolerated, size)
    if (common) return common
  }
  return search(here, there, space, tolerated, size)
}

/**
 * @param sources the same object as the targets if they are one set
 * @param given at least the size of these points
 */
function search(
  targets: SomePoints,
  sources: SomePoints,
  space: Surroundings,
  share: number,
  given: Size,
): ClosePair | 'many' | undefined {
  const all = targets.count + sources.count
  const mask = 2 ** Math.min(30, Math.ceil(Math.log2(bitsPerPoint * all))) - 1
  let [here, there, size] = [targets, sources, given]
  for (const [round, wide] of rounds.entries()) {
    if (here.count * there.count <= fewPairs) break
    const reach = size.lost / share
    const { largest } = size
    const grid = { reach, reachPerSize: lostPerSize / share, largest, wide, round, mask, ...space }
    if (targets === sources) here = there = meeting(here, grid)
    else [here, there] = meetingOf(here, there, grid)
    size = sizeOf(here, there, space.dimension)
    if (isHarmless(size)) return undefined
  }
  return examined(here, there, space, share, fewPairs + looksPerPoint * all)
}

/** Whether all coordinates are exact, or all points are at one place. */
const isHarmless = ({ lost, extents }: Size): boolean => lost === 0 || !extents.some((extent) => extent > 0)

/**
 * The share that a pair of N points may lose. If points are spread evenly, the closest two usually lose 2^-23 of the longest extent,
 * which is `ratio(N^2)` distances between them. This allows for the luck of eight such clouds. Neighbours are `ratio(N)` times closer
 * than that extent, and the closest pair may lose more by the same factor.
 */
function toleratedShare(count: number, { extents }: Size, share: number): number {
  const [longest = 0, ...others] = extents.toSorted((a, b) => b - a)
  const flatness =
    others.length === 2 ? longest ** 2 / ((others[0] as number) * (others[1] as number)) : Number.POSITIVE_INFINITY
  const ratio = (points: number) =>
    Math.min(Math.sqrt(points), Math.cbrt(points * flatness) || Number.POSITIVE_INFINITY)
  const closest = ratio(count ** 2)
  return Math.max(share, Math.min(2 ** -20 * closest, (share * closest) / ratio(count)))
}

interface Size {
  /** The largest change of a displacement along an axis by rounding. */
  readonly lost: number
  /** The largest coordinate. */
  readonly largest: number
  /** Along each axis. */
  readonly extents: readonly number[]
}

function sizeOf(here: SomePoints, there: SomePoints, dimension: number): Size {
  const ranges = (here === there ? [here] : [here, there]).map((set) => rangeOf(set, dimension))
  const extents = Array.from({ length: dimension }, (_, axis) => {
    const [least, most] = [
      ranges.map((range) => range.least[axis] as number),
      ranges.map((range) => range.most[axis] as number),
    ]
    return Math.max(...most) - Math.min(...least)
  })
  const lost = ranges.reduce((sum, range) => sum + range.lost, 0) * (here === there ? 2 : 1)
  return { lost, largest: Math.max(...ranges.flatMap(({ least, most }) => [...least, ...most]).map(Math.abs)), extents }
}

/** The limits of coordinates, and the largest change by rounding. */
function rangeOf({ positions, count, points }: SomePoints, dimension: number) {
  const least = new Array<number>(dimension).fill(Number.POSITIVE_INFINITY)
  const most = new Array<number>(dimension).fill(Number.NEGATIVE_INFINITY)
  let lost = 0
  for (let axis = 0; axis < dimension; axis++) {
    let low = Number.POSITIVE_INFINITY
    let high = Number.NEGATIVE_INFINITY
    const last = points ? count : dimension * count
    for (let k = points ? 0 : axis; k < last; k += points ? 1 : dimension) {
      const x = positions[points ? dimension * (points[k] as number) + axis : k] as number
      const change = Math.abs(Math.fround(x) - x)
      if (x < low) low = x
      if (x > high) high = x
      if (change > lost) lost = change
    }
    least[axis] = low
    most[axis] = high
  }
  return { least, most, lost }
}

/** Looks at pairs one by one. */
function examined(
  targets: SomePoints,
  sources: SomePoints,
  { dimension, boxes }: Surroundings,
  share: number,
  looks: number,
): ClosePair | 'many' | undefined {
  const [here, there] = [targets.positions, sources.positions]
  let left = looks
  for (let k = 0; k < targets.count; k++) {
    const target = targets.points ? (targets.points[k] as number) : k
    for (let n = targets === sources ? k + 1 : 0; n < sources.count; n++) {
      const source = sources.points ? (sources.points[n] as number) : n
      let r2 = 0
      let most = 0
      for (let axis = 0; axis < dimension; axis++) {
        const a = here[dimension * target + axis] as number
        const b = there[dimension * source + axis] as number
        const box = boxes[axis]
        const along = box ? b - a - box * Math.round((b - a) / box) : b - a
        const change = Math.abs(Math.fround(b) - b - (Math.fround(a) - a))
        r2 += along * along
        if (change > most) most = change
      }
      if (r2 > 0 && most * most > share * share * r2) return { target, source }
      if (left-- === 0) return 'many'
    }
  }
  return undefined
}
