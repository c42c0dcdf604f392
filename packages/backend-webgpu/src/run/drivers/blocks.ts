/**
 * A loop over pairs within a cutoff, or over the nearest sources, by blocks of points. Each run puts the points in order, fits
 * boxes to them, and walks the boxes, all on the device. Nothing is kept between runs, so that results do not depend on earlier
 * runs.
 *
 * @module
 */
import { boxesIn, usualCutoff } from '@manybody/core/backend'
import { reachLine, reachTerms } from '@manybody/core/near'
import type { BlocksDesign, BlocksReach, FieldValues } from '../../design/design.ts'
import { lengthValues } from '../../design/space.ts'
import { type LoopDriver, valuesOf } from './driver.ts'
import { groupSteps } from './groups.ts'

export const blocksDriver: LoopDriver<BlocksDesign> = ({ targetsPerGroup, reach }, version, run, results) => {
  const { parameters } = run.bindings
  const pairs = version.values.sourceCount
  const values = {
    ...valuesOf(version.run, parameters),
    ...lengthValues(reach.rule, parameters),
    ...reachValues(reach, parameters),
  }
  const loop = {
    ...{ values, targetsPerGroup, pairs },
    expectedPairs: Math.max(1, pairs) * shareOf(parameters),
  }
  return { scratch: version.scratch, steps: groupSteps(version, run, results, loop) }
}

/** The reach for the shaders. Rounding it to float32 must not shorten it, and its inverse must be finite. */
function reachValues({ rule, shrinks, cut }: BlocksReach, parameters: FieldValues): FieldValues {
  const { cutoff = 0, lengthUnit = 1 } = parameters
  const { fixed, ofSize } = reachTerms({ ...rule, cutoff, unit: lengthUnit })
  const [shorter, longer] = [1 - 2 ** -22, 1 + 2 ** -22]
  const perReach = Math.min(shorter / fixed, 2 ** 126)
  if (!shrinks) {
    const { fixed: least } = reachTerms({ ...rule, cutoff: 0, unit: lengthUnit })
    return {
      perReach,
      reachOfSize: (longer * ofSize) / fixed,
      // Sizes that may have no value here limit nothing.
      leastShare: parameters[usualCutoff] === undefined ? 1 : Math.max((longer * least) / fixed, 2 ** -100),
    }
  }
  // Targets keep distances in the unit of the caller, which may round them once more.
  const unit = Math.max(1, lengthUnit)
  const { slope, start } = reachLine({ ...rule, unit, most: 0 })
  return {
    perReach: cut ? perReach : 0,
    reachOfSize: longer * ofSize,
    // A device rounds the root of a kept number, and the inverse of the reach.
    slope: slope * (1 + 2 ** -19),
    start: start * (1 + 2 ** -19),
  }
}

/**
 * The share of all pairs that a run may compute, to estimate its time. In a periodic box, it is eight times the share of a cube
 * around the cutoff. In open space all points may be within the cutoff.
 */
function shareOf(parameters: FieldValues): number {
  const { cutoff = 0 } = parameters
  const lengths = boxesIn(parameters).filter((length) => length > 0)
  if (lengths.length === 0) return 1
  return Math.min(1, 8 * lengths.reduce((share, length) => (share * 2 * cutoff) / length, 1))
}
