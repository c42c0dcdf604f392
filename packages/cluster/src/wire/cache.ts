/**
 * The arrays that a worker keeps, up to a limit of bytes. The least recently used arrays go first.
 *
 * @module
 */

interface Entry {
  readonly value: Promise<Uint8Array>
  readonly bytes: number
  /** Set once the value has loaded. */
  loaded?: Uint8Array
}

/** The key of an array. Coordinators with the same nkey or user share their arrays, and nobody else can get them by their hashes. */
export const cacheKey = (owner: string, hash: string): string => `${owner}/${hash}`

export class ByteCache {
  readonly #entries = new Map<string, Entry>()
  /** How many calls use the bytes of each key. */
  readonly #users = new Map<string, number>()
  #bytes = 0

  constructor(readonly limit: number) {}

  /** Bytes held, including those that are still loading. */
  get bytes(): number {
    return this.#bytes
  }

  has(key: string): boolean {
    return this.#entries.has(key)
  }

  /** The kept bytes. If there are none, calls `load` and keeps its result. A failed load is forgotten. */
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

  /** Protects the memory of a key until the returned function is called. */
  use(key: string): () => void {
    this.#users.set(key, (this.#users.get(key) ?? 0) + 1)
    return () => {
      const left = (this.#users.get(key) ?? 0) - 1
      if (left > 0) this.#users.set(key, left)
      else this.#users.delete(key)
    }
  }

  /** Removes an array and returns its bytes for reuse. Undefined if its length differs, or if a call uses it. */
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
