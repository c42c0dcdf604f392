/**
 * The calls that workers have not ended: who computes which blocks, and the bytes of results that have come.
 *
 * @module
 */
import type { Blocks } from '../wire/partition.ts'
import type { Member } from './team.ts'

/** All parts of results but the last are longer: nobody can make a coordinator keep many messages for a few bytes. */
const shortestPart = 1024

export interface OpenCall {
  readonly member: Member
  readonly span: Blocks
  /** Bytes of its results. */
  readonly size: number
  /** The results that have come, in order, as their messages hold them. */
  readonly parts: Uint8Array[]
  /** Whether the blocks are done, and computed again only to be compared. */
  readonly again: boolean
  filled: number
}

export class Calls {
  readonly #open = new Map<string, OpenCall>()
  readonly #held = new Map<string, number>()
  #count = 0
  /** How many workers have calls. */
  busy = 0
  /** Bytes of results that came, of all calls. */
  received = 0

  /** @returns the name of the call */
  begin(member: Member, span: Blocks, { size, again }: Pick<OpenCall, 'size' | 'again'>): string {
    const task = `${++this.#count}`
    this.#open.set(task, { member, span, size, parts: [], again, filled: 0 })
    if (this.held(member.info.id) === 0) this.busy++
    this.#held.set(member.info.id, this.held(member.info.id) + 1)
    return task
  }

  /** Undefined if it was ended, or is another worker's. */
  of(task: string, worker: string): OpenCall | undefined {
    const call = this.#open.get(task)
    return call?.member.info.id === worker ? call : undefined
  }

  /** Workers with calls. */
  get workers(): ReadonlySet<string> {
    return new Set(Array.from(this.#open.values(), ({ member }) => member.info.id))
  }

  /** The calls that were given to a worker and have not ended. */
  tasksOf(worker: string): readonly string[] {
    return Array.from(this.#open).flatMap(([task, { member }]) => (member.info.id === worker ? [task] : []))
  }

  held(worker: string): number {
    return this.#held.get(worker) ?? 0
  }

  /** Takes the next bytes of a call. Returns whether they fit. */
  fill(call: OpenCall, at: number, bytes: Uint8Array): boolean {
    const filled = at + bytes.length
    if (at !== call.filled || filled > call.size || (bytes.length < shortestPart && filled < call.size)) return false
    call.parts.push(bytes)
    call.filled = filled
    this.received += bytes.length
    return true
  }

  end(task: string): void {
    const worker = this.#open.get(task)?.member.info.id
    if (worker === undefined) return
    this.#open.delete(task)
    this.#held.set(worker, this.held(worker) - 1)
    if (this.held(worker) === 0) this.busy--
  }

  /** Forgets all calls of a worker. */
  endAll(worker: string): void {
    for (const [task, call] of this.#open) if (call.member.info.id === worker) this.#open.delete(task)
    if (this.held(worker) > 0) this.busy--
    this.#held.delete(worker)
  }
}
