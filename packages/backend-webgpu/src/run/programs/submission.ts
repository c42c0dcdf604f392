/**
 * One step of a run, ready to submit: its dispatches, and the staging memory for its results. It may be submitted again after
 * the arrays have new contents.
 *
 * @module
 */
import { interactionsIn } from '../drivers/driver.ts'
import type { GpuHost } from '../host/host.ts'
import { type Lease, mapStaging } from '../host/memory.ts'
import { partBuffers, partBytes, readInParts } from '../host/read-in-parts.ts'
import type { Timer } from '../host/timer.ts'
import { type BuffersByKey, encode } from './bound.ts'
import type { BoundStep } from './compiled-program.ts'

/** The numbers of one result. */
export type ResultNumbers = Float32Array | Uint32Array | Int32Array

/** Results by name. */
export type ResultData = ReadonlyMap<string, ResultNumbers>

/** The outcome of one submission. */
export interface Submitted {
  /**
   * Milliseconds on the device; undefined without a clock. Short work that is submitted again and again reads the clock every eighth
   * time, because that takes longer than some work.
   */
  readonly device: number | undefined
  /** How many interactions were computed, if the step counts them. */
  readonly evaluated: number | undefined
}

/** Milliseconds of work that may go without a reading of the clock, and the number of submissions from one reading to the next. */
const [longestUnclocked, unclocked] = [2, 8]
export class Submission {
  readonly #host: GpuHost
  readonly #timer: Timer
  readonly #staging: GPUBuffer
  readonly #queries: GPUBuffer | undefined
  /** Staging buffers for results too large to be mapped at once; empty for all others. */
  readonly #parts: readonly GPUBuffer[]
  readonly #copies: readonly Copy[]
  /** Where the timestamps begin, behind the results; each has 64 bits. */
  readonly #timestamps: number
  /** Milliseconds by the device's clock, when it was last read, and how often this was submitted without it since then. */
  #clocked: number | undefined
  #unclocked = 0
  /**
   * Whether WebGPU accepted the commands. It then accepts them again as long as the buffers exist, and need not be asked: the answer takes
   * longer than the submission.
   */
  #accepted = false
  /** The commands of the next submission. They are recorded while the device works. */
  #recorded: Recorded | undefined

  private constructor(
    host: GpuHost,
    timer: Timer,
    readonly step: BoundStep,
    copies: readonly Copy[],
    staging: GPUBuffer,
    queries: GPUBuffer | undefined,
    parts: readonly GPUBuffer[],
  ) {
    this.#host = host
    this.#timer = timer
    this.#copies = copies
    this.#timestamps = timestampsAfter(copies)
    this.#staging = staging
    this.#queries = queries
    this.#parts = parts
  }

  static async of(
    host: GpuHost,
    timer: Timer,
    step: BoundStep,
    buffers: BuffersByKey,
    lease: Lease,
  ): Promise<Submission> {
    const { reads, evaluated } = step
    const copies: Copy[] = []
    let at = 0
    for (const { key, first, length } of [
      ...reads.map(({ name, length }) => ({ key: `result.${name}`, first: 0, length })),
      ...(evaluated ? [evaluated] : []),
    ]) {
      const buffer = buffers.get(key)
      if (!buffer) throw new Error(`no buffer for "${key}"`)
      const large = 4 * length > partBytes
      copies.push({ buffer, first, length, at, large })
      at += large ? 0 : 4 * length
    }
    const parts = copies.some(({ large }) => large) ? await partBuffers(lease) : []
    const staging = await lease.staging(timestampsAfter(copies) + 16)
    return new Submission(host, timer, step, copies, staging, await timer.queries(lease), parts)
  }

