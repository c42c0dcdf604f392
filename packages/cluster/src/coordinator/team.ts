/**
 * The workers that a coordinator knows: who they are, when they last sent a message, and how fast they were.
 *
 * @module
 */
import { type DeviceKind, DeviceLostError, type Precision } from '@manybody/core'
import type { Subscription } from '@nats-io/nats-core'
import { lease, looks, waitForWorkers } from '../schedule/waits.ts'
import { type Address, keyIn, shown } from '../wire/address.ts'
import { protocol } from '../wire/job.ts'
import { type Link, listen } from '../wire/link.ts'
import { senderIn } from '../wire/subjects.ts'
import type { WorkerInfo } from '../wire/worker-info.ts'
import { leastKind } from './describe-workers.ts'
import { type Greeting, greet } from './hello.ts'
import type { Replies } from './replies.ts'

export interface Member {
  readonly info: WorkerInfo
  /** Pairs per millisecond in the latest calls; a guess before the first call. */
  speed: number
  /** Whether it has ended a call. */
  measured: boolean
  /** When its last message came. */
  heard: number
  /** When it was last asked whether it is there. */
  asked: number
}

/** How long a look waits for answers. Later answers are heard, too. */
const patience = { first: 1500, next: 150, all: 3000 }

/** Proofs that run at the same time. With more, workers would wait for each other and seem silent. */
const proofsAtOnce = 16

/** Milliseconds that other proofs wait for one proof. A worker may be busy or silent for longer; the others then no longer wait for it. */
const proofHolds = 100

/** Milliseconds that the first run waits for proofs that have begun. */
const lastProofs = 800

/** After this many unfinished proofs, a worker gets no work. */
const toleratedProofs = 3

/** Pairs per millisecond that even the slowest core reaches. */
const guessedSpeed = 2e5

/** The most senders of malformed messages to count by name. */
const mostOddities = 100

export class Team {
  readonly #link: Link
  readonly #precision: Precision
  readonly #prove: (worker: WorkerInfo) => Promise<string | undefined>
  readonly #members = new Map<string, Member>()
  readonly #only: WorkerInfo | undefined
  /** Workers that finish their calls and take no more. */
  readonly #leaving = new Map<string, Member>()
  readonly #farewells: Subscription
  readonly #replies: Replies
  /** The latest call for workers. Answers are heard until the next call. */
  #greeting: Greeting | undefined
  /** Proofs that have not ended. */
  readonly #proofs = new Map<Address, Promise<void>>()
  /** Counts of unreadable messages, by sender. */
  readonly #oddities = new Map<string, number>()
  /** Why the proofs of workers did not end, with one reason for each try. */
  readonly #unproven = new Map<string, readonly string[]>()
  /** When the team last looked for workers. */
  #looked = performance.now()
  #changed = performance.now()
  /** Workers that get no work, with the reason. */
  readonly refused: Map<string, string> = new Map()

  /**
   * @param prove returns the reason not to trust a worker, or nothing; throws if the worker or the server ends meanwhile
   * @param only the member, for a team that takes no other
   */
  constructor(
    to: Link,
    replies: Replies,
    precision: Precision,
    prove: (worker: WorkerInfo) => Promise<string | undefined>,
    only?: WorkerInfo,
  ) {
    this.#only = only
    if (only) this.#join(only)
    this.#link = to
    this.#replies = replies
    this.#precision = precision
    this.#prove = prove
    this.#farewells = listen(to, to.subjects.farewells, ({ subject }) => this.#leave(senderIn(subject)))
  }

  /** Whether workers may still join. */
  get isOpen(): boolean {
    return this.#only === undefined
  }

  /** Stops listening for workers that come or leave. */
  close(): void {
    this.#greeting?.end()
    this.#farewells.unsubscribe()
  }

