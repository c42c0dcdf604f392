/**
 * The worker threads: one pool for all devices. It starts with the first program and ends with the last device.
 *
 * The pool never keeps a process alive, and nothing waits for a worker to start: work goes to the workers that have started.
 * Workers of a `SharedPool` get work through shared memory (see `claims.ts`), those of a `CopyPool` by messages (see
 * `copies.ts`).
 *
 * @module
 */

import { pageBytes } from '../../design/memory-sizes.ts'
import { entry, type Phases, type Shared, sharedOver } from './claims.ts'
import type { Answer, WorkerMessage } from './messages.ts'
import { startWorker, type WorkerHandle, type WorkerSource } from './start-worker.ts'
import { ThreadChooser } from './thread-chooser.ts'

/** Bytes of the control array; the counter of claims follows it. */
const controlBytes = 512
/** The most parts of a job: one more than threads. */
const mostParts = 32

/** Milliseconds that a worker may take to start before it is called silent. It may still start later. */
const startPatience = 5000

/** The error of a run if generated code trapped. Only a fault of this backend can cause that. */
export const trapped = (reason = 'WebAssembly trapped'): Error =>
  new Error(
    `Cannot finish the run: the generated loop failed on a thread (${reason}); this is a fault of cpu-wasm, please report it with the workload, or use another backend`,
  )

/** The memory of one device. */
export interface DeviceMemory {
  readonly memory: WebAssembly.Memory
}

interface PoolProgram {
  readonly module: WebAssembly.Module
  readonly over: DeviceMemory
}

export abstract class Pool {
  /** Whether a device is using the pool now. */
  busy = false
  /** Programs as instantiated on the caller's thread. */
  readonly programs: Map<number, Phases> = new Map()
  /** Workers that ended or never started, with the reason. */
  readonly failures: Map<number, string> = new Map()
  /** Workers that have started, with the source of their code. */
  readonly started: Map<number, WorkerSource> = new Map()
  readonly #sources = new Map<number, PoolProgram>()
  readonly #workers: WorkerHandle[] = []
  /** When each worker was told to start. */
  readonly #asked: number[] = []
  readonly #left = new WeakSet<DeviceMemory>()
  #next = 1
  #over = false

  abstract readonly memory: 'shared' | 'copied'

  constructor(readonly source: WorkerSource | undefined) {}

