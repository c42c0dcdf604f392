/**
 * The parts of memory that one use of a program has, by name, and views of them.
 *
 * @module
 */
import type { FloatArray, Precision } from '@manybody/core'
import type { ResultArray } from '../folds/fold.ts'
import type { Memory } from '../host/memory.ts'
import type { Place } from '../threads/messages.ts'

export class Regions {
  readonly memory: Memory
  readonly precision: Precision
  readonly #places = new Map<string, Place>()

  constructor(memory: Memory, precision: Precision) {
    this.memory = memory
    this.precision = precision
  }

  has(name: string): boolean {
    return this.#places.has(name)
  }

  /** Its address; 0 if there is no such region. */
  at(name: string): number {
    return this.#places.get(name)?.address ?? 0
  }

  /** All of a region; nothing if there is no such region. */
  placesOf(name: string): readonly Place[] {
    const place = this.#places.get(name)
    return place ? [place] : []
  }

  /** The address of a region that has at least so many bytes; it is kept where it was if it has. */
  reserve(name: string, bytes: number): number {
    const known = this.#places.get(name)
    if (known && known.length >= bytes) return known.address
    if (known) this.memory.free(known.address)
    this.#places.delete(name)
    const address = this.memory.allocate(bytes)
    this.#places.set(name, { address, length: bytes })
    return address
  }

  /** The numbers there, until the memory next grows. */
  view(type: ResultArray['type'], address: number, length: number): FloatArray | Int32Array | Uint32Array {
    if (type === 'number') return this.memory.numbers(this.precision, address, length)
    const { buffer } = this.memory.memory
    return type === 'i32' ? new Int32Array(buffer, address, length) : new Uint32Array(buffer, address, length)
  }

  bytesOf(type: ResultArray['type']): number {
    return type === 'number' && this.precision === 'f64' ? 8 : 4
  }

  dispose(): void {
    for (const { address } of this.#places.values()) this.memory.free(address)
    this.#places.clear()
  }
}
