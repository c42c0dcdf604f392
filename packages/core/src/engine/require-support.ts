/**
 * The error for a workload that a device does not support.
 *
 * @module
 */
import type { Support } from '../backend.ts'
import { UnsupportedWorkloadError } from '../errors.ts'
import { describeWorkload } from '../workloads/describe-workload.ts'
import type { Workload } from '../workloads/workload.ts'

/** @throws {@link UnsupportedWorkloadError} with the reason of the device */
export function requireSupport(backend: string, workload: Workload, support: Support): void {
  if (!support.ok) throw new UnsupportedWorkloadError(describeWorkload(workload), backend, support.reason)
}
