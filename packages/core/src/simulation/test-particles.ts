/**
 * Test particles: only the first points of a set act on others. The rest feel them, and act on nothing.
 *
 * @module
 */
import type { Stage } from '../contract/backend.ts'
import { whole } from '../ground/checks.ts'
import { hasImages } from './forces/cell-images.ts'
import type { ForceParts } from './forces/force.ts'

type Ranges = Pick<Stage, 'targets' | 'sources'>

/** How many points act on others; undefined for all. @throws TypeError, RangeError */
export function checkedSources(given: unknown, count: number, { pairs, slopes }: ForceParts): number | undefined {
  if (given === undefined) return undefined
  const sources = whole(given, 'sources', 1)
  if (sources > count)
    throw new RangeError(
      `"sources" expected at most ${count}, the number of points, got ${sources}; the first points act`,
    )
  if (pairs.length === 0)
    throw new TypeError(
      '"sources" expected a law between all pairs, got none: bonds and external forces need no sources',
    )
  const approximated = pairs.find(({ method }) => method)
  if (approximated)
    throw new TypeError(
      `"sources" expected forces without a method, got one for ${approximated.law.name}: leave it out, because few sources make few pairs`,
    )
  const imaged = pairs.find(hasImages)
  if (imaged)
    throw new RangeError(
      `"sources" expected cutoffs of at most half the box, got ${imaged.domain.cutoff} for ${imaged.law.name}; repeat the cell, so that half of it holds the cutoff`,
    )
  const [slope] = slopes
  if (slope)
    throw new TypeError(
      `"sources" expected potentials of given attributes, but one reads computed.${slope.by}, which each point shares with its neighbours; leave out sources`,
    )
  return sources
}

/** How many points act on others once some are gone. @param places the new index of each point, or -1 @throws RangeError */
export function sourcesWithout(sources: number, places: Int32Array): number {
  const left = places.subarray(0, sources).filter((place) => place >= 0).length
  if (left === 0)
    throw new RangeError(
      `"points" expected one of the first ${sources} points to stay, because only these act on others; simulate the rest without them`,
    )
  return left
}

/** The sources that a stage visits. @param acting whether it visits only those that act on others */
export const rangesOf = (sources: number | undefined, acting: boolean): Ranges =>
  sources === undefined || !acting ? {} : { sources: [0, sources] }

/** Ranges of pairs with the factors that count each pair once, if both of its points have its number. */
export function countedOnce(
  sources: number | undefined,
): readonly { readonly factor: number; readonly ranges: Ranges }[] {
  if (sources === undefined) return [{ factor: 0.5, ranges: {} }]
  // A test particle has the number of its pairs alone.
  return [
    { factor: 1, ranges: { sources: [0, sources] } },
    { factor: -0.5, ranges: { targets: [0, sources], sources: [0, sources] } },
  ]
}
