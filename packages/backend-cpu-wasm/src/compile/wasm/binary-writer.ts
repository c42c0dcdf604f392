/**
 * Writes the bytes of a WebAssembly module one after the other. It knows the number formats, but nothing about nodes.
 *
 * @source WebAssembly Core Specification 2.0, section 5.2
 * @module
 */

export class BinaryWriter {
  #bytes = new Uint8Array(256)
  #view = new DataView(this.#bytes.buffer)
  #length = 0

  /** A copy of the bytes written so far. */
  bytes(): Uint8Array<ArrayBuffer> {
    return this.#bytes.slice(0, this.#length)
  }

  byte(value: number): void {
    const at = this.#reserve(1)
    this.#bytes[at] = value
  }

  append(bytes: Uint8Array): void {
    const at = this.#reserve(bytes.length)
    this.#bytes.set(bytes, at)
  }

  /** Writes an unsigned LEB128 number. */
  unsigned(value: number): void {
    let rest = value
    while (rest > 127) {
      this.byte((rest % 128) + 128)
      rest = Math.floor(rest / 128)
    }
    this.byte(rest)
  }

  /** Writes a signed LEB128 number. */
  signed(value: bigint): void {
    let rest = value
    while (rest > 63n || rest < -64n) {
      this.byte(Number(rest & 0x7fn) + 128)
      rest >>= 7n
    }
    this.byte(Number(rest & 0x7fn))
  }

  number(type: 'i32' | 'i64' | 'f32' | 'f64', value: number | bigint): void {
    const at = this.#reserve(type.endsWith('32') ? 4 : 8)
    if (type === 'i32') this.#view.setInt32(at, Number(value), true)
    else if (type === 'i64') this.#view.setBigInt64(at, BigInt(value), true)
    else if (type === 'f32') this.#view.setFloat32(at, Number(value), true)
    else this.#view.setFloat64(at, Number(value), true)
  }

  text(value: string): void {
    const bytes = new TextEncoder().encode(value)
    this.unsigned(bytes.length)
    this.append(bytes)
  }

  /** Writes the number of items, then each item. */
  vector<Item>(items: readonly Item[], write: (item: Item) => void): void {
    this.unsigned(items.length)
    items.forEach(write)
  }

  /** Writes the size of the content, then the content that `write` writes. */
  sized(write: (content: BinaryWriter) => void): void {
    const content = new BinaryWriter()
    write(content)
    this.unsigned(content.#length)
    this.append(content.#bytes.subarray(0, content.#length))
  }

  /** Reserves space for more bytes, and returns where they start. */
  #reserve(count: number): number {
    const at = this.#length
    this.#length += count
    if (this.#length > this.#bytes.length) {
      const larger = new Uint8Array(Math.max(this.#length, 2 * this.#bytes.length))
      larger.set(this.#bytes)
      this.#bytes = larger
      this.#view = new DataView(larger.buffer)
    }
    return at
  }
}
