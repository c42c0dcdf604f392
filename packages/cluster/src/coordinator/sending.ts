/**
 * Turns a run into a job: sends each of its arrays to the server once, and lists the arrays in the job.
 *
 * @module
 */
import type { Bindings, PairWorkload, Plan, Precision, RunOptions, Shape } from '@manybody/core'
import { runRanges } from '@manybody/core/backend'
import { keyIn } from '../wire/address.ts'
import { bytesOf, refOf, type TypedArray } from '../wire/arrays.ts'
import { encoded, type JobArrays } from '../wire/job.ts'
import type { Link } from '../wire/link.ts'
import { push, pushedTo } from '../wire/push.ts'
import { openStore, put, StoreError } from '../wire/store.ts'
import type { Shelf } from '../wire/subjects.ts'
import type { SpreadJob } from './spread-job.ts'

export interface PairRun {
  readonly workload: PairWorkload
  readonly shape: Shape
  readonly plan: Plan | undefined
  readonly precision: Precision
}

/** How long the server keeps an array for sure, in milliseconds. It is less than the age at which the server deletes arrays. */
const surelyKept = 20 * 60_000

/**
 * Remembers the arrays that a coordinator has sent, and sends an array again only if its content has changed. The server keeps only
 * long arrays.
 */
export class Sender {
  readonly #link: Link
  readonly #shelf: Shelf
  readonly #storeBytes: number
  readonly #pushes: boolean
  readonly #keeping = new Map<string, Promise<void>>()
  readonly #sent = new Map<string, { readonly done: Promise<void>; readonly at: number }>()
  /** The hash of an array when it was last sent. A simulation overwrites its positions. */
  readonly #before = new WeakMap<TypedArray, string>()
  /** All bytes sent so far. */
  bytes = 0
  /** The part of these bytes that the server sends to all workers. */
  #pushed = 0

  /** @param pushes whether to push short arrays to all workers; false if one worker alone needs them */
  constructor(to: Link, storeBytes: number, { pushes = true }: { readonly pushes?: boolean } = {}) {
    this.#link = to
    this.#shelf = to.subjects.arrays(keyIn(to.self))
    this.#storeBytes = storeBytes
    this.#pushes = pushes
  }

  /** @param workers how many workers get a pushed array */
  async jobOf(
    { workload, shape, plan, precision }: PairRun,
    bindings: Bindings,
    options: Pick<RunOptions, 'targets' | 'sources'>,
    workers: number,
  ): Promise<SpreadJob> {
    const pushedBefore = this.#pushed
    const mostPushed = this.#pushes ? pushedTo(workers) : 0
    const contents = new Map<string, TypedArray>()
    const group = async (arrays: object) => {
      const refs = Object.entries(arrays as Record<string, TypedArray>).map(async ([name, array]) => {
        const ref = await refOf(array)
        contents.set(ref.hash, array)
        return [name, ref] as const
      })
      return Object.fromEntries(await Promise.all(refs))
    }
    const { targets, sources, parameters, tables, ranges, offsets } = bindings
    const arrays: JobArrays = {
      targets: await group(targets.arrays),
      ...(sources !== targets && { sources: await group(sources.arrays) }),
      ...(ranges && { ranges: await group(ranges) }),
      ...(offsets && { lists: await group({ offsets }) }),
      ...(tables && { tables: await group({ numbers: tables }) }),
    }
    const job = { workload, shape, plan, precision, parameters, arrays, ...runRanges(workload, shape, options) }
    this.#requireRoom(contents.values(), mostPushed)
    await Promise.all(Array.from(contents, ([hash, array]) => this.#send(hash, array, mostPushed, contents)))
    const pushed = workers * (this.#pushed - pushedBefore)
    const has = (hash: string) => contents.has(hash)
    const resend = (hash: string) => this.#keep(hash, contents.get(hash) as TypedArray)
    return { job, text: encoded(job), offsets, bindings, has, resend, pushed }
  }

  /** @throws {@link StoreError} if the server may not keep all arrays that a job needs at the same time */
  #requireRoom(arrays: Iterable<TypedArray>, mostPushed: number): void {
    let bytes = 0
    for (const { byteLength } of arrays) if (byteLength > mostPushed) bytes += byteLength
    if (bytes > this.#storeBytes)
      throw new StoreError(
        `the arrays of this run have ${bytes} bytes, and the server keeps at most ${this.#storeBytes}`,
        'raise "storeBytes", and the memory of the server',
      )
  }

  /** Resolves when the server has the array, or when the array is on its way to all workers. */
  #send(hash: string, array: TypedArray, mostPushed: number, needed: { has(hash: string): boolean }): Promise<void> {
    const last = this.#before.get(array)
    const instead = last === undefined || needed.has(last) ? undefined : last
    this.#before.set(array, hash)
    const sent = this.#sent.get(hash)
    if (sent && performance.now() - sent.at < surelyKept) return sent.done
    this.bytes += array.byteLength
    if (array.byteLength > mostPushed) return this.#remember(hash, this.#put(hash, bytesOf(array)))
    if (instead !== undefined) this.#sent.delete(instead)
    this.#pushed += array.byteLength
    push(this.#link, hash, bytesOf(array), instead)
    return this.#remember(hash, Promise.resolve())
  }

  /** Makes the server keep an array that a worker lacks. Workers that lack it at the same time share one upload. */
  #keep(hash: string, array: TypedArray): Promise<void> {
    const before = this.#keeping.get(hash)
    if (before !== undefined) return before
    this.bytes += array.byteLength
    // The run may end before the upload does. The caller may then reuse its array, so a copy is sent.
    const done = this.#put(hash, bytesOf(array.slice())).finally(() => this.#keeping.delete(hash))
    this.#keeping.set(hash, done)
    return this.#remember(hash, done)
  }

  #remember(hash: string, done: Promise<void>): Promise<void> {
    const entry = { done, at: performance.now() }
    this.#sent.set(hash, entry)
    done.catch(() => this.#sent.get(hash) === entry && this.#sent.delete(hash))
    return done
  }

  /** A server that was restarted needs its stream again. */
  async #put(hash: string, bytes: Uint8Array): Promise<void> {
    try {
      await put(this.#link, hash, bytes, this.#shelf)
    } catch {
      await openStore(this.#link, this.#storeBytes)
      await put(this.#link, hash, bytes, this.#shelf)
    }
  }
}
