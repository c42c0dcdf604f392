/**
 * The arrays of a simulation where they are: buffers of WebGPU that a caller may draw from, and who is told when they move.
 *
 * @module
 */
import type { NativeBuffer } from '../../contract/backend.ts'
import { describe } from '../../ground/checks.ts'
import { arrayNamed, countOf, widthOf } from '../arrays.ts'
import type { Stepper } from '../stepping/stepper.ts'

/** An array of a simulation on WebGPU. Do not destroy it. */
export interface GpuBuffer extends NativeBuffer {
  /** Points. */
  readonly count: number
  /** Bytes from one point to the next: 4 for each float32 number, without padding. */
  readonly stride: number
}

/** Called with the new buffer, or with undefined if the simulation continues without WebGPU. */
export type Replaced = (buffer: GpuBuffer | undefined) => void

export class GpuBuffers {
  readonly #listeners: { readonly name: string; readonly replaced: Replaced }[] = []

  /** @throws TypeError if there is no such array, or none on WebGPU */
  of(stepper: Stepper, name: string): GpuBuffer {
    const { axis } = arrayNamed(name, stepper.state)
    if (axis !== undefined)
      throw new TypeError(`"name" expected an array, got ${describe(name)}, which is one component of an array`)
    const found = gpuBufferOf(stepper, name)
    if (!found)
      throw new TypeError(
        `Cannot give a GPUBuffer: the simulation runs on ${stepper.device.info.backend}; create the engine with { backend: 'webgpu' }`,
      )
    return found
  }

  /** Tells a caller from now on where an array is, when it moves. */
  listen(name: string, replaced: Replaced): void {
    this.#listeners.push({ name, replaced })
  }

  /** Tells all callers where their arrays are now. */
  moved(stepper: Stepper): void {
    for (const { name, replaced } of this.#listeners) replaced(gpuBufferOf(stepper, name))
  }
}

function gpuBufferOf(stepper: Stepper, name: string): GpuBuffer | undefined {
  const { gpu } = stepper.shown(name)
  const { state } = stepper
  return gpu && { ...gpu, count: countOf(state), stride: 4 * widthOf(state, name) }
}
