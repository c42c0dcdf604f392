/**
 * The settings of a mesh, from cheap to exact, and the size of its grid.
 *
 * @module
 */
import { axes } from '../../ground/axes.ts'
import { niceLength } from './grid/fft.ts'
import type { MeshBox, Triple } from './mesh-box.ts'

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
  /** The error for charges in a cube. It chooses the first setting to try. */
  readonly typical: number
}

const setting = (typical: number, band: number, terms: number, width: number, finer: number): MeshSetting => ({
  ...{ band, terms, width, finer },
  typical,
})

/** Each is 1.4 times as exact for 1/r between 8000 points in a cube. */
export const settings: readonly MeshSetting[] = [
  setting(2e-3, 4.5, 5, 3, 1.8),
  setting(6e-4, 6, 6, 3, 2),
  setting(2.5e-4, 7, 7, 4, 1.8),
  setting(8.5e-5, 8, 8, 4, 2),
  setting(1.4e-5, 10, 9, 5, 1.9),
  setting(4e-6, 11.5, 10, 5, 2.1),
  setting(1.6e-6, 12.5, 10, 6, 1.9),
  setting(4e-7, 14, 11, 6, 2),
  setting(5.5e-8, 16, 12, 7, 2),
  setting(6.5e-9, 18.5, 13, 8, 2),
  setting(3e-10, 22, 15, 9, 2),
  setting(8e-12, 26, 17, 11, 2),
  setting(3.5e-12, 29, 18, 12, 2),
  setting(3e-13, 32, 20, 13, 2),
]

/** The error of scalars is so much smaller than that of vectors, which weigh high frequencies more. */
const scalarShare = 0.2

/** In open space, sources of one sign add up, and so do their errors. */
const openShare = 5

/** The number of the first setting that is exact enough; the last one if none is. */
export function firstRung(wanted: number, isVector: boolean, isOpen: boolean): number {
  const share = isOpen ? openShare : isVector ? 1 : scalarShare
  const found = settings.findIndex(({ typical }) => typical * share <= wanted)
  return found < 0 ? settings.length - 1 : found
}

/** The setting that measures another one: its error is at most a twentieth, and far less with the longer reach that it has. */
export const judgeOf = (typical: number): MeshSetting =>
  settings.find((one) => one.typical <= typical / 20) ?? (settings.at(-1) as MeshSetting)

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
  const least = box.sides.map((side) => Math.max(width + 1, finer * (2 * highestMode(band / reach, side) + 1)))
  // A search among huge numbers would not end.
  const sizes = numbersOf(least as unknown as Triple) <= mostNumbers ? least.map(niceLength) : least
  return sizes as unknown as Triple
}

export const numbersOf = ([x, y, z]: Triple): number => x * y * z

/** The size of a grid along each axis. @throws RangeError if it would be too large */
export function gridSizes(setting: MeshSetting, space: MeshSpace): Triple {
  const sizes = sizesOf(setting, space)
  if (numbersOf(sizes) <= mostNumbers) return sizes
  const needs = `which needs ${sizes.map(Math.ceil).join(' x ')} at the reach ${space.reach.toPrecision(3)}`
  const covers = `a grid of at most ${mostNumbers} numbers covers`
  const { far = 0, axis } = space.open ?? {}
  const along = axis === undefined ? '' : ` along ${axes[axis]}, where the box is open`
  const remedy = axis === undefined ? 'use a tree' : 'use a larger tolerance'
  throw new RangeError(
    space.open
      ? `"method" expected points that ${covers}, got some that are ${far.toPrecision(3)} apart${along}, ${needs}; ${remedy}, or remove points that have left`
      : `"boundary" expected a box that ${covers}, got ${space.box.sides.join(' x ')}, ${needs}; use a larger tolerance, or a box that is less long than it is wide`,
  )
}

/** The number of the highest mode along a side of the box. */
export const highestMode = (band: number, side: number): number => Math.floor((band * side) / (2 * Math.PI))

/** Points that are near each other, by the square of the window's width: their number divides the work between pairs and a device's grid. */
const nearShare = 5
/** The least number of them where the host computes the grid, which takes it far longer. */
const nearOfHost = 250

/** Reaches are powers of this number where the box allows it, so that a box that changes a little keeps its splits. */
const step = 2 ** (1 / 16)

/** The space of a periodic box. @param reach the best one for so many sources by default */
export function boxSpace(
  setting: MeshSetting,
  box: MeshBox,
  { sources, onHost }: { readonly sources: number; readonly onHost: boolean },
  reach?: number,
): MeshSpace {
  const longest = Math.min(...box.widths) / 2
  return { box, longest, reach: reach ?? reachAmong(setting, sources, box.volume, longest, onHost) }
}

/** The distance within which a point has about a chosen number of the sources in a volume. */
export function reachAmong(
  { width }: MeshSetting,
  sources: number,
  volume: number,
  longest: number,
  onHost: boolean,
): number {
  const near = Math.max(nearShare * width ** 2, onHost ? nearOfHost : 0)
  const wanted = Math.cbrt((3 * near * volume) / (4 * Math.PI * Math.max(1, sources)))
  return Math.min(step ** Math.round(Math.log(wanted) / Math.log(step)), longest)
}

/**
 * A reach for judging another one. Its errors are others. A longer one needs a smaller grid, and meets few more pairs, as few targets
 * judge.
 */
export const judgingReach = ({ reach, longest }: MeshSpace): number =>
  reach > 0.85 * longest ? 0.8 * reach : Math.min(2 * reach, step ** Math.floor(Math.log(longest) / Math.log(step)))
