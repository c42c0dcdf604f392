/**
 * The memory of one device: a WebAssembly memory, which threads may share, and a list of its free parts.
 *
 * Addresses are aligned to 64 bytes, a cache line. Each allocation is followed by some free bytes (`slack`), because the last
 * register of an array may reach past its end.
 *
 * @module
 */
import type { FloatArray, Precision } from '@manybody/core'
import { pageBytes, slack } from '../../design/memory-sizes.ts'

/** Bytes of a cache line. Every array starts at a multiple of this number. */
const alignment = 64

/** Maximum sizes of a shared memory, in pages. The first that the engine can reserve is used. */
const largest: readonly number[] = [65536, 32768, 16384, 4096]

/** Number of bytes that 32-bit addresses reach. */
export const addressSpace: number = 65536 * pageBytes

export class Memory {
  /** Free ranges `[start, end)` in ascending order, with used bytes between them. */
  #free: { start: number; end: number }[]
  readonly #sizes = new Map<number, number>()
  /** Views of all of it, until it grows. */
  #whole: { readonly buffer: ArrayBufferLike; readonly f32: Float32Array; readonly f64: Float64Array } | undefined

  /**
   * A memory that workers can share. If the engine cannot reserve one within some seconds, a memory for this thread alone.
   *
   * @param spares memories of disposed devices, which come first
   */
  static async reserve(spares: WebAssembly.Memory[]): Promise<Memory> {
    const memory = await reserveShared(spares)
    return new Memory(memory, memory !== undefined)
  }

  /** The same for callers that cannot wait. */
  static atOnce(spares: WebAssembly.Memory[]): Memory {
    const memory = spares.pop() ?? sharedMemory()
    return new Memory(memory, memory !== undefined)
  }

  constructor(
    readonly memory: WebAssembly.Memory = new WebAssembly.Memory({ initial: 1 }),
    readonly shared: boolean = false,
  ) {
    // Address 0 means "none", so it is never allocated.
    this.#free = [{ start: alignment, end: memory.buffer.byteLength }]
  }

  /** Bytes in use. */
  get used(): number {
    return [...this.#sizes.values()].reduce((total, size) => total + size, 0)
  }

  /** @throws RangeError if the memory cannot grow enough */
  allocate(bytes: number): number {
    const size = Math.ceil((bytes + slack) / alignment) * alignment
    let range = this.#free.find(({ start, end }) => end - start >= size)
    if (!range) range = this.#grow(size)
    const address = range.start
    range.start += size
    this.#free = this.#free.filter(({ start, end }) => start < end)
    this.#sizes.set(address, size)
    return address
  }

  free(address: number): void {
    const size = this.#sizes.get(address)
    if (size === undefined) return
    this.#sizes.delete(address)
    const ranges = [...this.#free, { start: address, end: address + size }].sort((a, b) => a.start - b.start)
    this.#free = ranges.reduce<typeof ranges>((merged, range) => {
      const last = merged.at(-1)
      if (last && last.end === range.start) last.end = range.end
      else merged.push({ ...range })
      return merged
    }, [])
  }

  /** A view of numbers at an address. It becomes invalid when the memory grows. */
  numbers(precision: Precision, address: number, length: number): FloatArray {
    return precision === 'f64'
      ? new Float64Array(this.memory.buffer, address, length)
      : new Float32Array(this.memory.buffer, address, length)
  }

  /** Writes numbers at an address. */
  write(precision: Precision, address: number, numbers: FloatArray): void {
    // A view for each write would be an object for each.
    if (this.#whole?.buffer !== this.memory.buffer) {
      const { buffer } = this.memory
      this.#whole = { buffer, f32: new Float32Array(buffer), f64: new Float64Array(buffer) }
    }
    this.#whole[precision].set(numbers, address / (precision === 'f64' ? 8 : 4))
  }

  #grow(size: number): { start: number; end: number } {
    const end = this.memory.buffer.byteLength
    const last = this.#free.at(-1)
    const open = last?.end === end ? last : undefined
    const missing = size - (open ? open.end - open.start : 0)
    try {
      this.memory.grow(Math.ceil(missing / pageBytes))
    } catch (cause) {
      throw new RangeError(
        `Cannot allocate ${size} bytes: ${this.used} bytes are in use and the memory cannot grow; dispose of programs and buffers, or run fewer points at once`,
        { cause },
      )
    }
    const grown = open ?? { start: end, end }
    grown.end = this.memory.buffer.byteLength
    if (!open) this.#free.push(grown)
    return grown
  }
}

/** Milliseconds between attempts to reserve a memory. */
const waits: readonly number[] = [10, 50, 200, 1000, 3000, 0]

/**
 * Reserves a memory that workers can share. Engines can reserve only a few at once, and free the memory of a disposed device
 * only after its workers have ended. No event reports that, so this tries again for a while.
 */
async function reserveShared(spares: WebAssembly.Memory[]): Promise<WebAssembly.Memory | undefined> {
  for (const wait of waits) {
    const memory = spares.pop() ?? sharedMemory()
    if (memory) return memory
    await new Promise((resolve) => setTimeout(resolve, wait))
  }
  return undefined
}

function sharedMemory(): WebAssembly.Memory | undefined {
  for (const maximum of largest) {
    try {
      return new WebAssembly.Memory({ initial: 1, maximum, shared: true })
    } catch {
      // The engine cannot reserve that much: try the next size.
    }
  }
  return undefined
}
