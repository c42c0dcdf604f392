/**
 * The arrays that a worker keeps, up to a number of bytes; those unused for longest go first.
 *
 * @module
 */

export class ByteCache {
  readonly #entries = new Map<string, { readonly value: Promise<Uint8Array>; readonly bytes: number }>()
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
    const entry = kept ?? { value: load(), bytes }
    this.#entries.set(key, entry)
    if (!kept) {
      this.#bytes += bytes
      entry.value.catch(() => this.#forget(key, entry))
      for (const [other, old] of this.#entries) {
        if (this.#bytes <= this.limit || other === key) break
        this.#forget(other, old)
      }
    }
    return entry.value
  }

  #forget(key: string, entry: { readonly bytes: number }): void {
    if (this.#entries.get(key) !== entry) return
    this.#entries.delete(key)
    this.#bytes -= entry.bytes
  }
}
