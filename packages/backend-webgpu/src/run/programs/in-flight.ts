/**
 * Submissions of one run in their order. The next one is submitted while the device computes the one before, so that the device
 * never waits for the host.
 *
 * @module
 */
import type { RunOptions } from '@manybody/core'
import type { SubmissionBudget } from '../host/submission-budget.ts'
import type { ResultData, Submission, Submitted } from './submission.ts'

/** The times of a run in milliseconds. */
export interface FlightTimes {
  /** On the device, or until the results arrived if it has no clock. */
  readonly compute: number
  /** The rest. */
  readonly readback: number
  /** How many interactions the last submission computed, if it counted them. */
  readonly evaluated: number | undefined
}

export class InFlight {
  readonly #options: Pick<RunOptions, 'signal' | 'onProgress'>
  readonly #data: () => ResultData
  readonly #budget: SubmissionBudget
  readonly #start = performance.now()
  /** The submission that was submitted last, if it has not finished. */
  #pending: { readonly submission: Submission; readonly done: Promise<void> } | undefined
  /** The earliest time when the device can have finished all work. */
  #end = 0
  #compute = 0
  #evaluated: number | undefined

  /** @param data called once the device is at work */
  constructor(options: Pick<RunOptions, 'signal' | 'onProgress'>, data: () => ResultData, budget: SubmissionBudget) {
    this.#options = options
    this.#data = data
    this.#budget = budget
  }

  /** Submits the first one before it returns. */
  async submitAll(submissions: readonly Submission[]): Promise<void> {
    for (const submission of submissions) await this.submit(submission)
  }

  /** Submits before it returns, if nothing is in flight. Otherwise the device may be at work on one submission besides. */
  async submit(submission: Submission): Promise<void> {
    const before = this.#pending
    if (before && !(before.submission.overlaps && submission.overlaps)) await before.done
    this.#options.signal?.throwIfAborted()
    const start = performance.now()
    this.#end = Math.max(start, this.#end) + this.#budget.atLeast(submission.step.interactions)
    const ran = submission.run(this.#data, this.#end - start)
    const done = ran.then((outcome) => this.#finished(submission, outcome, performance.now() - start))
    // Whoever waits for the run learns of a failure.
    done.catch(() => {})
    this.#pending = { submission, done }
    await before?.done
  }

  /** Waits for all submissions. @throws the first failure */
  async finish(): Promise<FlightTimes> {
    await this.#pending?.done
    const wall = performance.now() - this.#start
    const compute = Math.min(wall, this.#compute)
    return { compute, readback: wall - compute, evaluated: this.#evaluated }
  }

  /** Waits until the device no longer uses any buffer, whatever the outcome. */
  async settle(): Promise<void> {
    await this.#pending?.done.catch(() => {})
  }

  #finished({ step }: Submission, { device, evaluated }: Submitted, wall: number): void {
    const compute = device ?? wall
    this.#budget.observe(step.interactions, compute)
    this.#options.onProgress?.(step.done)
    this.#compute += compute
    this.#evaluated = evaluated
  }
}
