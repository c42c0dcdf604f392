/**
 * Runs jobs one after the other on the caller's thread, with pauses in which other tasks run. `PoolExecutor` shares them with the workers
 * of a pool.
 *
 * @module
 */
import type { Job } from './job.ts'
import { Pauses } from './pauses.ts'
import type { AnyPool } from './pools.ts'

/** The least milliseconds that a call takes. */
const overhead = 2e-4

/** A worker ended during a call. */
export class LostCallError extends Error {
  override readonly name = 'LostCallError'
}

/** Watches a run: checks whether it must stop, and hears of its progress. */
export interface Watcher {
  /** Called between slices. Throws the reason if the run must stop. */
  readonly check?: (() => void) | undefined
  /** Called with the part of the work that is done, from 0 to 1. */
  readonly onProgress?: ((done: number) => void) | undefined
  /** Whether the caller has other work once the workers have begun a large job. */
  readonly early?: boolean
}

export class Executor {
  /** Bits of the threads that took part in the latest run. */
  joined = 0
  protected early = false

  constructor(
    readonly threads: number = 1,
    readonly pool: AnyPool | undefined = undefined,
  ) {}

  /** Runs all jobs in order, `times` times. @throws any error of `check`; the jobs are then left unfinished */
  async run(jobs: readonly Job[], times: number, { check, onProgress, early = false }: Watcher = {}): Promise<void> {
    check?.()
    this.early = early
    this.joined = 1
    const pool = this.pool?.busy ? undefined : this.pool
    if (pool) pool.busy = true
    const total = times * jobs.reduce((sum, job) => sum + job.cost, 0)
    let before = 0
    let cost = 0
    const pause = new Pauses((done) => onProgress?.(Math.min(1, (before + done * cost) / (total || 1))), check)
    try {
      for (let n = 0; n < times; n++)
        for (const job of jobs) {
          cost = job.cost
          const waiting = job.skip?.() ? undefined : this.start(pool, job, pause)
          if (waiting !== undefined) await waiting
          before += job.cost
        }
    } finally {
      if (pool) pool.busy = false
    }
    onProgress?.(1)
  }

  /** Runs a job. Only executors of several threads have a pool. */
  protected start(_pool: AnyPool | undefined, job: Job, pause: Pauses): Promise<void> | undefined {
    return this.alone(job, pause)
  }

  /** Returns a promise only if it had to pause, so that small jobs stay synchronous. */
  protected alone(job: Job, pause: Pauses): Promise<void> | undefined {
    const { block, scratch, units, callUnits, cost } = job
    const phase = job.program.phases[job.phase]
    const from = (start: number): Promise<void> | undefined => {
      for (let first = start; first < units; first += callUnits) {
        const last = Math.min(first + callUnits, units)
        phase?.(block, scratch, first, last)
        const waiting = pause.ifDue(last / units, (cost * (last - first)) / units + overhead)
        if (waiting !== undefined) return waiting.then(() => from(last))
      }
      return undefined
    }
    return from(0)
  }
}
