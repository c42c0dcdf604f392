/**
 * Chooses the specification loop of a workload that visits each element once.
 *
 * @module
 */
import type { FloatArray } from '../../ground/checks.ts'
import type { ArrayResults, PairWorkload, Shape, Workload } from '../../problem/workloads/workload.ts'
import { stencilLoop } from './grid-loop.ts'
import { cellIndexLoop, mapLoop } from './particle-loop.ts'

/** The results of a map, cell index or stencil. */
export function elementLoop(
  workload: Exclude<Workload, PairWorkload>,
  shape: Shape,
  arrays: Readonly<Record<string, FloatArray>>,
  parameters: Readonly<Record<string, number>>,
  sources: Readonly<Record<string, FloatArray>> = arrays,
): ArrayResults {
  if (workload.loop === 'grid') return stencilLoop(workload, arrays.field as FloatArray, parameters)
  if (workload.operation === 'map') return mapLoop(workload, shape, arrays, parameters, sources)
  return cellIndexLoop(workload.grid, shape, arrays.position as FloatArray)
}