  /**
   * Submits, waits for the device, and puts the results into their arrays.
   *
   * @param results called once the device is at work
   * @param atLeast milliseconds until the device can have finished
   */
  async run(results: () => ResultData, atLeast: number): Promise<Submitted> {
    this.#host.check()
    const start = performance.now()
    const clock = this.#readsClock()
    const known = clock ? undefined : this.#clocked
    this.#unclocked = clock ? 0 : this.#unclocked + 1
    const submit = () => this.#submit(clock)
    const submitted = this.#accepted ? submit() : this.#host.guarded('submit work', submit, ['validation'])
    // Does not wait for errors of the submission.
    const mapped = mapStaging(this.#host, this.#staging, this.#timestamps + 16, atLeast)
    mapped.catch(() => {})
    try {
      const data = results()
      await submitted
      // The first run may be the only one.
      if (this.#accepted) this.#recorded = this.#record(this.#readsClock())
      const bytes = await mapped
      this.#accepted = true
      const evaluated = this.#read(bytes, data)
      const device = known ?? this.#timeIn(bytes, start)
      if (known === undefined && device !== undefined) this.#clocked = device
      if (this.#parts.length > 0) await this.#readLarge(data)
      return { device, evaluated }
    } catch (error) {
      // Both must end before the buffers are used again.
      await Promise.allSettled([mapped, submitted])
      throw error
    } finally {
      this.#staging.unmap()
    }
  }

  /** Whether the next work may be submitted before this has finished: the device tells their times apart, and keeps all results. */
  get overlaps(): boolean {
    return this.#queries !== undefined && this.#parts.length === 0
  }

  /** Whether the next submission reads the device's clock. */
  #readsClock(): boolean {
    const { evaluated } = this.step
    return !this.#clocked || this.#clocked > longestUnclocked || !!evaluated || this.#unclocked + 1 >= unclocked
  }

  /**
   * Milliseconds on the device; undefined without a clock. A clock that shows more time than has passed also gives undefined,
   * because the next run would wait as long before it asks for its results.
   */
  #timeIn(bytes: ArrayBuffer, start: number): number | undefined {
    const time = this.#timer.read(bytes, this.#timestamps)
    return time !== undefined && time <= performance.now() - start ? time : undefined
  }

  #submit(clock: boolean): void {
    const { commands } = this.#recorded?.clock === clock ? this.#recorded : this.#record(clock)
    this.#recorded = undefined
    this.#host.device.queue.submit([commands])
  }

  #record(clock: boolean): Recorded {
    const encoder = this.#host.device.createCommandEncoder()
    const pass = encoder.beginComputePass(clock ? this.#timer.pass() : undefined)
    encode(pass, this.step.dispatches)
    pass.end()
    for (const { buffer, first, length, at, large } of this.#copies)
      if (length > 0 && !large) encoder.copyBufferToBuffer(buffer, 4 * first, this.#staging, at, 4 * length)
    if (clock) this.#timer.resolve(encoder, this.#queries, this.#staging, this.#timestamps)
    return { clock, commands: encoder.finish() }
  }

  /** Puts the results into their arrays. Returns how many interactions were computed, if the step counts them. */
  #read(bytes: ArrayBuffer, data: ResultData): number | undefined {
    const words = (n: number): Uint32Array => {
      const { at = 0, length = 0, large } = this.#copies[n] ?? {}
      return new Uint32Array(bytes, at, large ? 0 : length)
    }
    const { reads, evaluated } = this.step
    for (const [n, { name, at }] of reads.entries()) {
      const whole = data.get(name)
      if (whole) wordsOf(whole).set(words(n), at)
    }
    return evaluated && interactionsIn(evaluated, words(reads.length))
  }

  async #readLarge(data: ResultData): Promise<void> {
    for (const [n, { name, at, length }] of this.step.reads.entries()) {
      const [copy, whole] = [this.#copies[n], data.get(name)]
      if (copy?.large && whole)
        await readInParts(this.#host, copy.buffer, wordsOf(whole).subarray(at, at + length), this.#parts)
    }
  }
}

const wordsOf = ({ buffer, byteOffset, length }: ResultNumbers): Uint32Array =>
  new Uint32Array(buffer, byteOffset, length)

/** Commands that can be submitted once, and whether they read the device's clock. */
interface Recorded {
  readonly clock: boolean
  readonly commands: GPUCommandBuffer
}

/** Numbers of an array that are copied to the staging memory, to byte `at`, unless they are too many for it. */
interface Copy {
  readonly buffer: GPUBuffer
  readonly first: number
  readonly length: number
  readonly at: number
  readonly large: boolean
}

function timestampsAfter(copies: readonly Copy[]): number {
  const bytes = copies.reduce((sum, { length, large }) => sum + (large ? 0 : 4 * length), 0)
  return Math.ceil(bytes / 8) * 8
}
