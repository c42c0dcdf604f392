/**
 * Programs that run once into separate arrays, which stay on the device. Callers read only their sums, or short arrays.
 *
 * @module
 */

import type { Bindings, Device, DeviceBuffer, Program, Sequence, Stage } from '../../contract/backend.ts'
import { added } from '../../ground/arrays/added.ts'
import type { FloatArray } from '../../ground/checks.ts'

/** The sum of the numbers of an array, on the device if it can. */
export async function totalOf(buffer: DeviceBuffer): Promise<number> {
  return buffer.total ? buffer.total() : added(await buffer.read())
}

export class ScratchRun {
  readonly #device: Device
  readonly #buffers: DeviceBuffer[] = []
  readonly #stages: Stage[] = []
  #sequence: Sequence | undefined

  constructor(device: Device) {
    this.#device = device
  }

  /**
   * Adds a program to the run, and returns the arrays of its results.
   *
   * @param lengths the lengths of these arrays @param lasts whether the device may keep neighbour lists from run to run
   */
  async add(
    program: Program,
    bindings: Bindings,
    lengths: Readonly<Record<string, number>>,
    { lasts, ...ranges }: Pick<Stage, 'targets' | 'sources'> & { readonly lasts?: boolean } = {},
  ): Promise<Readonly<Record<string, DeviceBuffer>>> {
    const outputs: Record<string, DeviceBuffer> = {}
    for (const [name, length] of Object.entries(lengths)) outputs[name] = await this.#buffer(length)
    const carried = lasts && program.carries ? await this.#buffer(program.carries) : undefined
    this.#stages.push({ program, bindings, outputs, ...ranges, ...(carried && { carried }) })
    return outputs
  }

  /** An array with these numbers. */
  async filled(numbers: FloatArray): Promise<DeviceBuffer> {
    const buffer = await this.#buffer(numbers.length)
    await buffer.write(numbers)
    return buffer
  }

  async #buffer(length: number): Promise<DeviceBuffer> {
    const buffer = await this.#device.buffer(length)
    this.#buffers.push(buffer)
    return buffer
  }

  async run(): Promise<void> {
    this.#sequence ??= await this.#device.sequence(this.#stages)
    await (this.#sequence.begin ? this.#sequence.begin(1, {}) : this.#sequence.run(1))
  }

  dispose(): void {
    this.#sequence?.dispose()
    for (const buffer of this.#buffers.splice(0)) buffer.dispose()
  }
}
