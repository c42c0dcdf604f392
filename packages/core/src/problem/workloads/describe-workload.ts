/**
 * The name of a workload in messages.
 *
 * @module
 */
import type { Workload } from './workload.ts'

/** "acceleration of gravity", "map", "stencil for gradient". */
export function describeWorkload(workload: Workload): string {
  if (workload.loop === 'pair') return `${workload.results.join(' and ')} of ${workload.law.name}`
  return workload.loop === 'grid' ? `stencil for ${workload.results.join(', ')}` : workload.operation
}
