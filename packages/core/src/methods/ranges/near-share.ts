/**
 * Estimates the share of all pairs that a walk over blocks will hand out, from a few pairs, before any points are put in order.
 *
 * The estimate depends on the points alone, not on earlier ones: the same points always give the same number.
 *
 * @module
 */
import type { Bindings, DeviceBuffer } from '../../contract/backend.ts'
import type { FloatArray } from '../../ground/checks.ts'
import { boxesIn, usualReach } from '../../problem/loaded-at-once.ts'
import { blockPoints } from './block-tree.ts'
import type { Points } from './order.ts'

/**
 * How many targets and sources are tried, all with all. The local density follows from the distance to the `nearest`-th of the sources
 * tried.
 */
export const nearTries: { readonly targets: number; readonly sources: number; readonly nearest: number } = {
  targets: 8,
  sources: 48,
  nearest: 4,
}
const { targets: targetTries, sources: sourceTries, nearest: nearestTries } = nearTries
/** Coordinates of a tried point. There are three, whatever the dimension. */
const axes = 3
/** Coordinates of the tried points, lengths of the box (0 along an open axis), and distances along each axis. They are reused: new arrays would take longer. */
const from = new Float64Array(targetTries * axes)
const to = new Float64Array(sourceTries * axes)
const box = new Float64Array(axes)
const apart = new Float32Array(to.length)
/** The same distances as integers, which have the same order. */
const ranks = new Int32Array(apart.buffer)
/** The distance to one of the nearest, as a number and as an integer. */
const local = new Float32Array(1)
const localRank = new Int32Array(local.buffer)
const infiniteRank = 0x7f800000
/** The edge of the box around the points of a block, relative to the edge of the cube that each block has to itself. */
const tight = 0.8

/** How far pairs are computed: up to a cutoff, or until this number of nearest sources is found, or both. */
export interface Nearness {
  readonly cutoff?: number | undefined
  readonly kept?: number | undefined
  /** Whether blocks of targets pick sources one by one. Otherwise they meet whole blocks of sources. */
  readonly picked?: boolean | undefined
  /** Whether a target meets few of many equal points. */
  readonly fewEqual?: boolean | undefined
}

/** Lengths in the estimate, relative to the distance that gives the local density. */
export interface NearLengths {
  /** Half the edges of the blocks that are compared: of the block of a target and of a source, or only of the target. */
  readonly edges: number
  /** The distance of the farthest source that a target keeps; infinite if it keeps all. */
  readonly kept: number
}

export function nearLengths(
  dimension: number,
  targets: number,
  sources: number,
  { kept, picked }: Pick<Nearness, 'kept' | 'picked'>,
): NearLengths {
  // Of the tried sources, `nearest` lie around a target. Scaled to all sources, this gives the volume of a block.
  const blockVolumes = (blockPoints * sourceTries) / (nearestTries * sources)
  return {
    // Blocks of the more numerous side are smaller.
    edges: tight * blockVolumes ** (1 / dimension) * ((picked ? 0 : 1) + (sources / targets) ** (1 / dimension)),
    kept: kept === undefined ? Number.POSITIVE_INFINITY : ((kept * blockVolumes) / blockPoints) ** (1 / dimension),
  }
}

/** The points that are tried, as fractions of their number. */
export const nearTried: { readonly targets: readonly number[]; readonly sources: readonly number[] } = {
  targets: spreadOver(targetTries, (Math.sqrt(5) - 1) / 2),
  sources: spreadOver(sourceTries, Math.SQRT2),
}

/** Fractions that are evenly spread whatever the order of points: the multiples of an irrational number. */
function spreadOver(tries: number, irrational: number): readonly number[] {
  return Array.from({ length: tries }, (_, n) => ((n + 0.5) * irrational) % 1)
}

/**
 * The share of pairs that blocks of targets meet, between 0 and 1. Every run waits for it. It takes 3 us, because no branch depends on
 * the points. A processor cannot predict such branches; with them, it took up to 18 us. Small functions are compiled alike, whatever
 * ran before.
 */
export function nearShare(targets: Points, sources: Points, nearness: Nearness): number {
  const { cutoff = Number.POSITIVE_INFINITY, fewEqual = false } = nearness
  const { position, dimension, lengths } = sources
  readTried(targets, nearTried.targets, from)
  readTried(sources, nearTried.sources, to)
  for (let axis = 0; axis < axes; axis++) box[axis] = axis < lengths.length ? (lengths[axis] as number) : 0
  const [targetCount, sourceCount] = [targets.position.length / dimension, position.length / dimension]
  const { edges, kept } = nearLengths(dimension, targetCount, sourceCount, nearness)
  let near = 0
  for (let target = 0; target < from.length; target += axes) {
    measureFrom(target)
    const spacing = localDistance()
    const reach = Math.min(cutoff, spacing * kept)
    // Boxes within reach of each other have all their pairs computed.
    near += Number(!(fewEqual && reach === 0)) * withinReach(spacing * edges, reach)
  }
  return near / (targetTries * sourceTries)
}