  /** Ensures at least this many workers, counting those that failed to start. Does nothing after the end. */
  grow(workers: number): void {
    while (!this.#over && this.#workers.length < workers) {
      const thread = this.#workers.length + 1
      const handle = startWorker(this.source, {
        ready: (source) => {
          this.started.set(thread, source)
          this.ready(thread)
        },
        answer: (answer) => this.answer(thread, answer),
        ended: (reason) => this.#fail(thread, reason),
      })
      this.#workers.push(handle)
      this.#asked.push(performance.now())
      this.begin(thread)
      for (const [id, program] of this.#sources) this.post(thread, this.#addition(id, program))
    }
  }

  /** Adds a program of a device. Returns its number, or 0 if the device has left. */
  add(program: PoolProgram, phases: Phases): number {
    if (this.#left.has(program.over)) return 0
    const id = this.#next++
    this.#sources.set(id, program)
    this.programs.set(id, phases)
    this.#all(this.#addition(id, program))
    return id
  }

  /** A chooser for each phase of a program. */
  choosersOf(phases: Phases): readonly ThreadChooser[] {
    return phases.map(() => new ThreadChooser())
  }

  drop(id: number): void {
    if (!this.#sources.delete(id)) return
    this.programs.delete(id)
    this.#all({ drop: id })
  }

  /** Forgets all programs of a device that is disposed of. */
  leave(memory: DeviceMemory): void {
    this.#left.add(memory)
    for (const [id, { over }] of [...this.#sources]) if (over === memory) this.drop(id)
  }

  /** Ends a worker that has not answered for too long. A page that ends a worker sends no event. */
  giveUp(thread: number): void {
    this.#workers[thread - 1]?.terminate()
    this.#fail(thread, 'it did not answer any more')
  }

  #fail(thread: number, reason: string): void {
    if (this.failures.has(thread)) return
    this.failures.set(thread, reason)
    this.ended(thread)
  }

  protected memoryOf(program: number): WebAssembly.Memory | undefined {
    return this.#sources.get(program)?.over.memory
  }

  /** Ends all workers, for good. */
  end(): void {
    this.#over = true
    for (const worker of this.#workers.splice(0)) worker.terminate()
  }

  /** Workers that can take work now. */
  get alive(): readonly number[] {
    return [...this.started.keys()].filter((thread) => !this.failures.has(thread))
  }

  /** Number of workers, counting those that failed. */
  get size(): number {
    return this.#workers.length
  }

  /** Number of workers that have neither started nor failed, although they had enough time. */
  get silent(): number {
    const open = (thread: number) => !this.started.has(thread) && !this.failures.has(thread)
    return this.#asked.filter((asked, n) => open(n + 1) && performance.now() - asked > startPatience).length
  }

  protected post(thread: number, message: WorkerMessage): void {
    this.#workers[thread - 1]?.post(message)
  }

  /** Called when a worker was told to start. */
  protected begin(_thread: number): void {}
  /** Called when a worker has started. */
  protected ready(_thread: number): void {}
  protected answer(_thread: number, _answer: Exclude<Answer, 'ready'>): void {}
  protected ended(_thread: number): void {}

  #addition(id: number, { module, over }: PoolProgram): WorkerMessage {
    return { add: { id, module, memory: this.memory === 'shared' ? over.memory : undefined } }
  }

  #all(message: WorkerMessage): void {
    this.#workers.forEach((_, n) => {
      this.post(n + 1, message)
    })
  }
}

/** Workers that share the memories of devices. */
export class SharedPool extends Pool {
  readonly memory = 'shared'
  /**
   * Memories of devices that were disposed of, for the next devices. Engines can reserve only some hundred, and a sleeping worker
   * that once had a program over a memory never frees it.
   */
  readonly spares: WebAssembly.Memory[] = []
  readonly shared: Shared
  /** Why a call of the latest job failed, once a worker has reported it. */
  trap: string | undefined

  constructor(source?: WorkerSource) {
    super(source)
    this.shared = sharedOver(new SharedArrayBuffer(controlBytes + 8 * (1 + mostParts)), controlBytes / 4)
  }

  /** The size of the memory of a program; 0 if the pool has forgotten it. */
  memoryPages(program: number): number {
    return (this.memoryOf(program)?.buffer.byteLength ?? 0) / pageBytes
  }

  /** Why a claimed call will never finish; undefined if none is lost. */
  get lostCall(): string | undefined {
    for (const [thread, reason] of this.failures)
      if (Atomics.load(this.shared.control, entry.inCall + thread)) return reason
    return undefined
  }

  /** Gives up the workers that are in a call of the job. */
  giveUpCalls(): void {
    for (const thread of this.alive) if (Atomics.load(this.shared.control, entry.inCall + thread)) this.giveUp(thread)
  }

  /** Forgets the calls of ended workers, which belong to jobs that are over. */
  forgetLostCalls(): void {
    for (const thread of this.failures.keys()) Atomics.store(this.shared.control, entry.inCall + thread, 0)
  }

  /** Whether any worker sleeps. */
  get asleep(): boolean {
    return Atomics.load(this.shared.control, entry.sleepers) > 0
  }

  wake(): void {
    const { control } = this.shared
    Atomics.add(control, entry.generation, 1)
    if (this.asleep) Atomics.notify(control, entry.generation)
  }

  protected override answer(_thread: number, answer: Exclude<Answer, 'ready'>): void {
    if ('failed' in answer) this.trap ??= answer.failed
  }

  protected override begin(thread: number): void {
    this.post(thread, { start: { shared: this.shared, thread } })
  }

  protected override post(thread: number, message: WorkerMessage): void {
    // Counts first. A worker that had received more messages than were counted would wait for one that never comes.
    Atomics.add(this.shared.control, entry.posted + thread, 1)
    super.post(thread, message)
    this.wake()
  }
}
