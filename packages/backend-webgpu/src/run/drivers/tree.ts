/**
 * A sum with a tolerance. Each run puts the points in order, makes boxes and proxies from the leaves upwards, and walks the
 * tree, all on the device. Nothing is kept between runs.
 *
 * @module
 */
import type { TreeDesign } from '../../design/design.ts'
import { type LoopDriver, valuesOf } from './driver.ts'
import { groupSteps } from './groups.ts'

export const treeDriver: LoopDriver<TreeDesign> = ({ targetsPerGroup, expectedPairs }, version, run, results) => {
  const { parameters } = run.bindings
  const weights = Object.entries(version.parameters).map(([field, name]) => [field, parameters[name] ?? 0] as const)
  const values = { ...valuesOf(version.run, parameters), ...Object.fromEntries(weights) }
  const loop = { values, targetsPerGroup, pairs: expectedPairs, expectedPairs }
  return { scratch: version.scratch, steps: groupSteps(version, run, results, loop) }
}
