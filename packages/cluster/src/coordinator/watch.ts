/**
 * Watches the workers of a run: asks silent workers whether they are there, gives up lost workers, and says when a run has nobody left to
 * wait for.
 *
 * @module
 */
import { askAfter, lease, looks, tick, waitForWorkers } from '../schedule/waits.ts'
import type { Calls } from './calls.ts'
import type { Team } from './team.ts'

export class Watch {
  #ticked = performance.now()
  #aloneSince = performance.now()

  /** @param due when a worker's oldest call should end */
  constructor(
    readonly team: Team,
    readonly calls: Calls,
    readonly due: (worker: string) => number,
  ) {}

  /** @returns the lost workers with calls */
  tick(ask: (worker: string) => void): readonly string[] {
    const now = performance.now()
    // If this thread was busy, messages wait to be read, and nobody was silent.
    const late = now - this.#ticked > tick + askAfter / 3
    this.#ticked = now
    const { team, calls } = this
    for (const worker of calls.workers) {
      if (late) team.heard(worker)
      const member = team.member(worker)
      if (!member) continue
      const { heard, asked } = member
      if (now - heard > lease) team.lose(worker)
      else if (now - Math.max(heard, asked, this.due(worker)) > askAfter) {
        member.asked = now
        ask(worker)
      }
    }
    return [...calls.workers].filter((worker) => !team.member(worker))
  }

  /**
   * Why a run cannot go on, if it cannot.
   *
   * @param able how many workers may take its calls
   * @param lastReason why a worker last failed, if one did
   */
  hopeless(able: number, lastReason: string): string | undefined {
    const now = performance.now()
    if (able + this.calls.busy > 0) this.#aloneSince = now
    if (this.team.size === 0 && !this.team.isOpen)
      return lastReason || 'the worker ended before it had computed the problem'
    if (now - this.#aloneSince > (lastReason ? looks.soonest + tick : waitForWorkers))
      return lastReason || `no worker answered for ${waitForWorkers / 1000} s`
    return undefined
  }
}
