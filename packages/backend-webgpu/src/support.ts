/**
 * Whether a workload of a shape fits a device, answered from limits alone.
 *
 * @module
 */
import type { Shape, Support, Workload } from '@manybody/core'

const yes: Support = { ok: true }
const no = (reason: string): Support => ({ ok: false, reason })

/** Neighbours kept per target live in the private memory of an invocation. */
const mostNeighbours = 256

export function supportOf(workload: Workload, shape: Shape, limits: GPUSupportedLimits): Support {
  const room = Math.min(limits.maxStorageBufferBindingSize, limits.maxBufferSize)
  const points = Math.max(shape.targets, workload.loop === 'pair' ? shape.sources : 0)
  const input = 4 * points * (workload.loop === 'grid' ? 1 : shape.dimension)
  if (input > room)
    return no(`needs ${input} bytes for one array of ${points} points, device limit is ${room}; use fewer points`)
  if (workload.loop !== 'pair') return yes
  if (workload.reduction === 'none') {
    const row = 4 * shape.sources
    return row > room ? no(`needs ${row} bytes for one row of the matrix, device limit is ${room}`) : yes
  }
  const k = workload.k ?? 1
  if (k > mostNeighbours) return no(`keeps at most ${mostNeighbours} neighbours per target, got ${k}; use cpu-wasm`)
  const result = 4 * shape.targets * Math.max(k, shape.dimension)
  if (result > room)
    return no(`needs ${result} bytes for its result, device limit is ${room}; compute targets in ranges`)
  return yes
}
