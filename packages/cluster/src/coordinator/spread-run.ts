/**
 * Spreads one job over the workers: gives out blocks, takes results, and gives blocks of workers that vanish to others.
 *
 * A block counts once, under its number in the job, whatever the server delivers and however often: the first result is taken, a
 * later one is compared. So a lost message costs time, and never a result.
 *
 * @module
 */
import type { ArrayResults, RunOptions } from '@manybody/core'
import { createInbox } from '@nats-io/nats-core'
import type { ArrayRef } from '../wire/arrays.ts'
import { endOf, type WorkerReport } from '../wire/call-end.ts'
import type { ClusterJob } from '../wire/job.ts'
import type { Link } from '../wire/link.ts'
import { decode, encode, type Message } from '../wire/message.ts'
import { type Blocks, type Partition, partitionOf } from '../wire/partition.ts'
import { BlockSchedule } from './block-schedule.ts'
import { Gather } from './gather.ts'
import type { Member, Team } from './team.ts'

export interface SpreadJob {
  readonly job: ClusterJob
  /** The job's text on the server. */
  readonly ref: ArrayRef
  /** Where lists start, if the workload makes lists. */
  readonly offsets: Uint32Array | undefined
  /** Sends an array that the server has forgotten. */
  readonly resend: (hash: string) => Promise<void>
}

export interface SpreadRun {
  readonly results: ArrayResults
  /** What workers said about their latest calls. */
  readonly reports: readonly WorkerReport[]
  readonly evaluated: number
  readonly blocks: number
  /** Blocks that were given to a second worker. */
  readonly repeated: number
  readonly workers: readonly Member[]
  readonly bytes: number
  /** Milliseconds in which a worker computed nothing, on average. */
  readonly waiting: number
}

/** Milliseconds of silence after which a worker with work in hand counts as gone. */
const lease = 3000

/** Milliseconds between looks for silent workers, and for new ones. */
const tick = 200
const lookEvery = 2000

/** Milliseconds that a run without any worker waits for one. */
const waitForWorkers = 30_000

/** Calls that a worker has at the same time: while it computes one, the next is on its way. */
const callsAhead = 2

/** After this many failures in a run, a worker gets no more of it. */
const tolerated = 3

interface Sent {
  readonly worker: string
  readonly span: Blocks
  readonly bytes: Uint8Array
  filled: number
}

/** @throws Error with the reason of the last failure if no worker is left; `signal.reason` when aborted */
export function spreadRun(
  to: Link,
  team: Team,
  work: SpreadJob,
  options: Pick<RunOptions, 'signal' | 'onProgress' | 'initial' | 'into'>,
): Promise<SpreadRun> {
  return new Promise((resolve, reject) => new Spreading(to, team, work, options, resolve, reject).begin())
}

class Spreading {
  readonly #partition: Partition
  readonly #schedule: BlockSchedule
  readonly #gather: Gather
  readonly #inbox = createInbox()
  readonly #sent = new Map<string, Sent>()
  readonly #failures = new Map<string, number>()
  /** How often a worker lacked an array. */
  readonly #lacked = new Map<string, number>()
  /** Who computed each block. */
  readonly #from: (string | undefined)[] = []
  readonly #took = new Map<string, Member>()
  readonly #reports = new Map<string, WorkerReport>()
  readonly #pairsPerBlock: number
  readonly #began = performance.now()
  /** Milliseconds in which workers computed, all together. */
  #computed = 0
  #evaluated = 0
  #bytes = 0
  #calls = 0
  #ticked = performance.now()
  #looked = performance.now()
  #aloneSince = performance.now()
  #lastReason = ''
  #stop: () => void = () => {}

