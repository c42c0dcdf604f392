/**
 * The workloads of the latest jobs, by their text. Each step of a simulation is a job, but all have the same workloads. Each workload is
 * parsed and derived once.
 *
 * @module
 */
import type { Workload } from '@manybody/core'
import { workloadOf } from '@manybody/core/judge'

/** More workloads than a simulation has. */
const kept = 16

export class KnownWorkloads {
  readonly #byText = new Map<string, Workload>()

  /** The workload, checked. @throws TypeError, RangeError, ExpressionError */
  of(given: Workload): Workload {
    const text = JSON.stringify(given) ?? ''
    const workload = this.#byText.get(text) ?? workloadOf(given)
    this.#byText.delete(text)
    this.#byText.set(text, workload)
    for (const oldest of this.#byText.keys()) {
      if (this.#byText.size <= kept) break
      this.#byText.delete(oldest)
    }
    return workload
  }
}
