/**
 * Runs jobs to their end without letting any other task run, for callers that cannot wait. The caller's thread works together
 * with the workers that take part, and spins for their last calls.
 *
 * No event can tell such a caller that a worker has started or ended. So it offers jobs to all workers, and waits for a call
 * only for a limited time.
 *
 * @module
 */
import { closed, entry, workOnce } from '../threads/claims.ts'
import type { Job } from '../threads/job.ts'
import { offer } from '../threads/offer.ts'
import { type SharedPool, trapped } from '../threads/pool.ts'

/** Jobs of at least this many milliseconds on one thread wake other threads. */
const worthwhile = 0.2
/** Milliseconds to wait for the last calls of other threads. These take some tens at most. */
const patience = 20_000

/**
 * @param pool none to work on this thread alone
 * @returns a bit for each thread that took part
 */
export function runAtOnce(jobs: readonly Job[], pool: SharedPool | undefined, threads: number): number {
  const free = pool?.busy ? undefined : pool
  let joined = 1
  for (const job of jobs) {
    if (job.skip?.()) continue
    if (free && job.units > 1 && job.cost >= worthwhile) joined |= together(free, job, threads)
    else alone(job)
  }
  return joined
}

function alone({ program, phase, block, scratch, units, callUnits }: Job): void {
  for (let first = 0; first < units; first += callUnits)
    program.phases[phase]?.(block, scratch, first, Math.min(first + callUnits, units))
}

function together(pool: SharedPool, job: Job, threads: number): number {
  const { shared, programs } = pool
  const { control, claims } = shared
  const calls = offer(pool, job, threads)
  let failure: unknown
  const failed = (error: unknown) => {
    failure ??= error
  }
  while (workOnce(shared, programs, 0, failed));
  const until = performance.now() + patience
  while (Atomics.load(control, entry.finished) < calls)
    if (performance.now() > until)
      throw new Error('Cannot finish the run: a worker thread has ended during a call; open the device again')
  Atomics.store(claims, 0, closed)
  if (Atomics.load(control, entry.failed)) throw trapped(failure === undefined ? undefined : String(failure))
  return Atomics.load(control, entry.joined)
}
