/**
 * The worker threads: one pool for all devices, started when a first program wants it, ended when the last device goes.
 *
 * The pool never keeps a process alive, and never makes anyone wait for a worker to start: work goes to who is there.
 * How it gets there depends on what threads have in common: `SharedPool` through memory (see `claims.ts`), `CopyPool` by
 * messages (see `copies.ts`).
 *
 * @module
 */
import { closed, entry, type Phases, type Shared } from './claims.ts'
import type { Answer, WorkerMessage } from './messages.ts'
import { startWorker, type WorkerHandle, type WorkerSource } from './start-worker.ts'

/** Bytes of the control array; the claim follows it. */
const controlBytes = 512

interface PoolProgram {
  readonly module: WebAssembly.Module
  /** The memory of all threads, if there is one. */
  readonly memory?: WebAssembly.Memory | undefined
}

export abstract class Pool {
  /** Whether a device is using the pool now. */
  busy = false
  /** The programs in the caller's thread. */
  readonly programs: Map<number, Phases> = new Map()
  /** Workers that ended or never started, and why. */
  readonly failures: Map<number, string> = new Map()
  /** Where the code of each worker that has started came from. */
  readonly started: Map<number, WorkerSource> = new Map()
  readonly #sources = new Map<number, PoolProgram>()
  readonly #workers: WorkerHandle[] = []
  #next = 1

  abstract readonly memory: 'shared' | 'copied'

  constructor(readonly source: WorkerSource | undefined) {}

  /** Ensures at least this many workers, counting those that failed to start. */
  grow(workers: number): void {
    while (this.#workers.length < workers) {
      const thread = this.#workers.length + 1
      const handle = startWorker(this.source, {
        ready: (source) => {
          this.started.set(thread, source)
          this.ready(thread)
        },
        answer: (answer) => this.answer(thread, answer),
        ended: (reason) => {
          this.failures.set(thread, reason)
          this.ended(thread)
        },
      })
      this.#workers.push(handle)
      this.begin(thread)
      for (const [id, program] of this.#sources) this.post(thread, { add: { id, ...program } })
    }
  }

  add(program: PoolProgram, phases: Phases): number {
    const id = this.#next++
    this.#sources.set(id, program)
    this.programs.set(id, phases)
    this.#all({ add: { id, ...program } })
    return id
  }

  drop(id: number): void {
    if (!this.#sources.delete(id)) return
    this.programs.delete(id)
    this.#all({ drop: id })
  }

  /** Ends all workers. */
  end(): void {
    for (const worker of this.#workers.splice(0)) worker.terminate()
  }

  /** Workers that could take work now. */
  get alive(): readonly number[] {
    return [...this.started.keys()].filter((thread) => !this.failures.has(thread))
  }

  /** Why there can be no workers, if so. */
  get hopeless(): string | undefined {
    const [reason] = this.failures.values()
    return this.#workers.length > 0 && this.failures.size === this.#workers.length ? reason : undefined
  }

  protected post(thread: number, message: WorkerMessage): void {
    this.#workers[thread - 1]?.post(message)
  }

  /** A worker has been told to start. */
  protected begin(_thread: number): void {}
  /** A worker has started. */
  protected ready(_thread: number): void {}
  protected answer(_thread: number, _answer: Exclude<Answer, 'ready'>): void {}
  protected ended(_thread: number): void {}

  #all(message: WorkerMessage): void {
    this.#workers.forEach((_, n) => {
      this.post(n + 1, message)
    })
  }
}

/** Workers over one memory. */
export class SharedPool extends Pool {
  readonly memory = 'shared'
  readonly shared: Shared

  constructor(source?: WorkerSource) {
    super(source)
    const buffer = new SharedArrayBuffer(controlBytes + 8)
    this.shared = {
      control: new Int32Array(buffer, 0, controlBytes / 4),
      claims: new BigInt64Array(buffer, controlBytes),
    }
    Atomics.store(this.shared.claims, 0, closed)
  }

  /** Why a call that was claimed will never be finished, if one is lost. */
  get lostCall(): string | undefined {
    for (const [thread, reason] of this.failures)
      if (Atomics.load(this.shared.control, entry.inCall + thread)) return reason
    return undefined
  }

  /** What ended workers held was of jobs that are over. */
  forgetLostCalls(): void {
    for (const thread of this.failures.keys()) Atomics.store(this.shared.control, entry.inCall + thread, 0)
  }

  /** Whether someone would have to be woken. */
  get asleep(): boolean {
    return Atomics.load(this.shared.control, entry.sleepers) > 0
  }

  wake(): void {
    const { control } = this.shared
    Atomics.add(control, entry.generation, 1)
    if (this.asleep) Atomics.notify(control, entry.generation)
  }

  protected override begin(thread: number): void {
    this.post(thread, { start: { shared: this.shared, thread } })
  }

  protected override post(thread: number, message: WorkerMessage): void {
    // Counted first: a worker that has received more than was counted would wait for a message that never comes.
    Atomics.add(this.shared.control, entry.posted + thread, 1)
    super.post(thread, message)
    this.wake()
  }
}
