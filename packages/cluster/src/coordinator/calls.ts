/**
 * The open calls of workers: who computes which blocks, and the bytes of results received so far.
 *
 * @module
 */
import type { Blocks } from '../wire/partition.ts'
import type { Member } from './team.ts'

/** Every part of the results except the last has at least this length. Nobody can make a coordinator keep many messages for a few bytes. */
const shortestPart = 1024

export interface OpenCall {
  readonly member: Member
  readonly span: Blocks
  /** Bytes of its results. */
  readonly size: number
  /** The results that have come, in order, as their messages hold them. */
  readonly parts: Uint8Array[]
  /** Whether the blocks are already done, and are computed again only for comparison. */
  readonly again: boolean
  filled: number
}

export class Calls {
  /** The calls of each worker that has any, by their names. */
  readonly #open = new Map<string, Map<string, OpenCall>>()
  #count = 0
  /** Bytes of results received, over all calls. */
  received = 0

  /** @returns the name of the call */
  begin(member: Member, span: Blocks, { size, again }: Pick<OpenCall, 'size' | 'again'>): string {
    const worker = member.info.id
    const task = `${++this.#count}`
    const open = this.#open.get(worker) ?? new Map<string, OpenCall>()
    this.#open.set(worker, open.set(task, { member, span, size, parts: [], again, filled: 0 }))
    return task
  }

  /** Undefined if it was ended, or is another worker's. */
  of(task: string, worker: string): OpenCall | undefined {
    return this.#open.get(worker)?.get(task)
  }

  /** How many workers have calls. */
  get busy(): number {
    return this.#open.size
  }

  /** Workers with calls. */
  get workers(): readonly string[] {
    return [...this.#open.keys()]
  }

  /** The calls that were given to a worker and have not ended. */
  tasksOf(worker: string): readonly string[] {
    return [...(this.#open.get(worker)?.keys() ?? [])]
  }

  held(worker: string): number {
    return this.#open.get(worker)?.size ?? 0
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

  end(task: string, worker: string): void {
    const open = this.#open.get(worker)
    open?.delete(task)
    if (open?.size === 0) this.#open.delete(worker)
  }

  /** Forgets all calls of a worker. */
  endAll(worker: string): void {
    this.#open.delete(worker)
  }
}
