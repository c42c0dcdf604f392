/**
 * Runs jobs to their end without letting any other task run, for callers that cannot wait. The caller's thread works together
 * with the workers that take part (`team.ts`), once these are loaded.
 *
 * @module
 */
import type { Job } from '../threads/job.ts'

/** Jobs of at least this many milliseconds on one thread wake other threads. */
const worthwhile = 0.2

/**
 * @param together runs a job on several threads, and returns a bit for each thread that took part; none to work on this thread alone
 * @returns a bit for each thread that took part
 */
export function runAtOnce(jobs: readonly Job[], together: ((job: Job) => number) | undefined): number {
  let joined = 1
  for (const job of jobs) {
    if (job.skip?.()) continue
    if (together && job.units > 1 && job.cost >= worthwhile) joined |= together(job)
    else alone(job)
  }
  return joined
}

function alone({ program, phase, block, scratch, units, callUnits }: Job): void {
  for (let first = 0; first < units; first += callUnits)
    program.phases[phase]?.(block, scratch, first, Math.min(first + callUnits, units))
}
