/**
 * The inputs of a run on the device.
 *
 * @module
 */
import type { Bindings, FloatArray } from '@manybody/core'
import type { ProgramDesign } from '../../design/design.ts'
import { writeBytes } from '../../quirks/empty-write.ts'
import { HeldArray } from '../host/held-array.ts'
import type { GpuHost } from '../host/host.ts'
import { type Lease, toFloat32 } from '../host/memory.ts'
import type { ReadyUpload, Write } from '../host/ready-upload.ts'
import { largeBytes, writeInParts } from '../host/write-in-parts.ts'
import type { BuffersByKey } from './bound.ts'
import { type GivenArray, inputOf } from './compiled-program.ts'
import type { ResultNumbers } from './submission.ts'

/** The inputs of a design on the device. Device arrays of the caller are used in place; others are uploaded. */
export async function uploadInputs(
  host: GpuHost,
  design: ProgramDesign,
  bindings: Bindings,
  lease: Lease,
): Promise<BuffersByKey> {
  const buffers: BuffersByKey = new Map()
  for (const key of design.inputs) {
    const data = inputOf(bindings, key)
    if (data instanceof HeldArray) buffers.set(key, data.buffer)
    else if (ArrayBuffer.isView(data)) buffers.set(key, await lease.array(4 * data.length))
    else
      throw new TypeError(`"${key}" expected a typed array or a buffer of this device, got a buffer of another device`)
  }
  await writeInputs(host, inputsOf(design, bindings), inputBuffers(design, buffers), lease)
  return buffers
}

/** The arrays of a run for the inputs of a design, in their order. */
export const inputsOf = ({ inputs }: ProgramDesign, bindings: Bindings): readonly GivenArray[] =>
  inputs.map((key) => inputOf(bindings, key))

/** The buffers of the inputs, in their order. */
export const inputBuffers = ({ inputs }: ProgramDesign, buffers: BuffersByKey): readonly GPUBuffer[] =>
  inputs.flatMap((key) => buffers.get(key) ?? [])

/** Bytes of the arrays that are too large to be written without waiting. */
export function largeInputs(inputs: readonly GivenArray[]): number {
  let large = 0
  for (const { length } of inputs) if (4 * length > largeBytes) large += 4 * length
  return large
}

/**
 * Uploads the caller's arrays. The device takes them before any work that is submitted afterwards. Large arrays are written
 * through `upload`, if it is ready. Otherwise the promise waits for them; all other arrays are taken when this returns.
 */
export function writeInputs(
  host: GpuHost,
  inputs: readonly GivenArray[],
  buffers: readonly GPUBuffer[],
  lease: Lease,
  upload?: ReadyUpload,
): Promise<void> | undefined {
  const large: Write[] = []
  for (let n = 0; n < inputs.length; n++) {
    const [data, into] = [inputs[n], buffers[n]]
    if (!into || !ArrayBuffer.isView(data)) continue
    const from = bytesOf(data)
    if (from.byteLength > largeBytes) large.push({ from, into })
    else writeBytes(host.device.queue, into, from)
  }
  if (large.length === 0) return undefined
  if (!upload?.ready) return inTurn(large, ({ from, into }) => writeInParts(host, from, into, lease))
  upload.write(large)
  return undefined
}

async function inTurn<T>(list: readonly T[], work: (one: T) => Promise<void>): Promise<void> {
  for (const one of list) await work(one)
}

export function bytesOf(data: FloatArray | ResultNumbers): ResultNumbers & ArrayBufferView<ArrayBuffer> {
  if (data instanceof Float32Array || data instanceof Float64Array) return toFloat32(data)
  return data.buffer instanceof ArrayBuffer
    ? (data as Uint32Array<ArrayBuffer> | Int32Array<ArrayBuffer>)
    : Uint32Array.from(data)
}
