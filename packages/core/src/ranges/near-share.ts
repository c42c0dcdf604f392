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

/** The share of pairs that blocks of targets meet, between 0 and 1. */
export function nearShare(targets: Points, sources: Points, { cutoff, ...nearness }: Nearness): number {
  const { dimension } = sources
  const [lengths, shares] = [new Float64Array(dimension), new Float64Array(dimension)]
  for (const [axis, length] of sources.lengths.entries()) {
    lengths[axis] = length
    shares[axis] = 1 / length
  }
  const from = tried(targets, nearTried.targets)
  const to = tried(sources, nearTried.sources)
  const { edges, kept: neighbours } = nearLengths(
    dimension,
    targets.position.length / dimension,
    sources.position.length / dimension,
    nearness,
  )
  const apart = new Float64Array(to.length)
  const nearest = new Float64Array(nearestTries)
  let near = 0
  for (let target = 0; target < from.length; target += dimension) {
    nearest.fill(Number.POSITIVE_INFINITY)
    for (let n = 0; n < to.length; n += dimension) {
      let farthest = 0
      for (let axis = 0; axis < dimension; axis++) {
        const straight = (to[n + axis] as number) - (from[target + axis] as number)
        // Halves are rounded up, other than by Math.round of a negative number: it makes no difference to a distance.
        const images = Math.floor(straight * (shares[axis] as number) + 0.5)
        const distance = Math.abs(straight - (lengths[axis] as number) * images)
        apart[n + axis] = distance
        if (distance > farthest) farthest = distance
      }
      for (let k = 0; k < nearestTries && farthest < last(nearest); k++) {
        const other = nearest[k] as number
        if (farthest >= other) continue
        nearest[k] = farthest
        farthest = other
      }
    }
    // Where boxes are within reach, pairs are computed.
    const half = last(nearest) * edges
    const reach = Math.min(cutoff ?? Number.POSITIVE_INFINITY, last(nearest) * neighbours)
    for (let n = 0; n < to.length; n += dimension) {
      let gap2 = 0
      for (let axis = 0; axis < dimension; axis++) {
        const gap = (apart[n + axis] as number) - half
        if (!(gap <= 0)) gap2 += gap * gap
      }
      // A gap that is NaN is never left out.
      if (!(gap2 > reach * reach)) near++
    }
  }
  return near / (targetTries * sourceTries)
}

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

const last = (sorted: Float64Array): number => sorted[nearestTries - 1] as number

/** Coordinates of the points at some fractions. */
function tried({ position, dimension }: Points, fractions: readonly number[]): Float64Array {
  const count = position.length / dimension
  // A loop, because this runs in every call and takes microseconds: Float64Array.from would take longer than all the rest.
  const coordinates = new Float64Array(fractions.length * dimension)
  for (let n = 0; n < fractions.length; n++) {
    const point = Math.floor((fractions[n] as number) * count)
    for (let axis = 0; axis < dimension; axis++)
      coordinates[n * dimension + axis] = position[point * dimension + axis] as number
  }
  return coordinates
}
