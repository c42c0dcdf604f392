/**
 * The parts of memory that belong to one use of a program: a table of their lengths by name, and their addresses. The names are
 * the names of the block, so that most addresses go there as they are.
 *
 * @module
 */
import type { FloatArray, Precision } from '@manybody/core'
import type { ResultLayout } from '../../design/design.ts'
import type { Memory } from '../host/memory.ts'
import type { Span } from '../threads/messages.ts'

export interface Region {
  readonly bytes: number
  /** Another region that may lend its memory, because nothing reads it any more when this one is written. */
  readonly within?: string | undefined
}

/** Regions by name. A region that lends its memory comes first. */
export type RegionTable = Readonly<Record<string, Region>>

export class Regions {
  readonly memory: Memory
  readonly precision: Precision
  /** The address of each region. */
  readonly at: Record<string, number> = {}
  readonly #spans = new Map<string, Span & { readonly lent: boolean }>()

  constructor(memory: Memory, precision: Precision) {
    this.memory = memory
    this.precision = precision
  }

  /** Gives each region of a table an address. A region that is large enough stays in place. */
  place(table: RegionTable): void {
    for (const [name, { bytes, within }] of Object.entries(table)) {
      const around = within === undefined ? undefined : this.#spans.get(within)
      const known = this.#spans.get(name)
      if (around && around.length >= bytes) this.#set(name, { address: around.address, length: bytes, lent: true })
      else if (!known || known.lent || known.length < bytes) {
        this.#drop(name)
        this.#set(name, { address: this.memory.allocate(bytes), length: bytes, lent: false })
      }
    }
  }

  /** The spans of the regions with these names, as far as they exist. */
  spansOf(names: readonly string[]): readonly Span[] {
    return names.flatMap((name) => this.#spans.get(name) ?? [])
  }

  /** A view of the numbers at an address. It becomes invalid when the memory grows. */
  view(type: ResultLayout['type'], address: number, length: number): FloatArray | Int32Array | Uint32Array {
    if (type === 'number') return this.memory.numbers(this.precision, address, length)
    const { buffer } = this.memory.memory
    return type === 'i32' ? new Int32Array(buffer, address, length) : new Uint32Array(buffer, address, length)
  }

  dispose(): void {
    for (const name of [...this.#spans.keys()]) this.#drop(name)
  }

  #set(name: string, span: Span & { readonly lent: boolean }): void {
    if (span.lent) this.#drop(name)
    this.#spans.set(name, span)
    this.at[name] = span.address
  }

  #drop(name: string): void {
    const span = this.#spans.get(name)
    if (span && !span.lent) this.memory.free(span.address)
    this.#spans.delete(name)
    delete this.at[name]
  }
}