  /** Workers that take work. */
  get members(): readonly Member[] {
    return [...this.#members.values()]
  }

  get size(): number {
    return this.#members.size
  }

  /** Whether a worker takes more work. */
  takes({ info }: Member): boolean {
    return this.#members.has(info.id)
  }

  /** Finds a worker, even one that is leaving. */
  member(id: string): Member | undefined {
    return this.#members.get(id) ?? this.#leaving.get(id)
  }

  /** Looks for new workers and proves them. Returns how many workers answered. */
  async look(): Promise<number> {
    this.#looked = performance.now()
    if (this.#only) return 1
    this.#greeting?.end()
    const found: WorkerInfo[] = []
    let isLooking = true
    this.#greeting = greet(this.#link, this.#replies, patience, (from, info) => {
      if (!info) this.mistrust(from)
      else if (isLooking) found.push(info)
      else void this.#meet(info)
    })
    await this.#greeting.quiet
    isLooking = false
    const waiting = byTurns(found).values()
    const lane = async () => {
      for (const info of waiting) await atMost(this.#meet(info), proofHolds)
    }
    await Promise.all(Array.from({ length: proofsAtOnce }, lane))
    return found.length
  }

  /** @param alone whether a run has no worker left */
  isTimeToLook(alone: boolean): boolean {
    const now = performance.now()
    const quiet = Math.max(looks.soonest, looks.perWorker * this.size, (now - this.#changed) / 2)
    return now - this.#looked > (alone ? looks.soonest : Math.min(looks.latest, quiet))
  }

  /** Looks until no new worker is found. Many workers do not answer at the same time, and one may end during its proof. */
  async gather(): Promise<void> {
    const began = performance.now()
    const isEmpty = () => this.members.length + this.refused.size === 0 && performance.now() - began < waitForWorkers
    let known = -1
    while (this.members.length > known || isEmpty()) {
      known = this.members.length
      if ((await this.look()) === 0) return
    }
    await atMost(Promise.all(this.#proofs.values()), lastProofs)
  }

  /** Why workers get no work: each reason once, with the number of its workers. */
  get reasons(): string {
    const counts = new Map<string, number>()
    const unproven = Array.from(this.#unproven, ([id, reasons]) =>
      this.refused.has(id) ? [] : reasons.slice(-1),
    ).flat()
    for (const reason of [...this.refused.values(), ...unproven]) counts.set(reason, (counts.get(reason) ?? 0) + 1)
    for (const reason of this.#link.forbidden) counts.set(reason, 1)
    return Array.from(counts, ([reason, count]) => (count === 1 ? reason : `${count} workers: ${reason}`)).join('; ')
  }

  /** Notes for the user about the workers. */
  get notes(): readonly string[] {
    return [
      ...Array.from(this.refused, ([id, reason]) => `worker ${shown(id)} was left out: ${reason}`),
      ...Array.from(this.#oddities, ([sender, count]) =>
        count === 1
          ? `${sender} sent a message that cannot be read`
          : `${sender} sent ${count} messages that cannot be read`,
      ),
      ...this.#link.forbidden,
    ]
  }

  /** Counts an unreadable message. It has no other consequence. */
  mistrust(sender: Address): void {
    const name = `worker ${shown(sender)}`
    const known = this.#oddities.size < mostOddities || this.#oddities.has(name) ? name : 'others'
    this.#oddities.set(known, (this.#oddities.get(known) ?? 0) + 1)
  }

  heard(id: string): void {
    const member = this.member(id)
    if (member) member.heard = performance.now()
  }

  /** Removes a worker that no longer answers; it may come back. */
  lose(id: string): void {
    if (this.#members.delete(id)) this.#changed = performance.now()
    this.#leaving.delete(id)
  }

  #leave(id: string): void {
    const member = this.#members.get(id)
    this.lose(id)
    for (const [other, { heard }] of this.#leaving) if (performance.now() - heard > lease) this.#leaving.delete(other)
    if (member) this.#leaving.set(id, member)
  }

  /** Removes a worker for good. */
  refuse(id: string, reason: string): void {
    this.lose(id)
    this.refused.set(id, reason)
  }

  /** The least of the kinds of all workers. */
  get kind(): DeviceKind {
    return leastKind(this.members.map(({ info }) => info))
  }

  #meet(info: WorkerInfo): Promise<void> {
    const { id } = info
    // A greeting does not renew the lease of a worker: a call may have been lost on its way there.
    if (this.#members.has(id) || this.refused.has(id)) return Promise.resolve()
    const begun = this.#proofs.get(id)
    if (begun !== undefined) return begun
    const proof = this.#examine(info).finally(() => this.#proofs.delete(id))
    this.#proofs.set(id, proof)
    return proof
  }

  async #examine(info: WorkerInfo): Promise<void> {
    const { id } = info
    try {
      const reason = this.#unfitness(info) ?? (await this.#prove(info))
      if (reason === undefined) this.#join(info)
      else this.refused.set(id, reason)
    } catch (error) {
      const reasons = [...(this.#unproven.get(id) ?? []), reasonOf(error)]
      this.#unproven.set(id, reasons)
      if (reasons.length >= toleratedProofs) this.refused.set(id, reasons.at(-1) as string)
    }
  }

  #unfitness(info: WorkerInfo): string | undefined {
    if (info.protocol !== protocol)
      return `it speaks protocol ${info.protocol}, this is ${protocol}; use one version of manybody everywhere`
    if (!info.precisions.includes(this.#precision)) return `its device ${info.name} has no ${this.#precision}`
    return undefined
  }

  #join(info: WorkerInfo): void {
    this.#changed = performance.now()
    this.#members.set(info.id, { info, speed: guessedSpeed, measured: false, heard: performance.now(), asked: 0 })
  }
}

/** Orders workers so that no key gets a second turn before every other key had one. */
function byTurns(workers: readonly WorkerInfo[]): readonly WorkerInfo[] {
  const turns = new Map<string, number>()
  const withTurn = workers.map((info) => {
    const key = keyIn(info.id)
    const turn = turns.get(key) ?? 0
    turns.set(key, turn + 1)
    return { info, turn }
  })
  return withTurn.sort((a, b) => a.turn - b.turn).map(({ info }) => info)
}

/** Waits for a promise, but no longer than this many milliseconds. */
async function atMost(ended: Promise<unknown>, milliseconds: number): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined
  await Promise.race([
    ended,
    new Promise((resolve) => {
      timer = setTimeout(resolve, milliseconds)
    }),
  ])
  clearTimeout(timer)
}

const reasonOf = (error: unknown): string => (error instanceof DeviceLostError ? error.loss.reason : String(error))
