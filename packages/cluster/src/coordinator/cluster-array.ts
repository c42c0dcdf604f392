/**
 * An array of the cluster's device. Its numbers are in the coordinator's memory, on the device at home, or in both, depending on where
 * they were used last. A simulation at home leaves them on the device.
 *
 * @module
 */
import type { Bindings, Device, DeviceBuffer, FloatArray } from '@manybody/core'
import { requireBufferLength } from '@manybody/core/backend'

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
  readonly #data: FloatArray
  #buffer: DeviceBuffer | undefined
  /** Where the numbers are. */
  #in = { memory: true, home: false }

  constructor(
    readonly length: number,
    home: Device,
    order: InOrder,
  ) {
    this.#home = home
    this.#order = order
    this.#data = home.info.precision === 'f64' ? new Float64Array(length) : new Float32Array(length)
  }

  async write(data: FloatArray): Promise<void> {
    requireBufferLength(data, 'data', this.length)
    const copy = data.slice()
    await this.#order.run(() => {
      this.#data.set(copy)
      this.#in = { memory: true, home: false }
    })
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
    this.#buffer ??= await this.#home.buffer(this.length)
    if (!this.#in.home) await this.#buffer.write(this.#data)
    this.#in = { memory: this.#in.memory && !written, home: true }
    return this.#buffer
  }
}

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
