/**
 * The name of a workload in messages, and the error for a workload that a device does not support.
 *
 * @module
 */
import type { Support } from '../backend.ts'
import { UnsupportedWorkloadError } from '../errors.ts'
import type { Workload } from '../workloads/workload.ts'

/** "acceleration of gravity", "map", "stencil for gradient". */
export function describeWorkload(workload: Workload): string {
  if (workload.loop === 'pair') return `${workload.results.join(' and ')} of ${workload.law.name}`
  return workload.loop === 'grid' ? `stencil for ${workload.results.join(', ')}` : workload.operation
}

/** @throws {@link UnsupportedWorkloadError} with the reason of the device */
export function requireSupport(backend: string, workload: Workload, support: Support): void {
  if (!support.ok) throw new UnsupportedWorkloadError(describeWorkload(workload), backend, support.reason)
}
