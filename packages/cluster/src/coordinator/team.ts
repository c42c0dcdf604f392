/**
 * The workers that a coordinator knows: who they are, when they were last heard, and how fast they were.
 *
 * @module
 */
import { type DeviceKind, DeviceLostError, type Precision } from '@manybody/core'
import type { Subscription } from '@nats-io/nats-core'
import { lease, looks } from '../schedule/waits.ts'
import { protocol } from '../wire/job.ts'
import type { Link } from '../wire/link.ts'
import { decode, encode } from '../wire/message.ts'
import { hasNoResponder } from '../wire/store.ts'
import type { WorkerInfo } from '../worker/worker.ts'

export interface Member {
  readonly info: WorkerInfo
  /** Pairs in a millisecond, of the latest calls; a guess before the first. */
  speed: number
  /** When something last came from it. */
  heard: number
  /** When it was last asked whether it is there. */
  asked: number
}

/** How long workers have to answer; most do so within a few milliseconds. */
const patience = { all: 1500, quiet: 150 }

/** More would wait for each other, and seem to be silent. */
const proofsAtOnce = 16

/** After this many proofs that did not end, a worker gets no work. */
const toleratedProofs = 3

/** A core without SIMD reaches this. */
const guessedSpeed = 2e5

/** Asks who is there. */
export async function whoIsThere({ connection, subjects }: Link): Promise<WorkerInfo[]> {
  const found: WorkerInfo[] = []
  try {
    const answers = await connection.requestMany(subjects.hello, encode({ protocol }), {
      strategy: 'stall',
      maxWait: patience.all,
      stall: patience.quiet,
    })
    for await (const { data } of answers) {
      const info = decode(data).header as unknown as WorkerInfo
      if (typeof info.id === 'string' && /^[0-9a-f]{32}$/.test(info.id)) found.push(info)
    }
  } catch (error) {
    if (!hasNoResponder(error)) throw error
  }
  return found
}

export class Team {
  readonly #link: Link
  readonly #precision: Precision
  readonly #prove: (worker: WorkerInfo) => Promise<string | undefined>
  readonly #members = new Map<string, Member>()
  readonly #only: WorkerInfo | undefined
  /** Those who end the calls that they have, and take no more. */
  readonly #leaving = new Map<string, Member>()
  readonly #farewells: Subscription
  /** Workers whose proof has not ended. */
  readonly #proving = new Set<string>()
  /** Why the proofs of workers did not end, one reason for each try. */
  readonly #unproven = new Map<string, readonly string[]>()
  /** When it last looked for workers, and when one last came or went. */
  #looked = performance.now()
  #changed = performance.now()
  /** Workers that get no work, with the reason. */
  readonly refused: Map<string, string> = new Map()

  /**
   * @param prove says why a worker cannot be trusted, or nothing if it can; throws if the worker or the server ends meanwhile
   * @param only the member, for a team that takes no other
   */
  constructor(
    to: Link,
    precision: Precision,
    prove: (worker: WorkerInfo) => Promise<string | undefined>,
    only?: WorkerInfo,
  ) {
    this.#only = only
    if (only) this.#join(only)
    this.#link = to
    this.#precision = precision
    this.#prove = prove
    this.#farewells = to.connection.subscribe(to.subjects.leaving, {
      callback: (_, { data }) => this.#leave(String(decode(data).header.worker)),
    })
  }

  /** Whether workers may still join. */
  get isOpen(): boolean {
    return this.#only === undefined
  }

  /** Hears no more of workers that leave. */
  close(): void {
    this.#farewells.unsubscribe()
  }

  /** Those who take work. */
  get members(): readonly Member[] {
    return [...this.#members.values()]
  }

  get size(): number {
    return this.#members.size
  }

  /** Whether it takes more work. */
  takes({ info }: Member): boolean {
    return this.#members.has(info.id)
  }

  /** Also one that is leaving. */
  member(id: string): Member | undefined {
    return this.#members.get(id) ?? this.#leaving.get(id)
  }

  /** Looks for workers that are new, and proves them. Returns how many are there. */
  async look(): Promise<number> {
    this.#looked = performance.now()
    if (this.#only) return 1
    const found = await whoIsThere(this.#link)
    const waiting = found.values()
    const lane = async () => {
      for (const info of waiting) await this.#meet(info)
    }
    await Promise.all(Array.from({ length: proofsAtOnce }, lane))
    return found.length
  }

  /** @param alone whether a run has nobody to compute it */
  isTimeToLook(alone: boolean): boolean {
    const now = performance.now()
    const quiet = Math.max(looks.soonest, looks.perWorker * this.size, (now - this.#changed) / 2)
    return now - this.#looked > (alone ? looks.soonest : Math.min(looks.latest, quiet))
  }

  /** Looks until nobody new is found, because many workers do not answer at the same time, and one may end while it is proven. */
  async gather(): Promise<void> {
    let known = -1
    while (this.members.length > known || this.members.length + this.refused.size === 0) {
      known = this.members.length
      if ((await this.look()) === 0) return
    }
  }

  /** Why workers get no work, each reason once, with how many it is about. */
  get reasons(): string {
    const counts = new Map<string, number>()
    for (const reason of this.refused.values()) counts.set(reason, (counts.get(reason) ?? 0) + 1)
    return Array.from(counts, ([reason, count]) => (count === 1 ? reason : `${count} workers: ${reason}`)).join('; ')
  }

  heard(id: string): void {
    const member = this.member(id)
    if (member) member.heard = performance.now()
  }

  /** A worker that does not answer any more; it may come back. */
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

  /** A worker that must not be asked again. */
  refuse(id: string, reason: string): void {
    this.lose(id)
    this.refused.set(id, reason)
  }

  /** The least of the kinds of all workers. */
  get kind(): DeviceKind {
    return leastKind(this.members.map(({ info }) => info))
  }

  async #meet(info: WorkerInfo): Promise<void> {
    const { id } = info
    // A sign of life does not renew the lease of a worker: a call may have been lost on its way there.
    if (this.#members.has(id) || this.refused.has(id) || this.#proving.has(id)) return
    this.#proving.add(id)
    try {
      const reason = this.#unfitness(info) ?? (await this.#prove(info))
      if (reason === undefined) this.#join(info)
      else this.refused.set(id, reason)
    } catch (error) {
      const reasons = [...(this.#unproven.get(id) ?? []), reasonOf(error)]
      this.#unproven.set(id, reasons)
      if (reasons.length >= toleratedProofs) this.refused.set(id, reasons.at(-1) as string)
    } finally {
      this.#proving.delete(id)
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
    this.#members.set(info.id, { info, speed: guessedSpeed, heard: performance.now(), asked: 0 })
  }
}

const reasonOf = (error: unknown): string => (error instanceof DeviceLostError ? error.loss.reason : String(error))

/** `software` is less than `cpu`, which is less than `hardware`. */
export function leastKind(workers: readonly Pick<WorkerInfo, 'kind'>[]): DeviceKind {
  const has = (kind: DeviceKind) => workers.some((worker) => worker.kind === kind)
  if (has('software')) return 'software'
  return has('cpu') ? 'cpu' : 'hardware'
}

/** "3 x cpu-wasm (AMD EPYC), 1 x webgpu (NVIDIA H200)". */
export function describeWorkers(workers: readonly Pick<WorkerInfo, 'backend' | 'name'>[]): string {
  const counts = new Map<string, number>()
  for (const { backend, name } of workers) {
    const what = `${backend} (${name})`
    counts.set(what, (counts.get(what) ?? 0) + 1)
  }
  return Array.from(counts, ([what, count]) => `${count} x ${what}`).join(', ')
}
