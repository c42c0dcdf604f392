/**
 * Spreads one job over the workers: gives out blocks, hears the workers, and gives the blocks of lost workers to others.
 * `collecting.ts` handles the results.
 *
 * A block counts once, under its number in the job, however often the server delivers it. The first result is taken, and later ones are
 * compared with it. A lost message therefore costs time, but never a result.
 *
 * @module
 */
import type { Msg } from '@nats-io/nats-core'
import { BlockSchedule } from '../schedule/block-schedule.ts'
import { callsAhead, messages, nextCall, tick, transfer } from '../schedule/waits.ts'
import { answerIn, type CallEnd, type Failure } from '../wire/answer.ts'
import type { Link } from '../wire/link.ts'
import { encode } from '../wire/message.ts'
import { type Partition, partitionOf } from '../wire/partition.ts'
import type { Fault } from './authors.ts'
import { Calls, type OpenCall } from './calls.ts'
import { Collecting } from './collecting.ts'
import { Failures } from './failures.ts'
import type { Replies, RunReplies } from './replies.ts'
import type { SpreadJob, SpreadOptions, SpreadRun } from './spread-job.ts'
import type { Member, Team } from './team.ts'
import { Watch } from './watch.ts'

/** Targets that a large GPU computes at the same time. A call should be whole waves, as the last wave takes as long as any other. */
const wave = 16_384

/** The connection, workers and replies that a coordinator uses. */
export interface Speaking {
  readonly link: Link
  readonly team: Team
  readonly replies: Replies
}

/** @throws Error with the reason of the last failure if no worker is left; `signal.reason` when aborted */
export function spreadRun(
  { link, team, replies }: Speaking,
  work: SpreadJob,
  options: SpreadOptions,
): Promise<SpreadRun> {
  return new Promise((resolve, reject) => {
    options.signal?.throwIfAborted()
    options.disposed.throwIfAborted()
    new Spreading(link, team, replies, work, options, resolve, reject).begin()
  })
}

class Spreading {
  readonly #partition: Partition
  readonly #schedule: BlockSchedule
  readonly #collecting: Collecting
  readonly #calls = new Calls()
  readonly #failures: Failures
  readonly #replies: RunReplies
  readonly #watch: Watch
  readonly #pairsPerBlock: number
  readonly #began = performance.now()
  #ended = false
  #stop: () => void = () => {}

  constructor(
    readonly link: Link,
    readonly team: Team,
    replies: Replies,
    readonly work: SpreadJob,
    readonly options: SpreadOptions,
    readonly resolve: (run: SpreadRun) => void,
    readonly reject: (reason: unknown) => void,
  ) {
    this.#replies = replies.begin((worker, message) => this.#guarded(() => this.#hear(worker, message)))
    const { job } = work
    this.#failures = new Failures(work.has)
    this.#partition = partitionOf(job.workload, job)
    const { blocks, size } = this.#partition
    this.#schedule = new BlockSchedule(blocks, Math.max(1, Math.floor(wave / size)), messages + work.pushed / transfer)
    this.#watch = new Watch(team, this.#calls, (worker) => this.#schedule.due(worker))
    this.#collecting = new Collecting(work, this.#partition, options)
    const pairs = (job.targets[1] - job.targets[0]) * (job.sources[1] - job.sources[0])
    this.#pairsPerBlock = Math.max(1, pairs / Math.max(1, this.#partition.blocks))
  }

  begin(): void {
    const { signal, disposed } = this.options
    const timer = setInterval(() => this.#guarded(() => this.#tick()), tick)
    const abort = () => this.#fail(signal?.reason)
    const dispose = () => this.#fail(disposed.reason)
    signal?.addEventListener('abort', abort)
    disposed.addEventListener('abort', dispose)
    this.#stop = () => {
      this.#ended = true
      clearInterval(timer)
      signal?.removeEventListener('abort', abort)
      disposed.removeEventListener('abort', dispose)
      this.#replies.end()
      if (this.link.connection.isClosed()) return
      for (const worker of this.#calls.workers) this.#send(worker, { kind: 'cancel' })
    }
    this.#guarded(() => this.#give())
    this.#look()
  }

  #guarded(act: () => void): void {
    try {
      if (!this.#ended) act()
    } catch (error) {
      this.#fail(error)
    }
  }

  #fail(reason: unknown): void {
    this.#stop()
    this.reject(reason)
  }

