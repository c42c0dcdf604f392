/**
 * The parts of memory that belong to one use of a program, by name, and views of them.
 *
 * @module
 */
import type { FloatArray, Precision } from '@manybody/core'
import type { ResultLayout } from '../../design/design.ts'
import type { Memory } from '../host/memory.ts'
import type { Span } from '../threads/messages.ts'

export class Regions {
  readonly memory: Memory
  readonly precision: Precision
  readonly #spans = new Map<string, Span>()
  /** Regions in others, which own their memory. */
  readonly #lent = new Set<string>()

  constructor(memory: Memory, precision: Precision) {
    this.memory = memory
    this.precision = precision
  }

  has(name: string): boolean {
    return this.#spans.has(name)
  }

  /** The address of a region; 0 if the region does not exist. */
  at(name: string): number {
    return this.#spans.get(name)?.address ?? 0
  }

  /** The span of a region; empty if the region does not exist. */
  spansOf(name: string): readonly Span[] {
    const span = this.#spans.get(name)
    return span ? [span] : []
  }

  /** The address of a region with at least this many bytes. A region that is large enough stays in place. */
  reserve(name: string, bytes: number): number {
    const known = this.#spans.get(name)
    if (known && known.length >= bytes && !this.#lent.has(name)) return known.address
    this.#drop(name)
    const address = this.memory.allocate(bytes)
    this.#spans.set(name, { address, length: bytes })
    return address
  }

  /**
   * The address of a region in the memory of another one from an offset on, which is not read any more when this one is
   * written. Without enough room there, the region gets its own memory.
   */
  reserveIn(name: string, { host, offset }: { readonly host: string; readonly offset: number }, bytes: number): number {
    const around = this.#spans.get(host)
    if (!around || around.length < offset + bytes) return this.reserve(name, bytes)
    this.#drop(name)
    const address = around.address + offset
    this.#spans.set(name, { address, length: bytes })
    this.#lent.add(name)
    return address
  }

  /** A view of the numbers at an address. It becomes invalid when the memory grows. */
  view(type: ResultLayout['type'], address: number, length: number): FloatArray | Int32Array | Uint32Array {
    if (type === 'number') return this.memory.numbers(this.precision, address, length)
    const { buffer } = this.memory.memory
    return type === 'i32' ? new Int32Array(buffer, address, length) : new Uint32Array(buffer, address, length)
  }

  bytesOf(type: ResultLayout['type']): number {
    return type === 'number' && this.precision === 'f64' ? 8 : 4
  }

  dispose(): void {
    for (const name of [...this.#spans.keys()]) this.#drop(name)
  }

  #drop(name: string): void {
    const span = this.#spans.get(name)
    if (span && !this.#lent.has(name)) this.memory.free(span.address)
    this.#lent.delete(name)
    this.#spans.delete(name)
  }
}