  constructor(
    readonly link: Link,
    readonly team: Team,
    readonly work: SpreadJob,
    readonly options: Pick<RunOptions, 'signal' | 'onProgress' | 'initial' | 'into'>,
    readonly resolve: (run: SpreadRun) => void,
    readonly reject: (reason: unknown) => void,
  ) {
    const { job, offsets } = work
    this.#partition = partitionOf(job.workload, job)
    this.#schedule = new BlockSchedule(this.#partition.blocks)
    this.#gather = new Gather(job, this.#partition, offsets, options.into)
    const pairs = (job.targets[1] - job.targets[0]) * (job.sources[1] - job.sources[0])
    this.#pairsPerBlock = Math.max(1, pairs / Math.max(1, this.#partition.blocks))
  }

  begin(): void {
    const { signal } = this.options
    const subscription = this.link.connection.subscribe(this.#inbox, {
      callback: (_, message) => this.#guarded(() => this.#receive(message.data)),
    })
    const timer = setInterval(() => this.#guarded(() => this.#tick()), tick)
    const abort = () => this.#fail(signal?.reason)
    signal?.addEventListener('abort', abort)
    this.#stop = () => {
      clearInterval(timer)
      signal?.removeEventListener('abort', abort)
      subscription.unsubscribe()
      for (const worker of new Set(Array.from(this.#sent.values(), (sent) => sent.worker)))
        this.#send(worker, { kind: 'cancel' })
    }
    this.#guarded(() => this.#give())
  }

  #guarded(act: () => void): void {
    try {
      act()
    } catch (error) {
      this.#fail(error)
    }
  }

  #fail(reason: unknown): void {
    this.#stop()
    this.reject(reason)
  }

  #send(worker: string, header: object): void {
    this.link.connection.publish(this.link.subjects.worker(worker), encode(header), { reply: this.#inbox })
  }

  /** Workers that have not failed too often in this run. */
  get #able(): readonly Member[] {
    return this.team.members.filter(({ info }) => (this.#failures.get(info.id) ?? 0) < tolerated)
  }

  /** Gives work to all who can take more. */
  #give(): void {
    const able = this.#able
    for (const member of able) {
      const worker = member.info.id
      const speed = member.speed / this.#pairsPerBlock
      while (this.#schedule.held(worker) < callsAhead) {
        const span = this.#schedule.take({ worker, speed, workers: able.length, now: performance.now() })
        if (!span) break
        const task = `${++this.#calls}`
        this.#sent.set(task, { worker, span, bytes: new Uint8Array(this.#gather.layout(span).bytes), filled: 0 })
        this.#send(worker, { task, job: this.work.ref, ...span })
      }
    }
  }

  #receive(data: Uint8Array): void {
    const { header, bytes } = decode(data)
    const worker = String(header.worker)
    this.team.heard(worker)
    const task = String(header.task)
    const sent = this.#sent.get(task)
    if (!sent || sent.worker !== worker) return
    if (header.kind === 'part') this.#takePart(task, sent, Number(header.at), bytes)
    if (header.kind === 'failed') this.#failed(task, sent, header)
    if (header.kind !== 'done') return
    if (sent.filled === sent.bytes.length) this.#finished(task, sent, header)
    else this.#failed(task, sent, { reason: `it sent ${sent.filled} bytes of ${sent.bytes.length}` })
  }

