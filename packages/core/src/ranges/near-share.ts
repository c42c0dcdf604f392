/**
 * What share of all pairs a walk over blocks will hand out, estimated from a few pairs before any points are put in order.
 *
 * The estimate depends on the points alone, not on earlier ones: the same points always give the same number.
 *
 * @module
 */
import type { Bindings, DeviceBuffer } from '../backend.ts'
import type { FloatArray } from '../checks.ts'
import { blockPoints } from './block-tree.ts'
import type { Points } from './order.ts'

/**
 * How many targets and sources are tried, all with all. The local density is taken from the distance to one of the nearest of
 * the sources tried, whose number is `nearest`.
 */
export const nearTries: { readonly targets: number; readonly sources: number; readonly nearest: number } = {
  targets: 8,
  sources: 48,
  nearest: 4,
}
const { targets: targetTries, sources: sourceTries, nearest: nearestTries } = nearTries
/** Coordinates of a point that is tried. */
const axes = 3
/** Coordinates of the points that are tried, and of their distances. New arrays would take longer than to fill them. */
const from = new Float64Array(targetTries * axes)
const to = new Float64Array(sourceTries * axes)
const apart = new Float64Array(to.length)
/** The edge of the box around the points of a block, by the edge of the cube that they have to themselves. */
const tight = 0.8

/** How far pairs are computed: up to a cutoff, or until this number of nearest sources is found, or both. */
export interface Nearness {
  readonly cutoff?: number | undefined
  readonly kept?: number | undefined
  /** Whether blocks of targets pick sources one by one. Otherwise they meet whole blocks of sources. */
  readonly picked?: boolean | undefined
}

/** Lengths in the estimate, relative to the distance from which the local density is taken. */
export interface NearLengths {
  /** Half the edges of the blocks that are compared: those of a target and a source, or that of a target alone. */
  readonly edges: number
  /** How far away the sources are that a target keeps; infinite if it keeps all. */
  readonly kept: number
}

export function nearLengths(
  dimension: number,
  targets: number,
  sources: number,
  { kept, picked }: Pick<Nearness, 'kept' | 'picked'>,
): NearLengths {
  // Sources around a target for each of those tried, by those of one block, give the volume of a block.
  const blockVolumes = (blockPoints * sourceTries) / (nearestTries * sources)
  return {
    // Blocks of the more numerous side are smaller.
    edges: tight * blockVolumes ** (1 / dimension) * ((picked ? 0 : 1) + (sources / targets) ** (1 / dimension)),
    kept: kept === undefined ? Number.POSITIVE_INFINITY : ((kept * blockVolumes) / blockPoints) ** (1 / dimension),
  }
}

/** Which points are tried, as fractions of their number. */
export const nearTried: { readonly targets: readonly number[]; readonly sources: readonly number[] } = {
  targets: spreadOver(targetTries, (Math.sqrt(5) - 1) / 2),
  sources: spreadOver(sourceTries, Math.SQRT2),
}

/** Fractions that are evenly spread whatever the order of points: the multiples of an irrational number. */
function spreadOver(tries: number, irrational: number): readonly number[] {
  return Array.from({ length: tries }, (_, n) => ((n + 0.5) * irrational) % 1)
}

/**
 * The share of pairs that blocks of targets meet, between 0 and 1. Every run waits for it, so it takes some microseconds: points
 * have three coordinates here, whatever their dimension, and the four nearest are kept without branches, which cannot be predicted.
 */
export function nearShare(targets: Points, sources: Points, { cutoff, ...nearness }: Nearness): number {
  const { position, dimension, lengths } = sources
  readTried(targets, nearTried.targets, from)
  readTried(sources, nearTried.sources, to)
  const { edges, kept } = nearLengths(
    dimension,
    targets.position.length / dimension,
    position.length / dimension,
    nearness,
  )
  const { 0: length0 = 0, 1: length1 = 0, 2: length2 = 0 } = lengths
  const [share0, share1, share2] = [length0 && 1 / length0, length1 && 1 / length1, length2 && 1 / length2]
  let near = 0
  for (let target = 0; target < from.length; target += axes) {
    const x = from[target] as number
    const y = from[target + 1] as number
    const z = from[target + 2] as number
    let first = Number.POSITIVE_INFINITY
    let second = first
    let third = first
    let fourth = first
    for (let n = 0; n < to.length; n += axes) {
      const apart0 = distance((to[n] as number) - x, length0, share0)
      const apart1 = distance((to[n + 1] as number) - y, length1, share1)
      const apart2 = distance((to[n + 2] as number) - z, length2, share2)
      apart[n] = apart0
      apart[n + 1] = apart1
      apart[n + 2] = apart2
      const farthest = Math.max(apart0, apart1, apart2)
      if (!(farthest < fourth)) continue
      fourth = Math.max(third, farthest)
      third = Math.min(third, Math.max(second, farthest))
      second = Math.min(second, Math.max(first, farthest))
      first = Math.min(first, farthest)
    }
    // Where boxes are within reach, pairs are computed.
    const half = fourth * edges
    const reach = Math.min(cutoff ?? Number.POSITIVE_INFINITY, fourth * kept)
    const reach2 = reach * reach
    for (let n = 0; n < to.length; n += axes) {
      const gap0 = Math.max(0, (apart[n] as number) - half)
      const gap1 = Math.max(0, (apart[n + 1] as number) - half)
      const gap2 = Math.max(0, (apart[n + 2] as number) - half)
      // A gap that is NaN is never left out.
      if (!(gap0 * gap0 + gap1 * gap1 + gap2 * gap2 > reach2)) near++
    }
  }
  return near / (targetTries * sourceTries)
}

/**
 * How far apart two coordinates are by the nearest image. Halves are rounded up, other than by Math.round of a negative number: it
 * makes no difference to a distance.
 *
 * @param length the length of the box; 0 if it is open
 */
const distance = (straight: number, length: number, share: number): number =>
  Math.abs(straight - length * Math.floor(straight * share + 0.5))

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
  }: Pick<Nearness, 'kept' | 'picked'> & {
    readonly numbersOf?: (positions: FloatArray | DeviceBuffer) => FloatArray | undefined
  } = {},
): number {
  const lengths: number[] = []
  for (const name of ['boxX', 'boxY', 'boxZ'].slice(0, dimension)) {
    const length = parameters[name]
    if (length !== undefined) lengths.push(length)
  }
  const points = ({ arrays: { position: given } }: Bindings['targets']): Points | undefined => {
    const here = given instanceof Float32Array || given instanceof Float64Array
    const position = here ? given : given && numbersOf?.(given)
    return position && { position, dimension, lengths }
  }
  const [from, to] = [points(targets), points(sources)]
  return from && to ? nearShare(from, to, { cutoff: parameters.cutoff, ...nearness }) : 1
}

/** Writes the coordinates of the points at some fractions; those that they lack are 0. */
function readTried({ position, dimension }: Points, fractions: readonly number[], coordinates: Float64Array): void {
  const count = position.length / dimension
  if (dimension < axes) coordinates.fill(0)
  for (let n = 0; n < fractions.length; n++) {
    const point = Math.floor((fractions[n] as number) * count)
    for (let axis = 0; axis < dimension; axis++)
      coordinates[n * axes + axis] = position[point * dimension + axis] as number
  }
}
