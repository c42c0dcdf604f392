/**
 * Workers without shared memory. Each has its own memory with the same addresses as the memory of the device. Inputs are copied
 * there before a call, and results are copied back.
 *
 * If a worker ends, nothing is lost: the other threads repeat its work.
 *
 * @module
 */
import type { Copies, Job, Pause } from './job.ts'
import type { Answer, MemoryPart, Span, WorkerTask } from './messages.ts'
import { Pool, trapped } from './pool.ts'
import { afterLook, Silence } from './silence.ts'

/** Milliseconds to send a task without work to a worker, and for each byte that it carries. */
interface TransferCost {
  readonly task: number
  readonly byte: number
}

/** The most milliseconds of work in one task. Each worker has up to two tasks. */
const longest = 25

interface Waiting {
  /** Milliseconds that the task should take. */
  readonly expected: number
  resolve(parts: readonly MemoryPart[]): void
  reject(reason: Error): void
}

/** A worker ended, so its work must be repeated. */
export class EndedError extends Error {}

export class CopyPool extends Pool {
  readonly memory = 'copied'
  #cost: TransferCost | undefined
  #timing: number | undefined
  readonly #waiting = new Map<number, Waiting[]>()

  /** Leaves out the worker that is being timed, because the timing overwrites its memory. */
  override get alive(): readonly number[] {
    return super.alive.filter((thread) => thread !== this.#timing)
  }

  /** Milliseconds to transfer a number of bytes to or from a worker; undefined until it is measured. */
  transferTime(bytes: number): number | undefined {
    return this.#cost && this.#cost.task + bytes * this.#cost.byte
  }

  /**
   * Sends a task to a worker. Rejects with `EndedError` if the worker ends, or is silent for too long, before it answers.
   *
   * @param expected milliseconds that the task should take
   */
  perform(thread: number, task: WorkerTask, expected = 0): Promise<readonly MemoryPart[]> {
    return new Promise((resolve, reject) => {
      const ended = this.failures.get(thread)
      if (ended !== undefined) throw new EndedError(ended)
      const waiting = this.#waiting.get(thread) ?? []
      this.#waiting.set(thread, [...waiting, { expected, resolve, reject }])
      this.post(thread, { task })
      if (waiting.length === 0) void this.#attend(thread)
    })
  }

  /** Looks at a worker while it has tasks, and gives it up if it is silent for too long. */
  async #attend(thread: number): Promise<void> {
    for (let first = this.#firstOf(thread); first !== undefined; first = this.#firstOf(thread)) {
      const silence = new Silence(first.expected)
      while (this.#firstOf(thread) === first) {
        await afterLook()
        if (this.#firstOf(thread) === first && silence.isTooLong()) this.giveUp(thread)
      }
    }
  }

  #firstOf(thread: number): Waiting | undefined {
    return this.#waiting.get(thread)?.[0]
  }

  protected override answer(thread: number, answer: Exclude<Answer, 'ready'>): void {
    const [first, ...others] = this.#waiting.get(thread) ?? []
    this.#waiting.set(thread, others)
    if ('parts' in answer) first?.resolve(answer.parts)
    else first?.reject(trapped(answer.failed))
  }

