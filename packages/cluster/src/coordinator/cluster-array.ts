/**
 * An array of the cluster's device. Its numbers are in the coordinator's memory, on the device at home, or in both, depending on where
 * they were used last. A simulation at home leaves them on the device.
 *
 * @module
 */
import type { Bindings, Device, DeviceBuffer, FloatArray, Stretch } from '@manybody/core'
import { movedTogether, requireBufferLength } from '@manybody/core/backend'

/** Runs tasks one after the other, so that writes, runs and reads happen in the order of their submission. */
export class InOrder {
  #last: Promise<unknown> = Promise.resolve()

  run<T>(task: () => T | Promise<T>): Promise<T> {
    const result = this.#last.then(task)
    this.#last = result.catch(() => {})
    return result
  }
}

/** How an array is asked for. */
interface Use {
  /** Whether the caller will write into it, so that the numbers in the other place are no longer right. */
  readonly written?: boolean
}

export class ClusterArray implements DeviceBuffer {
  readonly #home: Device
  readonly #order: InOrder
  /** With room for as many numbers as there may be. */
  readonly #room: FloatArray
  #data: FloatArray
  #buffer: DeviceBuffer | undefined
  /** Where the numbers are. */
  #in = { memory: true, home: false }

  constructor(length: number, home: Device, order: InOrder) {
    this.#home = home
    this.#order = order
    this.#room = home.info.precision === 'f64' ? new Float64Array(length) : new Float32Array(length)
    this.#data = this.#room
  }

  get length(): number {
    return this.#data.length
  }

  async write(data: FloatArray): Promise<void> {
    requireBufferLength(data, 'data', this.length)
    const copy = data.slice()
    await this.#order.run(() => {
      this.#data.set(copy)
      this.#in = { memory: true, home: false }
    })
  }

  async writePart(data: FloatArray, first: number): Promise<void> {
    const copy = data.slice()
    await this.#order.run(async () => {
      const buffer = await this.#changed()
      if (this.#in.memory) this.#data.set(copy, first)
      await buffer?.writePart(copy, first)
    })
  }

  async resize(length: number): Promise<void> {
    if (length > this.#room.length)
      throw new RangeError(
        `"length" expected at most ${this.#room.length}, the numbers of this array at first, got ${length}`,
      )
    await this.#order.run(async () => {
      const buffer = await this.#changed()
      this.#data = this.#room.subarray(0, length)
      await buffer?.resize(length)
    })
  }

  async keep(stretches: readonly Stretch[]): Promise<void> {
    await this.#order.run(async () => {
      const buffer = await this.#changed()
      if (this.#in.memory) movedTogether(this.#data, stretches)
      this.#data = this.#room.subarray(0, lengthOf(stretches))
      await buffer?.keep(stretches)
    })
  }

  /** The buffer at home, if it has the numbers. If it cannot change some of them, only the memory has them from now on. */
  async #changed(): Promise<Changing | undefined> {
    if (this.#in.home && this.#buffer && canChange(this.#buffer)) return this.#buffer
    await this.inMemory({ written: true })
    return undefined
  }

  async read(into?: FloatArray): Promise<FloatArray> {
    requireBufferLength(into, 'into', this.length)
    return this.#order.run(async () => {
      const numbers = await this.inMemory()
      if (!into) return numbers.slice()
      into.set(numbers)
      return into
    })
  }

  dispose(): void {
    this.#buffer?.dispose()
  }

  /** The numbers in memory. Call it only inside a task of `InOrder`. */
  async inMemory({ written = false }: Use = {}): Promise<FloatArray> {
    if (!this.#in.memory) await this.#buffer?.read(this.#data)
    this.#in = { memory: true, home: this.#in.home && !written }
    return this.#data
  }

  /** The numbers on the device at home. Call it only inside a task of `InOrder`. */
  async atHome({ written = false }: Use = {}): Promise<DeviceBuffer> {
    const buffer = await this.#buffered(this.length)
    if (!this.#in.home) await buffer.write(this.#data)
    this.#in = { memory: this.#in.memory && !written, home: true }
    return buffer
  }

  /** The buffer at home with this length. */
  async #buffered(length: number): Promise<DeviceBuffer> {
    const buffer = this.#buffer ?? (await this.#home.buffer(this.#room.length))
    this.#buffer = buffer
    if (buffer.length === length) return buffer
    if (canChange(buffer)) await buffer.resize(length)
    else {
      this.#buffer = await this.#home.buffer(length)
      buffer.dispose()
    }
    return this.#buffer
  }
}

/** A buffer that changes some of its numbers in place. */
type Changing = DeviceBuffer & Required<Pick<DeviceBuffer, 'writePart' | 'resize' | 'keep'>>

const canChange = (buffer: DeviceBuffer): buffer is Changing =>
  buffer.writePart !== undefined && buffer.resize !== undefined && buffer.keep !== undefined

const lengthOf = (stretches: readonly Stretch[]): number =>
  stretches.reduce((sum, [first, last]) => sum + last - first, 0)

type Arrays = Readonly<Record<string, FloatArray | DeviceBuffer>>

/** Replaces arrays of the cluster by plain arrays. */
export async function plainArrays(arrays: Arrays, { written = false }: Use = {}): Promise<Record<string, FloatArray>> {
  const plain: Record<string, FloatArray> = {}
  for (const [name, array] of Object.entries(arrays))
    plain[name] = array instanceof ClusterArray ? await array.inMemory({ written }) : (array as FloatArray)
  return plain
}

/** Replaces arrays of the cluster by buffers of the device at home. */
export async function arraysAtHome<A extends FloatArray | DeviceBuffer>(
  arrays: Readonly<Record<string, A>>,
  { written = false }: Use = {},
): Promise<Record<string, A | DeviceBuffer>> {
  const there: Record<string, A | DeviceBuffer> = {}
  for (const [name, array] of Object.entries(arrays))
    there[name] = array instanceof ClusterArray ? await array.atHome({ written }) : array
  return there
}

/** Bindings with the arrays of each set moved to another place. */
export async function placed(
  { targets, sources, ...rest }: Bindings,
  place: (arrays: Arrays) => Promise<Arrays>,
): Promise<Bindings> {
  const here = { ...targets, arrays: await place(targets.arrays) }
  return {
    ...rest,
    targets: here,
    sources: sources === targets ? here : { ...sources, arrays: await place(sources.arrays) },
  }
}