/** Measures how far each source is from a target. The coordinates of the target begin at the index. */
function measureFrom(target: number): void {
  const x = from[target] as number
  const y = from[target + 1] as number
  const z = from[target + 2] as number
  const length0 = box[0] as number
  const length1 = box[1] as number
  const length2 = box[2] as number
  const share0 = length0 && 1 / length0
  const share1 = length1 && 1 / length1
  const share2 = length2 && 1 / length2
  for (let n = 0; n < to.length; n += axes) {
    apart[n] = distance((to[n] as number) - x, length0, share0)
    apart[n + 1] = distance((to[n + 1] as number) - y, length1, share1)
    apart[n + 2] = distance((to[n + 2] as number) - z, length2, share2)
  }
}

/**
 * How far apart two coordinates are by the nearest image. Halves are rounded up, unlike by Math.round of a negative number; this makes
 * no difference to a distance.
 *
 * @param length the length of the box; 0 if it is open
 */
const distance = (straight: number, length: number, share: number): number =>
  Math.abs(straight - length * Math.floor(straight * share + 0.5))

/** The distance to the fourth nearest source, by the largest of the distances along the axes. */
function localDistance(): number {
  let first = infiniteRank
  let second = infiniteRank
  let third = infiniteRank
  let fourth = infiniteRank
  for (let n = 0; n < ranks.length; n += axes) {
    let rank = ranks[n] as number
    rank -= below(rank, ranks[n + 1] as number)
    rank -= below(rank, ranks[n + 2] as number)
    // The lesser one takes the place, and the greater one goes on.
    let less = below(rank, first)
    first += less
    rank -= less
    less = below(rank, second)
    second += less
    rank -= less
    less = below(rank, third)
    third += less
    rank -= less
    fourth += below(rank, fourth)
  }
  localRank[0] = fourth
  return local[0] as number
}

/** By how much one rank is below another, as a negative number; 0 if it is not. */
const below = (rank: number, other: number): number => (rank - other) & ((rank - other) >> 31)

/** How many sources are within reach of a box around the target. */
function withinReach(half: number, reach: number): number {
  const most = 4 * reach * reach
  let near = 0
  for (let n = 0; n < apart.length; n += axes) {
    const gap0 = twicePositive((apart[n] as number) - half)
    const gap1 = twicePositive((apart[n + 1] as number) - half)
    const gap2 = twicePositive((apart[n + 2] as number) - half)
    // A gap that is NaN is never left out.
    near += Number(!(gap0 * gap0 + gap1 * gap1 + gap2 * gap2 > most))
  }
  return near
}

/** Twice a number, or 0 if it is negative. */
const twicePositive = (x: number): number => x + Math.abs(x)

/**
 * The share of a run; 1 if its positions cannot be read here.
 *
 * @param numbersOf the numbers of positions that are not in an array of the caller
 */
export function nearShareOf(
  { dimension }: Pick<Points, 'dimension'>,
  { targets, sources, parameters }: Bindings,
  {
    numbersOf,
    ...nearness
  }: Omit<Nearness, 'cutoff'> & {
    readonly numbersOf?: (positions: FloatArray | DeviceBuffer) => FloatArray | undefined
  } = {},
): number {
  const cutoff = usualReach(parameters)
  const lengths = boxesIn(parameters)
  const points = ({ arrays: { position: given } }: Bindings['targets']): Points | undefined => {
    const here = given instanceof Float32Array || given instanceof Float64Array
    const position = here ? given : given && numbersOf?.(given)
    return position && { position, dimension, lengths }
  }
  const [from, to] = [points(targets), points(sources)]
  return from && to ? nearShare(from, to, { cutoff, ...nearness }) : 1
}

/** Writes the coordinates of the points at some fractions. Missing coordinates are 0. */
function readTried({ position, dimension }: Points, fractions: readonly number[], coordinates: Float64Array): void {
  const count = position.length / dimension
  if (dimension < axes) coordinates.fill(0)
  for (let n = 0; n < fractions.length; n++) {
    const point = Math.floor((fractions[n] as number) * count)
    for (let axis = 0; axis < dimension; axis++)
      coordinates[n * axes + axis] = position[point * dimension + axis] as number
  }
}
