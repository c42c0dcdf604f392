/**
 * A worker: it describes itself to coordinators, computes the blocks that they send, one call after the other, and returns the results.
 * It sends no signs of life while its thread computes, because the server watches its connection.
 *
 * @module
 */
import { type DeviceInfo, type Precision, UnsupportedWorkloadError } from '@manybody/core'
import { held, onlyNamed, unexpected, whole } from '@manybody/core/backend'
import type { Msg } from '@nats-io/nats-core'
import { type Address, keyIn } from '../wire/address.ts'
import { type ArrayRef, byteLengthOf } from '../wire/arrays.ts'
import { ByteCache, cacheKey } from '../wire/cache.ts'
import { protocol } from '../wire/job.ts'
import { checkedLink, type Link, type LinkOptions, link, linkOptions, listen } from '../wire/link.ts'
import { decode, encode, type Message } from '../wire/message.ts'
import { type Blocks, partitionOf } from '../wire/partition.ts'
import { Pushes } from '../wire/push.ts'
import { get, MissingArrayError } from '../wire/store.ts'
import { partiesIn, senderIn } from '../wire/subjects.ts'
import type { WorkerInfo } from '../wire/worker-info.ts'
import { Devices, type WorkerDevices } from './devices.ts'
import { LatestJob } from './latest-job.ts'
import { runBlocks } from './run-blocks.ts'
import { Turns } from './turns.ts'

export interface WorkerOptions extends LinkOptions, WorkerDevices {
  /** The most bytes of arrays that the worker keeps between calls; 1 GiB by default. */
  readonly cacheBytes?: number
  /** Called after each call, with the number of calls so far. */
  readonly onCall?: (calls: number) => void
}

const ownOptions = ['backend', 'backends', 'threads', 'cacheBytes', 'onCall']

interface Call {
  readonly task: string
  /** The coordinator of the call. */
  readonly from: Address
  /** The subject for the answers. Only this worker may send there. */
  readonly reply: string
  /** The text of the job. */
  readonly job: string
  readonly span: Blocks
  readonly aborted: AbortController
}

/** The devices and the memory of a worker. */
export interface WorkerParts {
  readonly devices: Devices
  /** The device that computes in float32. */
  readonly info: DeviceInfo
  readonly cache: ByteCache
  readonly latestJob: LatestJob
}

/**
 * Joins the cluster.
 *
 * @throws {@link NoBackendError} if no device can be used; Error if no server answers, if it lacks a right, or in an insecure page
 */
export async function joinCluster(options: WorkerOptions): Promise<ClusterWorker> {
  onlyNamed(options, 'option of joinCluster', [...linkOptions, ...ownOptions], {
    cacheBytes: (value, name) => whole(value, name, 0),
    onCall: (value, name) => {
      if (typeof value !== 'function') throw unexpected(name, 'a function', value)
    },
  })
  checkedLink(options)
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
  const to = await link(linking)
  const worker = new ClusterWorker(to, parts, onCall)
  // After this flush, the server has reported the forbidden subjects. After a turn, the client has passed the report on.
  await to.connection.flush()
  await turn()
  if (to.forbidden.size > 0) {
    await worker.leave()
    throw new Error(
      `Cannot join a cluster: the server forbids what a worker needs: ${[...to.forbidden].join('; ')}; give its key, ${keyIn(to.self)}, the rights that the manual lists`,
    )
  }
  return held(worker)
}

export class ClusterWorker {
  /** Its address: the key under which the server admits it, and a random name. */
  readonly id: Address
  /** The device that computes in float32. */
  readonly device: DeviceInfo
  readonly #link: Link
  readonly #devices: Devices
  readonly #cache: ByteCache
  readonly #latestJob: LatestJob
  readonly #onCall: (calls: number) => void
  readonly #waiting: Call[] = []
  /** Calls with unsent results. */
  readonly #held = new Set<Call>()
  /** The call that runs in each lane of the device. */
  readonly #running: (Call | undefined)[]
  #leaving: (() => void) | undefined
  #ended = 0
  readonly #turns = new Turns()

