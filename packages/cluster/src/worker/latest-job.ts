/**
 * The job of the latest call, read once for all its calls.
 *
 * @module
 */
import type { Workload } from '@manybody/core'
import { type ClusterJob, jobFrom } from '../wire/job.ts'
import { KnownWorkloads } from './known-workloads.ts'

export class LatestJob {
  #latest: { readonly text: string; readonly job: ClusterJob } | undefined
  readonly #workloads = new KnownWorkloads()

  /** @throws as {@link jobFrom} */
  of(text: string): ClusterJob {
    if (this.#latest?.text !== text)
      this.#latest = { text, job: jobFrom(text, (workload: Workload) => this.#workloads.of(workload)) }
    return this.#latest.job
  }
}
