/**
 * A setting of a mesh, its space, and the size of its grid.
 *
 * @module
 */
import { axes } from '../../ground/axes.ts'
import { niceLength } from './grid/fft.ts'
import { type MeshBox, sidesIn, type Triple } from './mesh-box.ts'
import type { Transformer } from './transformer.ts'

/** The tolerance decides a setting, and the number of points the reach. */
export interface MeshSetting {
  /** The largest frequency of the smooth part times the reach. */
  readonly band: number
  /** Of the polynomial inside the reach. */
  readonly terms: number
  /** Of the window, in grid points. */
  readonly width: number
  /** Grid points for each one that the band needs. */
  readonly finer: number
  /** The error for 8000 charges in a cube. It chooses the first setting to try. */
  readonly typical: number
}

/** Space in which no image acts along an axis. */
export interface OpenSpace {
  /** Where the smooth part ends: from the distance `far` on, over the length `taper`. */
  readonly far: number
  readonly taper: number
  /** The open axis of a slab; absent if all are open. */
  readonly axis?: number
}

/** Where a sum takes place. */
export interface MeshSpace {
  /** The box that the grid repeats. */
  readonly box: MeshBox
  /** The distance where the short part ends. */
  readonly reach: number
  /** The longest reach: half the box, from face to face. */
  readonly longest: number
  /** Open space; absent if all images act. */
  readonly open?: OpenSpace
}

/** A grid cannot be larger: half a gigabyte of numbers. */
export const mostNumbers: number = 2 ** 26

/** The size of a grid along each axis. Sizes of more numbers than a grid may have are not those that a transform takes. */
export function sizesOf({ band, width, finer }: MeshSetting, { reach, box }: Pick<MeshSpace, 'reach' | 'box'>): Triple {
  const least = box.sides.map((side) =>
    side === 0 ? 1 : Math.max(width + 1, finer * (2 * highestMode(band / reach, side) + 1)),
  )
  // A search among huge numbers would not end.
  const sizes = numbersOf(least as unknown as Triple) <= mostNumbers ? least.map(niceLength) : least
  return sizes as unknown as Triple
}

export const numbersOf = ([x, y, z]: Triple): number => x * y * z

/** The sizes of a grid, or the sides of a box, in words. */
export const inWords = (sizes: Triple, { dimension }: Pick<MeshBox, 'dimension'>): string =>
  sidesIn(dimension)
    .map((side) => sizes[side])
    .join(' x ')

/** The size of a grid along each axis. @throws RangeError if it would be too large */
export function gridSizes(setting: MeshSetting, space: MeshSpace): Triple {
  const sizes = sizesOf(setting, space)
  if (numbersOf(sizes) <= mostNumbers) return sizes
  const needs = `which needs ${inWords(sizes.map(Math.ceil) as unknown as Triple, space.box)} at the reach ${space.reach.toPrecision(3)}`
  const covers = `a grid of at most ${mostNumbers} numbers covers`
  const { far = 0, axis } = space.open ?? {}
  const along = axis === undefined ? '' : ` along ${axes[axis]}, where the box is open`
  const remedy = axis === undefined ? 'use a tree' : 'use a larger tolerance'
  throw new RangeError(
    space.open
      ? `"method" expected points that ${covers}, got some that are ${far.toPrecision(3)} apart${along}, ${needs}; ${remedy}, or remove points that have left`
      : `"boundary" expected a box that ${covers}, got ${inWords(space.box.sides, space.box)}, ${needs}; use a larger tolerance, or a box that is less long than it is wide`,
  )
}

/** The number of the highest mode along a side of the box. */
export const highestMode = (band: number, side: number): number => Math.floor((band * side) / (2 * Math.PI))

/** Points that are near each other, by the square of the window's width: their number divides the work between pairs and the grid. */
const nearShare: Readonly<Record<Transformer, number>> = { threads: 3, graphics: 5, host: 5 }
/** The least number of them where the host computes the grid, which takes it far longer. */
const nearOfHost = 250

/** Reaches are powers of this number where the box allows it, so that a box that changes a little keeps its splits. */
export const step: number = 2 ** (1 / 16)

/** How many sources share a space, and who transforms its grid. */
export interface MeshSharing {
  readonly sources: number
  readonly transformer: Transformer
}

/** The space of a periodic box. @param reach the best one for so many sources by default */
export function boxSpace(
  setting: MeshSetting,
  box: MeshBox,
  { sources, transformer }: MeshSharing,
  reach?: number,
): MeshSpace {
  const longest = Math.min(...box.widths) / 2
  return { box, longest, reach: reach ?? reachAmong(setting, sources, box, longest, transformer) }
}

/** The distance within which a point has about a chosen number of the sources in a box. */
export function reachAmong(
  { width }: MeshSetting,
  sources: number,
  { volume, dimension }: Pick<MeshBox, 'volume' | 'dimension'>,
  longest: number,
  transformer: Transformer,
): number {
  const near = Math.max(nearShare[transformer] * width ** 2, transformer === 'host' ? nearOfHost : 0)
  const share = (near * volume) / (Math.PI * Math.max(1, sources))
  const wanted = dimension === 2 ? Math.sqrt(share) : Math.cbrt(0.75 * share)
  return Math.min(step ** Math.round(Math.log(wanted) / Math.log(step)), longest)
}