  #takePart(task: string, sent: Sent, at: number, bytes: Uint8Array): void {
    if (at === sent.filled && at + bytes.length <= sent.bytes.length) {
      sent.bytes.set(bytes, at)
      sent.filled += bytes.length
      this.#bytes += bytes.length
    } else this.#failed(task, sent, { reason: 'its results do not fit the blocks' })
  }

  #finished(task: string, sent: Sent, header: Message['header']): void {
    const ended = endOf(header)
    if (!ended) {
      this.#failed(task, sent, { reason: 'its report is malformed' })
      return
    }
    const { report, time, evaluated } = ended
    this.#sent.delete(task)
    const { worker, span, bytes } = sent
    const fresh = this.#schedule.finish(worker, span)
    const equal = this.#gather.place(span, fresh, bytes)
    if (!equal) this.#differs(worker, span, fresh)
    for (const [n, first] of fresh.entries()) if (first) this.#from[span.first + n] = worker
    this.#computed += time
    const member = this.team.member(worker)
    if (member) {
      this.#took.set(worker, member)
      const speed = (this.#pairsPerBlock * (span.last - span.first)) / Math.max(0.05, time)
      member.speed += (speed - member.speed) * (this.#reports.has(worker) ? 0.5 : 1)
    }
    this.#reports.set(worker, report)
    this.#evaluated += (evaluated * fresh.filter(Boolean).length) / fresh.length
    this.options.onProgress?.(this.#schedule.progress)
    if (this.#schedule.finished) this.#end()
    else this.#give()
  }

  /** Equal workers give equal bits. If one does not, nobody knows which is right, so the later one gets no more work. */
  #differs(worker: string, { first }: Blocks, fresh: readonly boolean[]): void {
    const block = first + fresh.indexOf(false)
    const [here, there] = [this.#from[block], worker].map((id) => this.#kindOf(id))
    if (here !== undefined && here === there)
      this.team.refuse(worker, `it computed other bits for block ${block} than an equal worker; check the machine`)
  }

  #kindOf(id: string | undefined): string | undefined {
    const member = this.team.member(id ?? '') ?? this.#took.get(id ?? '')
    return member && `${member.info.backend} ${member.info.name}`
  }

  #failed(
    task: string,
    { worker }: Sent,
    header: { readonly reason?: unknown; readonly missing?: unknown; readonly unsupported?: unknown },
  ): void {
    this.#sent.delete(task)
    this.#schedule.release(worker)
    for (const [other, sent] of this.#sent) if (sent.worker === worker) this.#sent.delete(other)
    this.#lastReason = String(header.reason)
    const missing = typeof header.missing === 'string' ? header.missing : undefined
    const count = header.unsupported ? tolerated : this.#mayResend(worker, missing) ? 0 : 1
    this.#failures.set(worker, (this.#failures.get(worker) ?? 0) + count)
    if (missing !== undefined && count === 0)
      this.work
        .resend(missing)
        .then(() => this.#give())
        .catch((error) => this.#fail(error))
    else this.#give()
  }

  /** Whether a worker may lack an array because the server has forgotten it. If it lacks it again and again, it cannot read it. */
  #mayResend(worker: string, hash: string | undefined): boolean {
    if (hash === undefined) return false
    const key = `${worker} ${hash}`
    const before = this.#lacked.get(key) ?? 0
    this.#lacked.set(key, before + 1)
    return before < tolerated
  }

  #tick(): void {
    const now = performance.now()
    // If this thread was busy, messages wait to be read, and nobody was silent.
    const late = now - this.#ticked > lease / 2
    this.#ticked = now
    if (late) for (const { info } of this.team.members) this.team.heard(info.id)
    for (const { info, heard } of this.team.members)
      if (this.#schedule.held(info.id) > 0 && now - heard > lease) this.team.lose(info.id)
    this.#releaseLost()
    if (now - this.#looked > lookEvery) {
      this.#looked = now
      this.team
        .look()
        .then(() => this.#give())
        .catch(() => {})
    }
    if (this.#able.length > 0) this.#aloneSince = now
    if (now - this.#aloneSince > (this.#lastReason ? lookEvery + tick : waitForWorkers))
      this.#fail(new Error(this.#lastReason || `no worker answered for ${waitForWorkers / 1000} s`))
    else this.#give()
  }

  #releaseLost(): void {
    for (const [task, { worker }] of this.#sent)
      if (!this.team.member(worker)) {
        this.#sent.delete(task)
        this.#schedule.release(worker)
      }
  }

  #end(): void {
    this.#stop()
    try {
      const results = this.#gather.results(this.options.initial)
      this.resolve({
        results,
        reports: [...this.#reports.values()],
        evaluated: Math.round(this.#evaluated),
        blocks: this.#partition.blocks,
        repeated: this.#schedule.repeated,
        workers: [...this.#took.values()],
        bytes: this.#bytes,
        waiting: Math.max(0, performance.now() - this.#began - this.#computed / Math.max(1, this.#took.size)),
      })
    } catch (error) {
      this.reject(error)
    }
  }
}
