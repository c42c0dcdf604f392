/**
 * The arrays that a worker keeps, up to a number of bytes; those unused for longest go first.
 *
 * @module
 */

interface Entry {
  readonly value: Promise<Uint8Array>
  readonly bytes: number
  /** Once it has loaded. */
  loaded?: Uint8Array
}

/** Under what an array is kept: coordinators of one key share what they sent, and nobody else can have it by its hash. */
export const cacheKey = (owner: string, hash: string): string => `${owner}/${hash}`

export class ByteCache {
  readonly #entries = new Map<string, Entry>()
  /** How many use what has a key. */
  readonly #users = new Map<string, number>()
  #bytes = 0

  constructor(readonly limit: number) {}

  /** Bytes held, those on their way included. */
  get bytes(): number {
    return this.#bytes
  }

  has(key: string): boolean {
    return this.#entries.has(key)
  }

  /** The kept bytes, or those that `load` gives, which are then kept. A failed load is forgotten. */
  of(key: string, bytes: number, load: () => Promise<Uint8Array>): Promise<Uint8Array> {
    const kept = this.#entries.get(key)
    this.#entries.delete(key)
    const entry: Entry = kept ?? { value: load(), bytes }
    this.#entries.set(key, entry)
    if (!kept) {
      this.#bytes += bytes
      entry.value.then(
        (value) => {
          entry.loaded = value
        },
        () => this.#forget(key, entry),
      )
      for (const [other, old] of this.#entries) {
        if (this.#bytes <= this.limit || other === key) break
        this.#forget(other, old)
      }
    }
    return entry.value
  }

  /** Until the function is called that it returns, nobody takes the memory of a key. */
  use(key: string): () => void {
    this.#users.set(key, (this.#users.get(key) ?? 0) + 1)
    return () => {
      const left = (this.#users.get(key) ?? 0) - 1
      if (left > 0) this.#users.set(key, left)
      else this.#users.delete(key)
    }
  }

  /** Forgets bytes, so that others can have their memory. Undefined if it has another length, or someone uses it. */
  take(key: string, length: number): Uint8Array | undefined {
    const entry = this.#entries.get(key)
    if (entry?.loaded?.length !== length || this.#users.has(key)) return undefined
    this.#forget(key, entry)
    return entry.loaded
  }

  #forget(key: string, entry: Entry): void {
    if (this.#entries.get(key) !== entry) return
    this.#entries.delete(key)
    this.#bytes -= entry.bytes
  }
}
