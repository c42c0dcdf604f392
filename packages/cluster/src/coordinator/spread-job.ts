/**
 * The input and the output of one spread: a job for workers, and the results of its run.
 *
 * @module
 */
import type { ArrayResults, Bindings, RunOptions } from '@manybody/core'
import type { WorkerReport } from '../wire/answer.ts'
import type { ClusterJob } from '../wire/job.ts'
import type { Member } from './team.ts'

export interface SpreadJob {
  readonly job: ClusterJob
  /** The job as text, which goes to workers with each call. */
  readonly text: Uint8Array
  /** The points and parameters of the job. */
  readonly bindings: Bindings
  /** Where lists start, if the workload makes lists. */
  readonly offsets: Uint32Array | undefined
  /** Bytes that the server sends to all workers, ahead of their calls. */
  readonly pushed: number
  /** Whether the job has the array with this hash. */
  readonly has: (hash: string) => boolean
  /** Sends an array of the job that the server has forgotten. */
  readonly resend: (hash: string) => Promise<void>
}

export interface SpreadRun {
  readonly results: ArrayResults
  /** The workers' reports on their latest calls. */
  readonly reports: readonly WorkerReport[]
  readonly evaluated: number
  readonly blocks: number
  /** Blocks that a second worker also got. */
  readonly repeated: number
  /** Blocks that were checked. */
  readonly rechecked: number
  /** Targets that were compared with the reference. */
  readonly judged: number
  readonly workers: readonly Member[]
  readonly bytes: number
  /** Average idle time of a worker, in milliseconds. */
  readonly waiting: number
}

export interface SpreadOptions extends Pick<RunOptions, 'signal' | 'onProgress' | 'initial' | 'into'> {
  /** The share of blocks that are checked, 0 to 1. */
  readonly recheck: number
  /** Aborted when the device is disposed of. */
  readonly disposed: AbortSignal
}