  protected override ended(thread: number): void {
    const reason = new EndedError(this.failures.get(thread))
    for (const { reject } of this.#waiting.get(thread) ?? []) reject(reason)
    this.#waiting.delete(thread)
  }

  /** Measures the transfer time with tasks that only carry bytes. */
  protected override ready(thread: number): void {
    const time = async (length: number) => {
      const start = performance.now()
      const parts = length > 0 ? [{ address: 64, bytes: new Uint8Array(length) }] : []
      const take = [{ address: 64, length }]
      await this.perform(thread, { program: 0, memoryBytes: 64 + length, parts, calls: [], take })
      return performance.now() - start
    }
    const measure = async () => {
      const length = 2 ** 21
      let [none, many] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
      for (let n = 0; n < 3; n++) {
        none = Math.min(none, await time(0))
        many = Math.min(many, await time(length))
      }
      this.#cost = { task: none, byte: Math.max(0, many - none) / (2 * length) }
    }
    if (this.#cost || this.#timing !== undefined) return
    this.#timing = thread
    const over = () => {
      this.#timing = undefined
    }
    // If the worker ends meanwhile, `ended` already records that.
    measure().then(over, over)
  }
}

/** Number of bytes to transfer if this many workers help. */
export function transferBytes({ units }: Job, copies: Copies, workers: number): number {
  const size = (spans: readonly Span[]) => spans.reduce((sum, { length }) => sum + length, 0)
  const totals = copies.totals ? [copies.totals] : []
  return workers * size([...copies.inputs, ...totals]) + size(copies.results(0, units))
}

/** Runs a job on this thread and on workers. Returns the bits of the threads that took part. */
export async function runOnCopies(
  pool: CopyPool,
  workers: readonly number[],
  job: Job,
  copies: Copies,
  pause: Pause,
): Promise<number> {
  const { program, phase, block, scratch, units, callUnits } = job
  const bytesAt = ({ address, length }: Span) => new Uint8Array(copies.memory.buffer, address, length)
  const parts = copies.inputs.map((span) => ({ address: span.address, bytes: bytesAt(span).slice() }))
  const memoryBytes = copies.memory.buffer.byteLength
  const task = { program: program.id, memoryBytes, parts: [], calls: [], take: [] }
  const store = (list: readonly MemoryPart[], offset = 0) => {
    for (const { address, bytes } of list) new Uint8Array(copies.memory.buffer).set(bytes, address + offset)
  }
  const again: (readonly [number, number])[] = []
  let next = 0
  let joined = 1
  let over = false
  // Tasks become shorter towards the end, so that all threads finish together. They are never too short to be worth sending,
  // and never longer than a worker may continue after an abort, because a worker cannot be interrupted.
  const least = Math.max(callUnits, Math.ceil(units / Math.max(1, job.cost)))
  const claim = (most: number): readonly [number, number] | undefined => {
    const returned = again.pop()
    if (returned || next >= units) return returned
    const first = next
    next = Math.min(units, first + most)
    return [first, next]
  }

  const serve = async (thread: number): Promise<void> => {
    const taken = new Set<readonly [number, number]>()
    const calls = copies.before === undefined ? [] : [{ phase: copies.before, block, scratch, first: 0, last: 1 }]
    // Starts with the smallest task that is worth sending, until the speed of the worker is known.
    let most = least
    let answered = performance.now()
    const lane = async () => {
      for (;;) {
        const share = Math.max(least, Math.ceil((units - next) / (4 * workers.length + 4)))
        const range = over ? undefined : claim(Math.min(share, most))
        if (range === undefined) return
        taken.add(range)
        const asked = performance.now()
        const [first, last] = range
        const calls = Array.from({ length: Math.ceil((last - first) / callUnits) }, (_, n) => {
          const from = first + n * callUnits
          return { phase, block, scratch, first: from, last: Math.min(from + callUnits, last) }
        })
        const expected = (job.cost * (last - first)) / units
        const results = await pool.perform(thread, { ...task, calls, take: copies.results(first, last) }, expected)
        if (over) return
        const now = performance.now()
        const milliseconds = now - Math.max(asked, answered)
        answered = now
        // This thread may receive several answers at once, which makes workers seem too fast, so tasks at most double.
        most = Math.max(callUnits, Math.min(2 * most, Math.ceil((longest * (last - first)) / milliseconds)))
        joined |= 1 << thread
        store(results)
        if (!copies.totals) taken.delete(range)
      }
    }
    try {
      const ready = pool.perform(thread, { ...task, parts, calls })
      // Sends two tasks at a time, so that the next is there when one is done. Both lanes stop before unfinished ranges are
      // returned.
      const lanes = await Promise.allSettled([ready, lane(), lane()])
      for (const end of lanes) if (end.status === 'rejected') throw end.reason
      if (copies.totals && !over)
        store(await pool.perform(thread, { ...task, take: [copies.totals] }), thread * copies.totals.length)
    } catch (error) {
      if (!(error instanceof EndedError)) throw error
      again.push(...taken)
    }
  }

  const served = workers.map(serve)
  const work = async () => {
    const own = program.phases[phase]
    for (let range = claim(callUnits); range; range = claim(callUnits)) {
      for (let first = range[0]; first < range[1]; first += callUnits) {
        const last = Math.min(first + callUnits, range[1])
        own?.(block, scratch, first, last)
        const waiting = pause.ifDue(next / units, (job.cost * (last - first)) / units)
        if (waiting !== undefined) await waiting
      }
    }
  }
  try {
    await work()
    const all = Promise.all(served).then(() => true)
    all.catch(() => {})
    // A run that is aborted does not wait for workers.
    while (!(await Promise.race([all, afterLook()]))) await pause.now(next / units)
    // Repeats the work of workers that ended.
    await work()
  } catch (error) {
    // Workers finish their tasks in their own memories, so there is no need to wait for them.
    over = true
    for (const one of served) one.catch(() => {})
    throw error
  }
  return joined
}
