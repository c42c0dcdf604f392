/**
 * The design of a loop over Verlet lists within a grid of cells, for rounds of a sequence. It adds to the design of cells what decides whether
 * to rebuild the lists, and rebuilds them.
 *
 * @module
 */
import type { CellsDesign, GroupsVersion, VerletDesign, VerletVersion } from '../design/design.ts'
import { pointGroups } from '../design/order-layout.ts'
import { roundsBytes } from '../design/verlet-layout.ts'
import type { Versions } from '../design/versions.ts'
import { derived } from './lazily.ts'

/** The name of a plan as reports and shaders show it. */
export const describeVerlet = (cells: string): string => `${cells} with Verlet lists`

/** @param versions those of cells, with the shaders of lists. @param slices number of invocations that share a target */
export function verletDesign(
  { variant, accumulation, inputs, results, guard, targetsPerGroup, reach, mostCells }: CellsDesign,
  versions: Versions<GroupsVersion>,
  slices: number,
): VerletDesign {
  return {
    driver: 'verlet',
    variant: describeVerlet(variant),
    slices,
    ...{ accumulation, inputs, results, guard, targetsPerGroup, reach, mostCells },
    versions: derived(versions, verletVersion),
  }
}

function verletVersion(cells: GroupsVersion): VerletVersion {
  const points = cells.values.sourceCount
  const values = { count: points, orderFirst: 0 }
  const { packed = 0 } = cells.scratch
  return {
    ...cells,
    shaders: cells.shaders as VerletVersion['shaders'],
    before: [
      { shader: 'refresh', values, size: pointGroups(points) },
      // A refresh clears the counts.
      ...cells.before.filter(({ shader }) => shader !== 'clearCells'),
    ],
    values: { ...cells.values, rebuilt: packed / 16 },
    scratch: { ...cells.scratch, packed: packed + 16 * points, rounds: roundsBytes },
  }
}
