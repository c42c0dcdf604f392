// Tests whether a device computes sums through grids as the host does in float64.

import type { Device } from '@manybody/core'
import { gridCases, largeGrid } from '../../packages/core/test/support/grid-cases.ts'

export interface JudgedGrids {
  /** How many sums the device has taken. */
  readonly grids: number
  readonly faults: readonly string[]
}

export async function judgeGrids(device: Device): Promise<JudgedGrids> {
  const faults: string[] = []
  let grids = 0
  for (const { name, sum, points, error } of [...gridCases, largeGrid()]) {
    const found = await device.gridSum?.(sum, points)
    if (!found) continue
    grids++
    const again = await device.gridSum?.(sum, points)
    if (!(error(found) < 1e-5)) faults.push(`grid ${name}: its fields differ by ${error(found).toExponential(1)}`)
    if (again?.some((x, n) => !Object.is(x, found[n]))) faults.push(`grid ${name}: its bits do not repeat`)
  }
  return { grids, faults }
}
