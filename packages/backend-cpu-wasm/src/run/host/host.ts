/**
 * The memory, the threads and the order of tasks, which all programs and sequences of a device share.
 *
 * @module
 */
import type { DeviceInfo, LossReason, RunOptions } from '@manybody/core'
import { DeviceLostError } from '@manybody/core/backend'
import { type Executor, LostCallError, type Watcher } from '../threads/executor.ts'
import { bitsIn, type Job } from '../threads/job.ts'
import type { AnyPool } from '../threads/pools.ts'
import type { Memory } from './memory.ts'

export class Host {
  readonly #executor: Executor
  readonly #lose: (loss: LossReason) => void
  readonly lost: Promise<LossReason>
  readonly pool: AnyPool | undefined
  readonly threads: number
  /** For runs without options. */
  readonly #unwatched: Watcher = { check: () => this.refuseIfLost() }
  readonly #early: Watcher = { ...this.#unwatched, early: true }
  #loss: LossReason | undefined
  #last: Promise<unknown> = Promise.resolve()
  /** Number of tasks that run or wait. */
  #tasks = 0

  constructor(
    readonly info: DeviceInfo,
    readonly memory: Memory,
    executor: Executor,
  ) {
    this.#executor = executor
    this.pool = executor.pool
    this.threads = executor.threads
    let lose: (loss: LossReason) => void = () => {}
    this.lost = new Promise((resolve) => {
      lose = resolve
    })
    this.#lose = lose
  }

  /** Number of threads that took part in the latest run. */
  get threadsUsed(): number {
    return bitsIn(this.#executor.joined)
  }

  /** Runs a task after all tasks submitted before. @throws {@link DeviceLostError} */
  inOrder<T>(task: () => T | Promise<T>): Promise<T> {
    return this.#queue(
      this.#last.then(() => {
        this.refuseIfLost()
        return task()
      }),
    )
  }

  /** Lets later tasks wait for one that has begun while nothing else ran. */
  begun<T>(task: Promise<T>): Promise<T> {
    return this.#queue(task)
  }

  /** Whether a task would begin at once. */
  get free(): boolean {
    return this.#tasks === 0 && !this.#loss
  }

  /** Runs jobs after all tasks submitted before. Undefined if that is done; it never throws. */
  begin(
    jobs: readonly Job[],
    times: number,
    options: Pick<RunOptions, 'signal' | 'onProgress'>,
  ): Promise<void> | undefined {
    if (!this.free) return this.inOrder(() => this.execute(jobs, times, options))
    try {
      const waiting = this.execute(jobs, times, options)
      return waiting && this.#queue(waiting)
    } catch (error) {
      return Promise.reject(error)
    }
  }

  #queue<T>(task: Promise<T>): Promise<T> {
    this.#tasks++
    const over = () => {
      this.#tasks--
    }
    this.#last = task.then(over, over)
    return task
  }

  /**
   * Runs jobs on this device's threads. Returns a promise only if it waited.
   *
   * @param early whether the caller's thread has other work before it takes part
   */
  execute(
    jobs: readonly Job[],
    times: number,
    { signal, onProgress }: Pick<RunOptions, 'signal' | 'onProgress'>,
    early = false,
  ): Promise<void> | undefined {
    const alone = early ? this.#early : this.#unwatched
    const watcher = signal || onProgress ? this.#watcher(signal, onProgress) : alone
    const waiting = this.#executor.run(jobs, times, watcher)
    return waiting && this.#watched(waiting)
  }

  #watched(run: Promise<void>): Promise<void> {
    return run.catch((error) => this.#failed(error))
  }

  #watcher(signal: RunOptions['signal'], onProgress: RunOptions['onProgress']): Watcher {
    const check = () => {
      signal?.throwIfAborted()
      this.refuseIfLost()
    }
    return { check, onProgress }
  }

  /** A call on another thread that is lost takes the device along. Nobody notices that before a run has waited for it. */
  #failed(error: unknown): never {
    if (!(error instanceof LostCallError)) throw error
    const loss = { reason: error.message, remedy: 'open the device again, if necessary with threads: 1' }
    this.refuse(loss)
    this.#lose(loss)
    throw new DeviceLostError(this.info.backend, loss)
  }

  /** Stops the task that runs, and rejects all further ones for this reason. */
  refuse(loss: LossReason): void {
    this.#loss ??= loss
  }

  /** Resolves when all tasks submitted until now have ended. */
  get idle(): Promise<unknown> {
    return this.#last
  }

  /** @throws {@link DeviceLostError} */
  refuseIfLost(): void {
    if (this.#loss) throw new DeviceLostError(this.info.backend, this.#loss)
  }
}
