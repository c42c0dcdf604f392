/**
 * The job of the latest call, read once for all its calls.
 *
 * @module
 */
import type { Workload } from '@manybody/core'
import type { ArrayRef } from '../wire/arrays.ts'
import { type ClusterJob, jobFrom } from '../wire/job.ts'
import { KnownWorkloads } from './known-workloads.ts'

export class LatestJob {
  #hash: string | undefined
  #job: Promise<ClusterJob> | undefined
  readonly #workloads = new KnownWorkloads()

  /** @param load gives the text of the job */
  of({ hash }: ArrayRef, load: () => Promise<Uint8Array>): Promise<ClusterJob> {
    if (this.#job && this.#hash === hash) return this.#job
    const checked = (workload: Workload) => this.#workloads.of(workload)
    const job = load().then((bytes) => jobFrom(new TextDecoder().decode(bytes), checked))
    this.#hash = hash
    this.#job = job
    job.catch(() => {
      if (this.#job === job) this.#job = undefined
    })
    return job
  }
}
