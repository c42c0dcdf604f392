/**
 * The workers of a device whose callers cannot wait. It loads with the first device that has several threads, while that computes alone.
 *
 * No event can tell such a caller that a worker has started or ended. So it offers jobs to all workers, and waits for a call
 * only for a limited time.
 *
 * @module
 */
import type { Memory } from '../host/memory.ts'
import { close, entry, workOnce } from '../threads/claims.ts'
import type { Job } from '../threads/job.ts'
import { offer } from '../threads/offer.ts'
import { SharedPool, trapped } from '../threads/pool.ts'
import { joinPool, leavePool } from '../threads/pools.ts'
import type { LoadedAtOnce } from './load-at-once.ts'

/** Milliseconds to wait for the last calls of other threads. These take some tens at most. */
const patience = 20_000

/** The workers, which share memories; undefined if they could only copy. The caller must leave them. */
export function sharedPool(): SharedPool | undefined {
  const pool = joinPool()
  if (pool instanceof SharedPool) return pool
  leavePool(pool)
  return undefined
}

export class SharedTeam {
  readonly #pool: SharedPool
  readonly #memory: Memory
  readonly #threads: number

  constructor(pool: SharedPool, memory: Memory, threads: number) {
    this.#pool = pool
    this.#memory = memory
    this.#threads = threads
    pool.grow(threads - 1)
  }

  /** Gives a program to the workers. */
  add(program: LoadedAtOnce): void {
    program.id = this.#pool.add({ module: program.module, over: this.#memory }, program.phases)
  }

  drop({ id }: LoadedAtOnce): void {
    this.#pool.drop(id)
  }

  /** What runs a job on all threads; undefined while another device uses the workers. */
  get together(): ((job: Job) => number) | undefined {
    return this.#pool.busy ? undefined : (job) => together(this.#pool, job, this.#threads)
  }

  leave(): void {
    leavePool(this.#pool, this.#memory)
  }
}

function together(pool: SharedPool, job: Job, threads: number): number {
  const { shared, programs } = pool
  const { control } = shared
  const calls = offer(pool, job, threads)
  let failure: unknown
  const failed = (error: unknown) => {
    failure ??= error
  }
  let until: number | undefined
  while (Atomics.load(control, entry.finished) < calls) {
    if (workOnce(shared, programs, 0, failed)) continue
    until ??= performance.now() + patience
    if (performance.now() > until)
      throw new Error('Cannot finish the run: a worker thread has ended during a call; open the device again')
  }
  close(shared)
  if (Atomics.load(control, entry.failed)) throw trapped(failure === undefined ? undefined : String(failure))
  return Atomics.load(control, entry.joined)
}
