/**
 * The job of the latest call, parsed once for all its calls.
 *
 * @module
 */
import type { Workload } from '@manybody/core'
import { type ClusterJob, jobFrom } from '../wire/job.ts'
import { KnownWorkloads } from './known-workloads.ts'

export interface KnownJob {
  readonly job: ClusterJob
  /** Whether its arrays have been checked. */
  isSound: boolean
}

export class LatestJob {
  #latest: (KnownJob & { readonly text: string }) | undefined
  readonly #workloads = new KnownWorkloads()

  /** @throws the errors of {@link jobFrom} */
  of(text: string): KnownJob {
    if (this.#latest?.text !== text)
      this.#latest = { text, job: jobFrom(text, (workload: Workload) => this.#workloads.of(workload)), isSound: false }
    return this.#latest
  }
}
