/**
 * The settings of a mesh, from cheap to exact: the first one to try, the next one, and the one that measures another.
 *
 * @module
 */
import { type MeshSetting, type MeshSpace, numbersOf, sizesOf, step } from './settings.ts'
import type { SpaceDimension } from './split/shells.ts'

const setting = (typical: number, band: number, terms: number, width: number, finer: number): MeshSetting => ({
  ...{ band, terms, width, finer },
  typical,
})

/** The last settings anywhere: band and window are as wide as the digits of float64 ask. */
const mostExact: readonly MeshSetting[] = [
  setting(3e-10, 22, 15, 9, 2),
  setting(8e-12, 26, 17, 11, 2),
  setting(3.5e-12, 29, 18, 12, 2),
  setting(3e-13, 32, 20, 13, 2),
]

/** In a box, sources are as good as neutral, so the errors of windows cancel, and a coarse grid is enough. */
const inBoxes: readonly MeshSetting[] = [
  setting(2.3e-3, 4, 4, 3, 1.5),
  setting(1.6e-3, 4.5, 5, 3, 1.5),
  setting(7.5e-4, 5.5, 5, 3, 1.5),
  setting(4.3e-4, 6.5, 6, 3, 1.5),
  setting(2e-4, 7, 6, 4, 1.5),
  setting(1e-4, 8, 7, 4, 1.5),
  setting(6.4e-5, 8.5, 7, 4, 1.5),
  setting(3e-5, 9, 7, 5, 1.5),
  setting(2.1e-5, 9.5, 8, 5, 1.5),
  setting(1.1e-5, 10, 8, 5, 1.5),
  setting(4.6e-6, 11, 9, 6, 1.5),
  setting(1.8e-6, 12, 9, 6, 1.5),
  setting(2.8e-7, 14, 10, 7, 1.5),
  setting(4.6e-8, 16, 12, 8, 1.5),
  setting(2.05e-8, 17, 12, 8, 1.65),
  setting(7.3e-9, 18, 13, 9, 1.5),
  ...mostExact,
]

/** Along open axes, sources of one sign add up, and so do the errors of windows. */
const inOpenSpace: readonly MeshSetting[] = [
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
  ...mostExact,
]

/** The settings of boxes, or those of spaces with open axes. */
export const rungsOf = (hasOpenAxes: boolean): readonly MeshSetting[] => (hasOpenAxes ? inOpenSpace : inBoxes)

/** A sum as the first setting depends on it. */
export type SumTraits =
  | { readonly isOpen: true }
  | {
      readonly isOpen: false
      readonly dimension: SpaceDimension
      /** Whether some term is along the displacement. */
      readonly isVector: boolean
      readonly sources: number
      /** The power of the distance by which terms fall. */
      readonly power: number
    }

/** The error of scalars is so much smaller than that of vectors, which weigh high frequencies more. */
const scalarShare = 0.2

/** The error in a plane by that in space, at the same setting. */
const planeShare = 0.3

/** In open space, sources of one sign add up, and so do their errors. */
const openShare = 5

/** The number of sources of typical errors. */
const typicalSources = 8000

/** The number of the first setting that is exact enough; the last one if none is. */
export function firstRung(rungs: readonly MeshSetting[], wanted: number, traits: SumTraits): number {
  const share = shareOf(traits)
  const found = rungs.findIndex(({ typical }) => typical * share <= wanted)
  return found < 0 ? rungs.length - 1 : found
}

/** The error by the typical one. */
function shareOf(traits: SumTraits): number {
  if (traits.isOpen) return openShare
  const { isVector, sources, power, dimension } = traits
  // Near terms and far ones add up to as much if they fall with the power of the dimension.
  // With more sources the reach is shorter. Errors grow as near terms do, and the sizes of all terms as far ones.
  const nearer = power >= 0 ? Math.min(0, power / dimension - 1) : 0
  return (
    (dimension === 2 ? planeShare : 1) * (isVector ? 1 : scalarShare) * Math.max(1, sources / typicalSources) ** nearer
  )
}

/** The number of the setting after one with an error that is too large. */
export function nextRung(rungs: readonly MeshSetting[], rung: number, error: number, wanted: number): number {
  const { typical } = rungs[rung] as MeshSetting
  const found = rungs.findIndex((one, n) => n > rung && one.typical * error <= typical * wanted)
  return found < 0 ? Math.min(rung + 1, rungs.length - 1) : found
}

/** How a setting in a box or a slab is measured: by another setting, and another reach. */
export interface Judge {
  readonly setting: MeshSetting
  readonly reach: number
}

/** Grid points of a judge for each one that its band needs. */
const finest = 4

/**
 * Its errors are others, and at most a twentieth. The most exact settings are measured by the last one where the grid cannot be finer, so
 * a run may tell a larger error than it has.
 *
 * The longest reach is best: as few targets judge, they meet all sources in any case, and its grid is so small that it can be finer instead
 * of taking a wider window, which each source would pay for. Where that grid would be larger than the run's, as in a flat box with a short
 * reach, the reach is twice that of the run.
 *
 * In a slab, where the errors of windows add up, the window of the finer grid is a point wider: of one sign, 20,000 charges had errors that
 * seemed 3 % too small to 55 % too large by the same window, and are now right to 3 %.
 *
 * @param spaceOf the space of a setting with a reach
 */
export function judgeOf(
  rungs: readonly MeshSetting[],
  setting: MeshSetting,
  space: MeshSpace,
  spaceOf: (setting: MeshSetting, reach: number) => MeshSpace,
): Judge {
  const { typical, width } = setting
  const { reach, longest } = space
  const exact = rungs.find((one) => one.typical <= typical / 20) ?? (rungs.at(-1) as MeshSetting)
  const most = step ** Math.floor(Math.log(longest) / Math.log(step))
  const fine = { ...exact, width: space.open ? width + 1 : width, finer: finest }
  const numbers = numbersOf(sizesOf(fine, spaceOf(fine, most)))
  if (2 * reach <= most && numbers <= numbersOf(sizesOf(setting, space))) return { setting: fine, reach: most }
  return { setting: exact, reach: reach > 0.85 * longest ? 0.8 * reach : Math.min(2 * reach, most) }
}
