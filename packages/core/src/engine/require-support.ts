/**
 * The error for a workload that a device does not support.
 *
 * @module
 */
import type { Support } from '../contract/backend.ts'
import { UnsupportedWorkloadError } from '../ground/errors.ts'
import { describeWorkload } from '../problem/workloads/describe-workload.ts'
import type { Workload } from '../problem/workloads/workload.ts'

/** @throws {@link UnsupportedWorkloadError} with the reason of the device */
export function requireSupport(backend: string, workload: Workload, support: Support): void {
  if (!support.ok) throw new UnsupportedWorkloadError(describeWorkload(workload), backend, support.reason)
}
