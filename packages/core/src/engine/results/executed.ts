/**
 * The input and outcome of a checked run, and the number of rows that a device returns at once.
 *
 * @module
 */
import type { Bindings, DeviceInfo, Report, RunOptions } from '../../contract/backend.ts'
import type { ArrayResults, Shape, Workload } from '../../problem/workloads/workload.ts'

/** A checked run. */
export interface RunInput {
  readonly workload: Workload
  readonly shape: Shape
  readonly bindings: Bindings
  readonly options: Pick<RunOptions, 'signal' | 'onProgress' | 'into'>
}

export interface Executed {
  readonly results: Readonly<Record<string, ArrayResults[string] | number>>
  /** With the reason if a device other than the engine's ran. */
  readonly report: Report & { readonly crossover?: string }
}

/** How many rows of a matrix the device returns at once. */
export function rowsPerBlock({ sources }: Shape, { limits, precision }: DeviceInfo): number {
  const rowBytes = Math.max(1, sources) * (precision === 'f64' ? 8 : 4)
  return Math.max(1, Math.floor(limits.resultBytes / rowBytes))
}
