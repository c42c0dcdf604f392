/**
 * The worker threads: one pool for all devices, started when a first program wants it, ended when the last device goes.
 *
 * The pool never keeps a process alive, and never makes anyone wait for a worker to start: calls are claimed by who is
 * there. See `claims.js` for how, and `worker.js` for the other end.
 *
 * @module
 */
import { closed, entry, type Phases, type Shared } from './claims.js'
import { startWorker, type WorkerHandle } from './start-worker.ts'

/** Bytes of the control array; the claim follows it. */
const controlBytes = 512

interface PoolProgram {
  readonly module: WebAssembly.Module
  readonly memory: WebAssembly.Memory
}

class Pool {
  readonly shared: Shared
  /** The programs in the caller's thread. */
  readonly programs: Map<number, Phases> = new Map()
  /** Whether a device is using the pool now. */
  busy = false
  /** Workers that ended by themselves, and why. */
  readonly failures: Map<number, string> = new Map()
  readonly #sources = new Map<number, PoolProgram>()
  readonly #workers: WorkerHandle[] = []
  #next = 1

  constructor() {
    const buffer = new SharedArrayBuffer(controlBytes + 8)
    this.shared = {
      control: new Int32Array(buffer, 0, controlBytes / 4),
      claims: new BigInt64Array(buffer, controlBytes),
    }
    Atomics.store(this.shared.claims, 0, closed)
  }

  /** Has at least so many workers, those that failed to start included. */
  grow(workers: number): void {
    while (this.#workers.length < workers) {
      const thread = this.#workers.length + 1
      const handle = startWorker((reason) => {
        this.failures.set(thread, reason)
      })
      this.#workers.push(handle)
      this.#post(thread, { start: { shared: this.shared, thread } })
      for (const [id, { module, memory }] of this.#sources) this.#post(thread, { add: { id, module, memory } })
    }
  }

  add(program: PoolProgram, phases: Phases): number {
    const id = this.#next++
    this.#sources.set(id, program)
    this.programs.set(id, phases)
    this.#workers.forEach((_, n) => {
      this.#post(n + 1, { add: { id, ...program } })
    })
    return id
  }

  drop(id: number): void {
    if (!this.#sources.delete(id)) return
    this.programs.delete(id)
    this.#workers.forEach((_, n) => {
      this.#post(n + 1, { drop: id })
    })
  }

  /** Ends all workers. */
  end(): void {
    for (const worker of this.#workers.splice(0)) worker.terminate()
  }

  /** Why a call that was claimed will never be finished, if one is lost. */
  get lostCall(): string | undefined {
    for (const [thread, reason] of this.failures)
      if (Atomics.load(this.shared.control, entry.holding + thread)) return reason
    return undefined
  }

  wake(): void {
    const { control } = this.shared
    Atomics.add(control, entry.generation, 1)
    if (Atomics.load(control, entry.sleepers) > 0) Atomics.notify(control, entry.generation)
  }

  #post(thread: number, message: object): void {
    this.#workers[thread - 1]?.post(message)
    Atomics.add(this.shared.control, entry.mail + thread, 1)
    this.wake()
  }
}

let pool: Pool | undefined
let users = 0

export type { Pool }

/** The pool, for a device that will call `leavePool` when it is disposed of. */
export function joinPool(): Pool {
  users++
  pool ??= new Pool()
  return pool
}

export function leavePool(): void {
  if (--users > 0) return
  pool?.end()
  pool = undefined
}
