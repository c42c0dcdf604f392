/**
 * A worker: it describes itself to coordinators, computes the blocks that they send, one call after the other, and returns the
 * results. It need not say that it is alive while its thread computes: the server knows its connection.
 *
 * @module
 */
import { type DeviceInfo, type Precision, UnsupportedWorkloadError } from '@manybody/core'
import { held } from '@manybody/core/backend'
import { type ArrayRef, byteLengthOf } from '../wire/arrays.ts'
import { ByteCache } from '../wire/cache.ts'
import { protocol } from '../wire/job.ts'
import { type Link, type LinkOptions, link } from '../wire/link.ts'
import { decode, encode, type Message, messageIn } from '../wire/message.ts'
import { type Blocks, partitionOf } from '../wire/partition.ts'
import { Pushes } from '../wire/push.ts'
import { get, MissingArrayError } from '../wire/store.ts'
import { Devices, type WorkerDevices } from './devices.ts'
import { LatestJob } from './latest-job.ts'
import { runBlocks } from './run-blocks.ts'
import { Turns } from './turns.ts'

export interface WorkerOptions extends LinkOptions, WorkerDevices {
  /** The most bytes of arrays that the worker keeps between calls; 1 GiB by default. */
  readonly cacheBytes?: number
  /** Called when a call has ended, with how many there were. */
  readonly onCall?: (calls: number) => void
}

/** What a worker says about itself. */
export interface WorkerInfo extends Pick<DeviceInfo, 'backend' | 'name' | 'kind'> {
  readonly protocol: number
  readonly id: string
  readonly precisions: readonly Precision[]
  /** Calls that wait or run. */
  readonly calls: number
}

interface Call {
  readonly task: string
  readonly reply: string
  /** Its text. */
  readonly job: string
  readonly span: Blocks
  readonly aborted: AbortController
}

/** What a worker computes with. */
export interface WorkerParts {
  readonly devices: Devices
  /** The device that computes in float32. */
  readonly info: DeviceInfo
  readonly cache: ByteCache
  readonly latestJob: LatestJob
}

/** Joins the cluster. @throws {@link NoBackendError} if no device can be used; Error if no server answers, or in an insecure page */
export async function joinCluster(options: WorkerOptions): Promise<ClusterWorker> {
  const { backend, backends, threads, cacheBytes = 2 ** 30, onCall = () => {}, ...linking } = options
  const devices = new Devices({
    ...(backend !== undefined && { backend }),
    ...(backends !== undefined && { backends }),
    ...(threads !== undefined && { threads }),
  })
  if (!globalThis.crypto?.subtle)
    throw new Error(
      'Cannot join a cluster: this page has no crypto.subtle; serve the page over https or from localhost',
    )
  const { info } = await devices.device('f32')
  const parts = { devices, info, cache: new ByteCache(cacheBytes), latestJob: new LatestJob() }
  return held(new ClusterWorker(await link(linking, { as: 'worker' }), parts, onCall))
}

export class ClusterWorker {
  readonly id: string = crypto.randomUUID().replaceAll('-', '')
  /** The device that computes in float32. */
  readonly device: DeviceInfo
  readonly #link: Link
  readonly #devices: Devices
  readonly #cache: ByteCache
  readonly #latestJob: LatestJob
  readonly #onCall: (calls: number) => void
  readonly #waiting: Call[] = []
  /** Calls whose results were not sent. */
  readonly #held = new Set<Call>()
  /** Calls that the device has, by their lanes. */
  readonly #running: (Call | undefined)[]
  #leaving: (() => void) | undefined
  #ended = 0
  readonly #turns = new Turns()