  #send(worker: string, header: object, bytes?: Uint8Array): void {
    const { call, reply } = this.#replies.to(worker)
    this.link.connection.publish(call, encode(header, bytes), { reply })
  }

  /** Workers that have not failed too often in this run. */
  get #able(): readonly Member[] {
    return this.team.members.filter(({ info }) => this.#failures.able(info.id))
  }

  /** Gives work to all workers that can take more, or ends the run. */
  #give(): void {
    const able = this.#able
    if (this.#schedule.finished) this.#refuse(this.#collecting.checkAlone(able))
    if (this.#schedule.finished && this.#collecting.checked) this.#end()
    else this.#giveTo(able)
  }

  /** Gives more work to a worker that has ended a call, or ends the run. Idle workers may then take over late blocks. */
  #giveAfter(member: Member): void {
    const { id } = member.info
    if (this.#schedule.finished) {
      this.#give()
      return
    }
    if (this.team.takes(member) && this.#failures.able(id)) this.#giveTo([member])
    // There may be a thousand workers, and many calls for each.
    if (this.#calls.busy >= this.team.size) return
    const idle = this.#able.filter(({ info }) => this.#calls.held(info.id) === 0).sort((a, b) => b.speed - a.speed)
    // If the fastest worker cannot finish a block sooner, no other worker can.
    for (const one of idle) {
      this.#giveTo([one])
      if (this.#calls.held(one.info.id) === 0) return
    }
  }

  /** Gives each worker its first call before any gets its second. The second call comes only when the first will soon end. */
  #giveTo(members: readonly Member[]): void {
    const soon = performance.now() + nextCall
    for (let ahead = 0; ahead < callsAhead; ahead++)
      for (const member of members) {
        const { id } = member.info
        if (this.#calls.held(id) <= ahead && this.#schedule.due(id) <= soon) this.#giveOne(member)
      }
  }

  #giveOne(member: Member): void {
    const worker = member.info.id
    const check = this.#collecting.check(worker)
    const speed = member.speed / this.#pairsPerBlock
    const asking = { worker, speed, workers: this.team.size, now: performance.now() }
    const span = check ?? this.#schedule.take(asking)
    if (!span) return
    // A worker without work is silent. Its lease begins with its first call.
    if (this.#calls.held(worker) === 0) this.team.heard(worker)
    const size = this.#collecting.sizeOf(span)
    const task = this.#calls.begin(member, span, { size, again: check !== undefined })
    this.#send(worker, { task, ...span }, this.work.text)
  }

  #hear(worker: string, { data, headers }: Msg): void {
    if (headers?.code === 503) {
      // The server reports that this worker no longer receives messages.
      this.team.lose(worker)
      this.#drop(worker)
      this.#give()
    } else this.#receive(worker, data)
  }

  #receive(worker: string, data: Uint8Array): void {
    const answer = answerIn(data)
    this.team.heard(worker)
    if (!answer) {
      this.team.mistrust(worker)
      this.#failed(worker, { reason: 'it sent a message that cannot be read' })
      return
    }
    if (answer.kind === 'there') {
      this.#takeBack(worker, answer.lacks)
      return
    }
    const call = this.#calls.of(answer.task, worker)
    if (!call) return
    if (answer.kind === 'failed') this.#failed(worker, answer.failure)
    else if (!this.#calls.fill(call, answer.at, answer.bytes))
      this.#failed(worker, { reason: 'its results do not fit the blocks' })
    else if (answer.kind === 'done' && call.filled < call.size)
      this.#failed(worker, { reason: `it sent ${call.filled} bytes of ${call.size}` })
    else if (answer.kind === 'done') this.#finished(answer.task, call, answer.end)
  }

  /**
   * Takes calls back that may have been lost on their way to a worker. Messages arrive in order, so no results of these calls can be under
   * way.
   */
  #takeBack(worker: string, lacks: readonly string[]): void {
    if (!lacks.some((task) => this.#calls.of(task, worker))) return
    this.#drop(worker)
    this.#give()
  }

  #finished(task: string, call: OpenCall, ended: CallEnd): void {
    const { member, span } = call
    const worker = member.info.id
    this.#calls.end(task, worker)
    const fresh = this.#schedule.finish(worker, span, performance.now(), ended.time)
    const speed = (this.#pairsPerBlock * fresh.length) / Math.max(0.05, ended.time)
    member.speed += (speed - member.speed) * (this.#collecting.knows(worker) ? 0.5 : 1)
    member.measured = true
    this.#refuse(this.#collecting.take(call, ended, fresh))
    this.options.onProgress?.(this.#schedule.progress)
    this.#giveAfter(member)
  }

  /** Throws away the results of workers that cannot be trusted. */
  #refuse(faults: readonly Fault[]): void {
    for (const { worker, reason } of faults) {
      this.team.refuse(worker, reason)
      this.#send(worker, { kind: 'cancel' })
      this.#drop(worker)
      this.#schedule.reopen(this.#collecting.forget(worker))
      this.#failures.lastReason = reason
    }
  }

  /** Takes back all calls of a worker. */
  #drop(worker: string): void {
    this.#calls.endAll(worker)
    this.#schedule.release(worker)
    this.#collecting.release(worker)
  }

  #failed(worker: string, failure: Failure): void {
    this.#drop(worker)
    const missing = this.#failures.add(worker, failure)
    if (missing === undefined) this.#give()
    else
      this.work
        .resend(missing)
        .then(() => this.#guarded(() => this.#give()))
        .catch((error) => this.#fail(error))
  }

  #tick(): void {
    for (const worker of this.#watch.tick((silent) => this.#ask(silent))) this.#drop(worker)
    this.#look()
    const reason = this.#watch.hopeless(this.#able.length, this.#failures.lastReason)
    if (reason === undefined) this.#give()
    else this.#fail(new Error(reason))
  }

  #ask(worker: string): void {
    this.#send(worker, { kind: 'ask', tasks: this.#calls.tasksOf(worker) })
  }

  /** Looks for new workers and gives them work. Workers also join between short runs. */
  #look(): void {
    if (!this.team.isTimeToLook(this.#able.length === 0)) return
    this.team
      .look()
      .then(() => this.#guarded(() => this.#give()))
      .catch(() => {})
  }

  #end(): void {
    this.#stop()
    try {
      this.resolve({
        ...this.#collecting.all(this.options.initial),
        blocks: this.#partition.blocks,
        repeated: this.#schedule.repeated,
        bytes: this.#calls.received,
        waiting: Math.max(0, performance.now() - this.#began - this.#collecting.computing),
      })
    } catch (error) {
      this.reject(error)
    }
  }
}
