/**
 * Runs jobs one after the other on the caller's thread, with pauses in which other tasks run. `PoolExecutor` shares them with the workers
 * of a pool.
 *
 * @module
 */
import type { Job } from './job.ts'
import { Pauses, unwatched } from './pauses.ts'
import type { AnyPool } from './pools.ts'

/** The least milliseconds that a call takes. */
const overhead = 2e-4
/** The most jobs of a run without pauses. */
const few = 64

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

/** The jobs of a run, one after the other, with pauses. */
export class Run extends Pauses {
  watcher: Watcher = {}
  #jobs: readonly Job[] = []
  #count = 0
  #begun = 0
  /** Whether it has few jobs, and is expected to end before a pause is worth a look at the clock. */
  #brief = false
  /** Milliseconds of all jobs, of those before the current one, and of that one. */
  #total = 1
  #before = 0
  #cost = 0

  of(jobs: readonly Job[], times: number, watcher: Watcher): this {
    this.begin()
    this.watcher = watcher
    this.#jobs = jobs
    this.#count = times * jobs.length
    this.#begun = 0
    let once = 0
    for (let n = 0; n < jobs.length; n++) once += (jobs[n] as Job).cost
    this.#brief = this.#count <= few && times * once <= unwatched
    if (watcher.onProgress) {
      this.#total = times * once || 1
      this.#before = 0
      this.#cost = 0
    }
    return this
  }

  /** Whether no pause can be due after a job. Its cost may have grown since the run began. */
  isBrief({ cost, units, callUnits }: Job): boolean {
    return this.#brief && units <= callUnits && cost <= unwatched
  }

  next(): Job | undefined {
    if (this.#begun >= this.#count) return undefined
    const job = this.#jobs[this.#begun++ % this.#jobs.length] as Job
    if (this.watcher.onProgress) {
      this.#before += this.#cost
      this.#cost = job.cost
    }
    return job
  }

  override progress(done: number): void {
    this.watcher.onProgress?.(Math.min(1, (this.#before + done * this.#cost) / this.#total))
  }

  override check(): void {
    this.watcher.check?.()
  }
}

export class Executor {
  /** Bits of the threads that took part in the latest run. */
  joined = 0
  protected early = false
  /** The next run uses it again. V8 throws compiled code away if no object of its kind is left. */
  #run: Run | undefined = new Run()

  constructor(
    readonly threads: number = 1,
    readonly pool: AnyPool | undefined = undefined,
  ) {}

  /**
   * Runs all jobs in order, `times` times. Returns a promise only if it had to wait.
   *
   * @throws any error of `check`; the jobs are then left unfinished
   */
  run(jobs: readonly Job[], times: number, watcher: Watcher = {}): Promise<void> | undefined {
    watcher.check?.()
    this.early = watcher.early ?? false
    this.joined = 1
    const pool = this.pool?.busy ? undefined : this.pool
    const run = (this.#run ?? new Run()).of(jobs, times, watcher)
    this.#run = undefined
    if (pool) pool.busy = true
    let waiting: Promise<void> | undefined
    try {
      waiting = this.#next(run, pool)
    } finally {
      if (!waiting) this.#end(run, pool)
    }
    if (waiting !== undefined) return this.#others(waiting, run, pool)
    watcher.onProgress?.(1)
    return undefined
  }

  #end(run: Run, pool: AnyPool | undefined): void {
    if (pool) pool.busy = false
    this.#run = run
  }

  /** Runs jobs until one has to wait. */
  #next(run: Run, pool: AnyPool | undefined): Promise<void> | undefined {
    for (let job = run.next(); job; job = run.next()) {
      const waiting = job.skip?.() ? undefined : this.start(pool, job, run)
      if (waiting !== undefined) return waiting
    }
    return undefined
  }

  async #others(first: Promise<void>, run: Run, pool: AnyPool | undefined): Promise<void> {
    const { onProgress } = run.watcher
    try {
      for (let waiting: Promise<void> | undefined = first; waiting; waiting = this.#next(run, pool)) await waiting
    } finally {
      this.#end(run, pool)
    }
    onProgress?.(1)
  }

  /** Runs a job. Only executors of several threads have a pool. */
  protected start(_pool: AnyPool | undefined, job: Job, run: Run): Promise<void> | undefined {
    return this.alone(job, run)
  }

  /** Returns a promise only if it had to pause, so that small jobs stay synchronous. */
  protected alone(job: Job, run: Run, start: number = 0): Promise<void> | undefined {
    const { block, scratch, units, callUnits, cost } = job
    const phase = job.program.phases[job.phase]
    const brief = run.isBrief(job)
    for (let first = start; first < units; first += callUnits) {
      const last = Math.min(first + callUnits, units)
      phase?.(block, scratch, first, last)
      if (!brief && run.isDue((cost * (last - first)) / units + overhead)) return this.#later(job, run, last)
    }
    return undefined
  }

  async #later(job: Job, run: Run, first: number): Promise<void> {
    await run.now(first / job.units)
    await this.alone(job, run, first)
  }
}