  /** Use {@link joinCluster}. */
  constructor(to: Link, { devices, info, cache, latestJob }: WorkerParts, onCall: (calls: number) => void) {
    this.#link = to
    this.id = to.self
    this.#devices = devices
    this.device = info
    this.#cache = cache
    this.#latestJob = latestJob
    this.#onCall = onCall
    this.#running = Array(info.kind === 'cpu' ? 1 : 2).fill(undefined)
    const { subjects } = to
    listen(to, subjects.hellos, ({ subject, data }) => {
      const { run } = decode(data).header
      if (!this.#leaving && typeof run === 'string' && /^[0-9a-f]{32}$/.test(run))
        to.connection.publish(subjects.result(this.id, senderIn(subject), run), encode(this.#description()))
    })
    const pushes = new Pushes(cache)
    listen(to, subjects.pushes, ({ subject, data }) => pushes.receive(decode(data), keyIn(senderIn(subject))))
    listen(to, subjects.callsOf(this.id), (message) => this.#receive(message))
  }

  /** How many calls have ended. */
  get calls(): number {
    return this.#ended
  }

  /** Resolves when the connection has ended; gives the reason if it was an error. */
  get closed(): Promise<unknown> {
    return this.#link.connection.closed()
  }

  /** Asks for no more work, finishes its calls, and disconnects. */
  async leave(): Promise<void> {
    if (this.#leaving) return
    const { connection, subjects } = this.#link
    const idle = new Promise<void>((resolve) => {
      this.#leaving = resolve
    })
    connection.publish(subjects.leaving(this.id))
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
    if (!this.#link.connection.isClosed()) this.#link.connection.publish(reply, encode(header, bytes))
  }

  #receive({ subject, data }: Pick<Msg, 'subject' | 'data'>): void {
    // The server vouches for the subject of a message, but not for its reply subject. The reply subject is therefore derived here.
    const { coordinator, run } = partiesIn(subject)
    const reply = this.#link.subjects.result(this.id, coordinator, run)
    try {
      const { header, bytes } = decode(data)
      if (header.kind === 'cancel') this.#cancel(reply)
      else if (header.kind === 'ask') this.#send(reply, { kind: 'there', lacks: this.#lacking(reply, header.tasks) })
      else this.#take(callFrom(header, bytes, coordinator, reply))
    } catch (error) {
      this.#send(reply, { kind: 'failed', task: '', reason: String(error) })
    }
    this.#begin()
  }

  #take(call: Call): void {
    this.#waiting.push(call)
    this.#held.add(call)
  }

  /** The names among these that are no calls of this worker. */
  #lacking(reply: string, tasks: unknown): readonly string[] {
    const held = new Set(Array.from(this.#held).flatMap((call) => (call.reply === reply ? [call.task] : [])))
    return Array.isArray(tasks) ? tasks.filter((task) => typeof task === 'string' && !held.has(task)) : []
  }

  /** Aborts the calls of a run. */
  #cancel(reply: string): void {
    for (const call of this.#held) if (call.reply === reply) call.aborted.abort()
  }

  /** Starts the waiting calls that the device can take. Returns whether there was one. */
  #begin(): boolean {
    const [call] = this.#waiting
    const lane = this.#running.indexOf(undefined)
    // A device keeps the points of one job at a time.
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
    // A GPU should have work while this thread sends results: a call that begins now reaches it within a turn of the event loop. A
    // processor may compute on this thread, and the results would wait for its next call.
    const isGpu = this.#running.length > 1
    if (isGpu && this.#running.every((one) => !one) && this.#begin()) await turn()
    send()
    this.#begin()
    if (this.#held.size === 0) this.#leaving?.()
  }

  /** Computes a call. Resolves to a function that sends the results, or the reason why there are none. */
  async #compute(call: Call, lane: number): Promise<() => void> {
    const { task, from, reply, span, aborted } = call
    const answers: (readonly [header: object, bytes?: Uint8Array])[] = []
    const used: (() => void)[] = []
    const load = (ref: ArrayRef) => {
      used.push(this.#cache.use(cacheKey(keyIn(from), ref.hash)))
      return this.#load(ref, keyIn(from))
    }
    try {
      aborted.signal.throwIfAborted()
      const known = this.#latestJob.of(call.job)
      const { blocks } = partitionOf(known.job.workload, known.job)
      if (!(0 <= span.first && span.first < span.last && span.last <= blocks))
        throw new RangeError(`"blocks" expected a range of ${blocks}, got ${span.first} to ${span.last}`)
      const on = { lane, turns: this.#turns }
      const { bytes, report, evaluated, time } = await runBlocks(this.#devices, known, span, on, load, aborted.signal)
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

  /** Loads an array that coordinators with this key have sent. */
  #load(ref: ArrayRef, owner: string): Promise<Uint8Array> {
    const shelf = this.#link.subjects.arrays(owner)
    return this.#cache.of(cacheKey(owner, ref.hash), byteLengthOf(ref), () => get(this.#link, ref, shelf))
  }
}

/** Waits for one turn of the event loop. A hidden page may delay timers, so it uses a message. */
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
function callFrom({ task, first, last }: Message['header'], job: Uint8Array, from: Address, reply: string): Call {
  if (typeof task !== 'string' || !Number.isSafeInteger(first) || !Number.isSafeInteger(last))
    throw new TypeError('Cannot read message: expected a task with blocks')
  const span = { first: first as number, last: last as number }
  return { task, from, reply, job: new TextDecoder().decode(job), span, aborted: new AbortController() }
}
