/**
 * The memory, the threads and the order of tasks, which all programs and sequences of a device share.
 *
 * @module
 */
import type { DeviceInfo, LossReason, RunOptions } from '@manybody/core'
import { DeviceLostError } from '@manybody/core/backend'
import { type Executor, LostCallError } from '../threads/executor.ts'
import { bitsIn, type Job } from '../threads/job.ts'
import type { AnyPool } from '../threads/pools.ts'
import type { Memory } from './memory.ts'

export class Host {
  readonly #executor: Executor
  readonly #lose: (loss: LossReason) => void
  readonly lost: Promise<LossReason>
  readonly pool: AnyPool | undefined
  readonly threads: number
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

  /** Begins a task now; undefined if it would have to wait, or the device is lost. */
  atOnce<T>(task: () => Promise<T>): Promise<T> | undefined {
    return this.#tasks > 0 || this.#loss ? undefined : this.#queue(task())
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
   * Runs jobs on this device's threads.
   *
   * @param early whether the caller's thread has other work before it takes part
   */
  async execute(
    jobs: readonly Job[],
    times: number,
    { signal, onProgress }: Pick<RunOptions, 'signal' | 'onProgress'>,
    early = false,
  ): Promise<void> {
    const check = () => {
      signal?.throwIfAborted()
      this.refuseIfLost()
    }
    try {
      await this.#executor.run(jobs, times, { check, onProgress, early })
    } catch (error) {
      if (!(error instanceof LostCallError)) throw error
      const loss = { reason: error.message, remedy: 'open the device again, if necessary with threads: 1' }
      this.refuse(loss)
      this.#lose(loss)
      throw new DeviceLostError(this.info.backend, loss)
    }
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
