/**
 * The grid of points in open space. No image may act, so the grid repeats after more than the extent of the points and the largest
 * distance of two of them together, and the smooth part of a law ends soon after that distance.
 *
 * @module
 */
import { spreadTargets } from '../tolerance/sampled.ts'
import { type Extent, extentOf } from './extent.ts'
import type { MeshKernels } from './kernels.ts'
import { alongSides, rightBox } from './mesh-box.ts'
import { firstRung, rungsOf } from './rungs.ts'
import { type MeshSetting, type MeshSpace, mostNumbers, numbersOf, sizesOf } from './settings.ts'
import type { SmoothData } from './smooth-sum.ts'
import type { Transformer } from './transformer.ts'

/** Lengths are rounded up to powers of this number, so that points that move a little keep their splits. */
const step = 2 ** (1 / 8)

/** How many targets and sources tell how many sources are near. */
const [judges, among] = [32, 1024]

/**
 * The shares of sources that are within some distances of a target, from some pairs.
 *
 * @param longest the power of `step` that is the longest distance
 * @returns the shares within that distance, and within one that is a step shorter, and so on
 */
function nearness(
  { targets, sources }: Pick<SmoothData, 'targets' | 'sources'>,
  dimension: number,
  longest: number,
): Float64Array {
  const rows = spreadTargets(targets.length / dimension, judges)
  const columns = spreadTargets(sources.length / dimension, among)
  const shares = new Float64Array(reaches)
  const share = 1 / (rows.length * columns.length)
  for (const i of rows)
    for (const j of columns) {
      let r2 = 0
      for (let axis = 0; axis < dimension; axis++)
        r2 += ((sources[dimension * j + axis] as number) - (targets[dimension * i + axis] as number)) ** 2
      // It is within all distances down to this one. Rounding may put the farthest pair beyond the longest.
      const last = Math.max(0, Math.min(reaches - 1, Math.floor(longest - Math.log(r2) / (2 * Math.log(step)))))
      shares[last] = (shares[last] as number) + share
    }
  for (let n = reaches - 2; n >= 0; n--) shares[n] = (shares[n] as number) + (shares[n + 1] as number)
  return shares
}

/** The time of one transform of a number of the grid, in times of a pair. */
const transformTime: Readonly<Record<Transformer, number>> = { threads: 0.6, graphics: 3, host: 16 }

/** How many reaches are compared, from the longest one. */
const reaches = 80

/** A space, and the time of a sum there in times of a pair. */
export interface CostlySpace {
  readonly space: MeshSpace
  readonly cost: number
}

/** The space that takes the least time. @param transforms how many grids are transformed */
export function openSpace(
  setting: MeshSetting,
  extent: Extent,
  data: Pick<SmoothData, 'sources' | 'targets'>,
  transforms: number,
  transformer: Transformer,
): CostlySpace {
  const { dimension } = extent
  const pairs = (data.targets.length / dimension) * (data.sources.length / dimension)
  const perNumber = transforms * transformTime[transformer]
  const longest = Math.ceil(Math.log(extent.far || 1) / Math.log(step))
  const near = nearness(data, dimension, longest)
  // With the longest reach, all pairs are near, and the grid is small whatever the points are.
  let best: CostlySpace = { space: spaceAt(setting, extent, step ** longest), cost: Number.POSITIVE_INFINITY }
  for (let power = longest; power > longest - reaches; power--) {
    const space = spaceAt(setting, extent, step ** power)
    const numbers = numbersOf(sizesOf(setting, space))
    if (!(numbers <= mostNumbers)) break
    const cost = pairs * (near[longest - power] as number) + perNumber * numbers
    if (cost < best.cost) best = { space, cost }
  }
  return best
}

/** The first setting to try for a tolerance. */
export function settingFor(tolerance: number): MeshSetting {
  const rungs = rungsOf(true)
  return rungs[firstRung(rungs, 0.9 * tolerance, { isOpen: true })] as MeshSetting
}

/** The space of a setting for points at some places. */
export function spaceFor(
  setting: MeshSetting,
  { weights, list, dimension }: Pick<MeshKernels, 'weights' | 'list' | 'dimension'>,
  places: Pick<SmoothData, 'sources' | 'targets'>,
  transformer: Transformer,
): CostlySpace {
  const { sources, targets } = places
  const extent = extentOf(sources === targets ? [sources] : [sources, targets], dimension)
  return openSpace(setting, extent, places, weights.length + list.length, transformer)
}

/** A length, rounded up. */
export const roundedUp = (length: number): number => step ** Math.ceil(Math.log(length) / Math.log(step))

/** Along this length, the smooth part ends as an error function does that has no frequencies above the band, but for the error of the setting. */
export const taperOf = ({ band, typical }: MeshSetting, reach: number): number =>
  (3 * reach * Math.log(1 / typical)) / band

/** The longest edge that a grid of a size allows, so that points that spread a little keep their grid. */
export function roomiest({ band, finer }: MeshSetting, reach: number, size: number): number {
  const highest = Math.floor((size / finer - 1) / 2)
  return ((highest + 0.999) * 2 * Math.PI * reach) / band
}

/** The space of points within an extent by a reach. */
export function spaceAt(setting: MeshSetting, { edges, far, dimension }: Extent, reach: number): MeshSpace {
  const most = roundedUp(Math.max(far, reach))
  const taper = taperOf(setting, reach)
  const needed = alongSides(dimension, (side) => (edges[side] as number) + most + taper)
  const sizes = sizesOf(setting, { reach, box: rightBox(needed) })
  const lengths = alongSides(dimension, (side) => roomiest(setting, reach, sizes[side] as number))
  return { reach, longest: Number.POSITIVE_INFINITY, box: rightBox(lengths), open: { far: most, taper } }
}
