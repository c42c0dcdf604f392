/**
 * Pushes short arrays to all workers, ahead of the calls that need them. A step of a simulation then takes one message out and one back.
 * If a worker misses an array, it reports that, and the coordinator puts the array on the server.
 *
 * @module
 */
import { Hashing } from './arrays.ts'
import { type ByteCache, cacheKey } from './cache.ts'
import type { Link } from './link.ts'
import { encode, type Message } from './message.ts'

/** The longest array that is pushed, in bytes. */
export const longestPush: number = 16 * 2 ** 20

/** The longest array to push to this many workers. Every worker gets it, even an idle one, and one server sends it to all. */
export const pushedTo = (workers: number): number => Math.max(2 * 2 ** 20, Math.min(longestPush, 2 ** 26 / workers))

/**
 * Sends an array to all workers that listen.
 *
 * @param instead the hash of the array's previous content, which nobody needs any more: workers reuse its memory
 */
export function push(
  { connection, subjects, self, shortBytes }: Link,
  hash: string,
  bytes: Uint8Array,
  instead?: string,
): void {
  let at = 0
  do {
    const part = bytes.subarray(at, at + shortBytes)
    connection.publish(subjects.push(self), encode({ hash, length: bytes.length, at, instead }, part))
    at += shortBytes
  } while (at < bytes.length)
}

interface Incomplete {
  /** The key in the cache. */
  readonly key: string
  readonly hash: string
  readonly bytes: Uint8Array
  readonly hashing: Hashing
  filled: number
}

/** Puts pushed arrays together and stores them in the cache of a worker. */
export class Pushes {
  /** Arrays that lack parts. Parts of one coordinator come in order, so each coordinator has one such array; others were interrupted. */
  readonly #incomplete: Incomplete[] = []

  constructor(
    readonly cache: ByteCache,
    readonly mostIncomplete: number = 8,
  ) {}

  /**
   * Takes a part. It ignores malformed parts and parts without a beginning; the worker then fetches the array.
   *
   * @param owner the key of the coordinator
   */
  receive({ header: { hash, length, at, instead }, bytes }: Message, owner: string): void {
    if (typeof hash !== 'string' || !/^[0-9a-f]{64}$/.test(hash)) return
    if (!Number.isSafeInteger(length) || (length as number) < bytes.length || (length as number) > longestPush) return
    const key = cacheKey(owner, hash)
    if (this.cache.has(key)) return
    const before = typeof instead === 'string' ? cacheKey(owner, instead) : undefined
    const array =
      at === 0 ? this.#begin({ key, hash }, length as number, before) : this.#incomplete.find((one) => one.key === key)
    if (!array || at !== array.filled || array.filled + bytes.length > array.bytes.length) return
    array.bytes.set(bytes, array.filled)
    array.filled += bytes.length
    array.hashing.reach(array.filled)
    if (array.filled < array.bytes.length) return
    this.#incomplete.splice(this.#incomplete.indexOf(array), 1)
    this.cache.of(key, array.bytes.length, () => checked(array)).catch(() => {})
  }

  #begin(named: Pick<Incomplete, 'key' | 'hash'>, length: number, instead: string | undefined): Incomplete {
    const before = this.#incomplete.findIndex((one) => one.key === named.key)
    if (before >= 0) this.#incomplete.splice(before, 1)
    const bytes = (instead !== undefined && this.cache.take(instead, length)) || new Uint8Array(length)
    const array = { ...named, bytes, hashing: new Hashing(bytes), filled: 0 }
    this.#incomplete.push(array)
    if (this.#incomplete.length > this.mostIncomplete) this.#incomplete.shift()
    return array
  }
}

async function checked({ hash, bytes, hashing }: Incomplete): Promise<Uint8Array> {
  const found = await hashing.hash()
  if (found !== hash) throw new RangeError(`Cannot take array ${hash}: its bytes have the hash ${found}`)
  return bytes
}
