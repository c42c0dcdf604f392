/**
 * Runs jobs on the caller's thread, and also on the pool's workers if a job is large enough.
 *
 * The caller's thread makes pauses, and never blocks: at the end of a job it spins briefly for the last calls, then yields.
 *
 * @module
 */
import { close, entry, workOnce } from './claims.ts'
import { type CopyPool, runOnCopies, transferBytes } from './copies.ts'
import { Executor, LostCallError, type Run } from './executor.ts'
import type { Job } from './job.ts'
import { offer } from './offer.ts'
import { otherTasks, unwatched } from './pauses.ts'
import { type SharedPool, trapped } from './pool.ts'
import type { AnyPool } from './pools.ts'
import { Silence } from './silence.ts'
import type { ThreadChooser } from './thread-chooser.ts'

/** Milliseconds to spin for the last calls of other threads. */
const patience = 0.5
/** Milliseconds to wait for the reason why a call failed on another thread. */
const reasonPatience = 100
/** Jobs of at least `large` milliseconds on one thread always wake other threads; jobs up to `small` never do. */
const large = 8
const small = 0.06
/** Copies are used if they are expected to take less than this part of the time on one thread. */
const worthwhile = 0.8

export class PoolExecutor extends Executor {
  constructor(
    threads: number,
    /** Jobs of more milliseconds on one thread wake other threads; if undefined, timing decides. */
    readonly threadsFrom: number | undefined,
    pool: AnyPool,
  ) {
    super(threads, pool)
  }

  protected override start(pool: AnyPool | undefined, job: Job, run: Run): Promise<void> | undefined {
    if (pool === undefined || this.threads === 1 || job.units <= 1) return this.alone(job, run)
    if (pool.memory === 'copied') return this.#copied(pool, job, run)
    if (this.threadsFrom !== undefined)
      return job.cost > this.threadsFrom ? this.#shared(pool, job, run) : this.alone(job, run)
    if (job.cost <= small) return this.alone(job, run)
    if (job.chooser === undefined || job.cost >= large || pool.alive.length === 0) return this.#shared(pool, job, run)
    return this.#timed(pool, job, job.chooser, run)
  }

  /** Takes the way that was faster until now, and times it. */
  #timed(pool: SharedPool, job: Job, chooser: ThreadChooser, run: Run): Promise<void> | undefined {
    const others = pool.asleep ? 'asleep' : 'awake'
    const way = chooser.next(others)
    // A timed call is not interrupted.
    this.early = false
    const start = performance.now()
    const took = () => chooser.took(others, way, (performance.now() - start) / job.units)
    const waiting = way === 'alone' ? this.alone(job, run) : this.#shared(pool, job, run)
    if (waiting !== undefined) return waiting.then(took)
    took()
    return undefined
  }

  /** Sends copies to workers that have started, if that is expected to be faster. */
  #copied(pool: CopyPool, job: Job, run: Run): Promise<void> | undefined {
    const workers = pool.alive.slice(0, this.threads - 1)
    const copies = workers.length > 0 ? job.copies?.() : undefined
    if (copies === undefined) return this.alone(job, run)
    const transfer = pool.transferTime(transferBytes(job, copies, workers.length))
    const expected = job.cost / (workers.length + 1) + 2 * (transfer ?? Number.POSITIVE_INFINITY)
    const pays = this.threadsFrom === undefined ? expected < worthwhile * job.cost : job.cost > this.threadsFrom
    if (!pays) return this.alone(job, run)
    return runOnCopies(pool, workers, job, copies, run).then((joined) => {
      this.joined |= joined
    })
  }

  async #shared(pool: SharedPool, job: Job, run: Run): Promise<void> {
    const { shared, programs } = pool
    const { control } = shared
    const calls = offer(pool, job, this.threads)
    const done = () => Atomics.load(control, entry.finished) / calls
    const trapHere = (error: unknown) => {
      pool.trap ??= String(error)
    }
    let silence: Silence | undefined
    try {
      if (this.early) await undefined
      this.early = false
      let until: number | undefined
      let heard = 0
      while (Atomics.load(control, entry.finished) < calls) {
        if (workOnce(shared, programs, 0, trapHere)) {
          if (run.isDue(unwatched)) await run.now(done())
          continue
        }
        until ??= performance.now() + patience
        if (performance.now() <= until) continue
        silence ??= new Silence(job.cost / calls)
        if (done() > heard) silence.end()
        heard = done()
        if (silence.isTooLong()) pool.giveUpCalls()
        if (pool.lostCall) throw new LostCallError(pool.lostCall)
        await run.now(heard)
      }
    } catch (error) {
      // After an abort, claimed calls still write to memory, so wait for them.
      const claimed = close(shared)
      silence ??= new Silence(job.cost / calls)
      while (Atomics.load(control, entry.finished) < claimed && !pool.lostCall) {
        if (silence.isTooLong()) pool.giveUpCalls()
        await otherTasks()
      }
      throw error
    } finally {
      close(shared)
      this.joined |= Atomics.load(control, entry.joined)
    }
    if (Atomics.load(control, entry.failed)) throw trapped(await trapOf(pool))
  }
}

/** Why a call failed. A worker posts the reason before it marks the job as failed, so it arrives soon. */
async function trapOf(pool: SharedPool): Promise<string | undefined> {
  const until = performance.now() + reasonPatience
  while (pool.trap === undefined && performance.now() < until) await otherTasks()
  return pool.trap
}