  /** Use {@link joinCluster}. */
  constructor(to: Link, { devices, info, cache, latestJob }: WorkerParts, onCall: (calls: number) => void) {
    this.#link = to
    this.#devices = devices
    this.device = info
    this.#cache = cache
    this.#latestJob = latestJob
    this.#onCall = onCall
    this.#running = Array(info.kind === 'cpu' ? 1 : 2).fill(undefined)
    const { connection, subjects } = to
    connection.subscribe(subjects.hello, {
      callback: (_, message) => {
        if (!this.#leaving) message.respond(encode(this.#description()))
      },
    })
    const pushes = new Pushes(cache)
    connection.subscribe(subjects.push, {
      callback: (_, { data }) => {
        const part = messageIn(data)
        if (part) pushes.receive(part)
      },
    })
    connection.subscribe(subjects.worker(this.id), { callback: (_, message) => this.#receive(message) })
  }

  /** How many calls have ended. */
  get calls(): number {
    return this.#ended
  }

  /** Resolves when the connection has ended, with the reason if it was an error. */
  get closed(): Promise<unknown> {
    return this.#link.connection.closed()
  }

  /** Asks for no more work, ends the calls that it has, and disconnects. */
  async leave(): Promise<void> {
    if (this.#leaving) return
    const { connection, subjects } = this.#link
    const idle = new Promise<void>((resolve) => {
      this.#leaving = resolve
    })
    connection.publish(subjects.leaving, encode({ worker: this.id }))
    if (this.#held.size > 0) await idle
    // Without a server there is nothing to send.
    await connection.drain().catch(() => connection.close())
    await this.#devices.dispose()
  }

  #description(): WorkerInfo {
    const { backend, name, kind, features } = this.device
    const precisions: Precision[] = features.includes('f64') ? ['f32', 'f64'] : ['f32']
    return { protocol, id: this.id, backend, name, kind, precisions, calls: this.#held.size }
  }

  #send(reply: string, header: object, bytes?: Uint8Array): void {
    if (!this.#link.connection.isClosed())
      this.#link.connection.publish(reply, encode({ worker: this.id, ...header }, bytes))
  }

  #receive(message: { readonly data: Uint8Array; readonly reply?: string }): void {
    const { reply } = message
    if (!reply) return
    try {
      const { header, bytes } = decode(message.data)
      if (header.kind === 'cancel') this.#cancel(reply)
      else if (header.kind === 'ask') this.#send(reply, { kind: 'there', lacks: this.#lacking(reply, header.tasks) })
      else this.#take(callFrom(header, bytes, reply))
    } catch (error) {
      this.#send(reply, { kind: 'failed', reason: String(error) })
    }
    this.#begin()
  }

  #take(call: Call): void {
    this.#waiting.push(call)
    this.#held.add(call)
  }

  /** Of the calls that a coordinator asks for, those that are not here. */
  #lacking(reply: string, tasks: unknown): readonly string[] {
    const held = new Set(Array.from(this.#held).flatMap((call) => (call.reply === reply ? [call.task] : [])))
    return Array.isArray(tasks) ? tasks.filter((task) => typeof task === 'string' && !held.has(task)) : []
  }

  /** Drops the calls of a run. */
  #cancel(reply: string): void {
    for (const call of this.#held) if (call.reply === reply) call.aborted.abort()
  }

  /** Gives the device the next calls, if it can take them. Returns whether there were any. */
  #begin(): boolean {
    const [call] = this.#waiting
    const lane = this.#running.indexOf(undefined)
    // A device keeps the points of one job.
    if (!call || lane < 0 || this.#running.some((other) => other && other.job !== call.job)) return false
    this.#waiting.shift()
    this.#running[lane] = call
    void this.#run(call, lane)
    this.#begin()
    return true
  }

  async #run(call: Call, lane: number): Promise<void> {
    const send = await this.#compute(call, lane)
    this.#running[lane] = undefined
    // A GPU should have work while this thread sends: what has just begun reaches it within a turn of the event loop. A processor
    // may compute on this thread, and results would wait for the next call.
    const isGpu = this.#running.length > 1
    if (isGpu && this.#running.every((one) => !one) && this.#begin()) await turn()
    send()
    this.#begin()
    if (this.#held.size === 0) this.#leaving?.()
  }

  /** Resolves to what sends the results, or the reason why there are none. */
  async #compute(call: Call, lane: number): Promise<() => void> {
    const { task, reply, span, aborted } = call
    const answers: (readonly [header: object, bytes?: Uint8Array])[] = []
    const used: (() => void)[] = []
    const load = (ref: ArrayRef) => {
      used.push(this.#cache.use(ref.hash))
      return this.#load(ref)
    }
    try {
      aborted.signal.throwIfAborted()
      const job = this.#latestJob.of(call.job)
      const { blocks } = partitionOf(job.workload, job)
      if (!(0 <= span.first && span.first < span.last && span.last <= blocks))
        throw new RangeError(`"blocks" expected a range of ${blocks}, got ${span.first} to ${span.last}`)
      const on = { lane, turns: this.#turns }
      const { bytes, report, evaluated, time } = await runBlocks(this.#devices, job, span, on, load, aborted.signal)
      const { variant, accumulation, chains, timings } = report
      const end = {
        ...{ kind: 'done', task, time },
        report: { variant, accumulation, chains, evaluated, compile: timings.compile },
      }
      const { shortBytes } = this.#link
      let at = 0
      for (; at + shortBytes < bytes.length; at += shortBytes)
        answers.push([{ kind: 'part', task, at }, bytes.subarray(at, at + shortBytes)])
      answers.push([{ ...end, at }, bytes.subarray(at)])
    } catch (error) {
      const missing = error instanceof MissingArrayError ? error.hash : undefined
      const unsupported = error instanceof UnsupportedWorkloadError
      const reason = String(error).slice(0, 2000)
      if (!aborted.signal.aborted) answers.push([{ kind: 'failed', task, reason, missing, unsupported }])
    } finally {
      for (const end of used) end()
    }
    return () => {
      for (const [header, bytes] of answers) this.#send(reply, header, bytes)
      this.#held.delete(call)
      this.#onCall(++this.#ended)
    }
  }

  #load(ref: ArrayRef): Promise<Uint8Array> {
    return this.#cache.of(ref.hash, byteLengthOf(ref), () => get(this.#link, ref))
  }
}

/** A turn of the event loop. A hidden page may delay timers. */
function turn(): Promise<void> {
  const { port1, port2 } = new MessageChannel()
  return new Promise((resolve) => {
    port1.onmessage = () => {
      port1.close()
      resolve()
    }
    port2.postMessage(undefined)
  })
}

/** @throws TypeError if a message names no task */
function callFrom({ task, first, last }: Message['header'], job: Uint8Array, reply: string): Call {
  if (typeof task !== 'string' || !Number.isSafeInteger(first) || !Number.isSafeInteger(last))
    throw new TypeError('Cannot read message: expected a task with blocks')
  const span = { first: first as number, last: last as number }
  return { task, reply, job: new TextDecoder().decode(job), span, aborted: new AbortController() }
}
