/**
 * The job of the latest call, read once for all its calls.
 *
 * @module
 */
import type { ArrayRef } from '../wire/arrays.ts'
import { type ClusterJob, jobFrom } from '../wire/job.ts'

export class LatestJob {
  #hash: string | undefined
  #job: Promise<ClusterJob> | undefined

  /** @param load gives the text of the job */
  of({ hash }: ArrayRef, load: () => Promise<Uint8Array>): Promise<ClusterJob> {
    if (this.#job && this.#hash === hash) return this.#job
    const job = load().then((bytes) => jobFrom(new TextDecoder().decode(bytes)))
    this.#hash = hash
    this.#job = job
    job.catch(() => {
      if (this.#job === job) this.#job = undefined
    })
    return job
  }
}
