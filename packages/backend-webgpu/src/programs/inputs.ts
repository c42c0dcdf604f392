/**
 * The inputs of a run on the device.
 *
 * @module
 */
import type { Bindings, FloatArray } from '@manybody/core'
import type { ProgramDesign } from '../designs/design.ts'
import { GpuArray } from '../host/buffer.ts'
import type { GpuHost } from '../host/host.ts'
import { type Lease, toFloat32 } from '../host/memory.ts'
import { largeBytes, writeInParts } from '../host/write-in-parts.ts'
import { writeBytes } from '../quirks/empty-write.ts'
import { type Buffers, inputOf } from './compiled.ts'
import type { ResultNumbers } from './submission.ts'

/** The inputs of a design on the device. Device arrays of the caller are used in place; others are uploaded. */
export async function uploadInputs(
  host: GpuHost,
  { inputs }: ProgramDesign,
  bindings: Bindings,
  lease: Lease,
): Promise<Buffers> {
  const buffers: Buffers = new Map()
  for (const key of inputs) {
    const data = inputOf(bindings, key)
    if (data instanceof GpuArray) buffers.set(key, data.buffer)
    else if (ArrayBuffer.isView(data)) buffers.set(key, await lease.array(4 * data.length))
    else
      throw new TypeError(`"${key}" expected a typed array or a buffer of this device, got a buffer of another device`)
  }
  await writeInputs(host, inputs, bindings, buffers, lease)
  return buffers
}

/** Uploads the caller's arrays, which the device takes before any work that is submitted afterwards. */
export async function writeInputs(
  host: GpuHost,
  inputs: readonly string[],
  bindings: Bindings,
  buffers: Buffers,
  lease: Lease,
): Promise<void> {
  for (const key of inputs) {
    const [data, buffer] = [inputOf(bindings, key), buffers.get(key)]
    if (!buffer || !ArrayBuffer.isView(data)) continue
    const bytes = bytesOf(data)
    if (bytes.byteLength > largeBytes) await writeInParts(host, bytes, buffer, lease)
    else writeBytes(host.device.queue, buffer, bytes)
  }
}

export function bytesOf(data: FloatArray | ResultNumbers): ResultNumbers & ArrayBufferView<ArrayBuffer> {
  if (data instanceof Float32Array || data instanceof Float64Array) return toFloat32(data)
  return data.buffer instanceof ArrayBuffer
    ? (data as Uint32Array<ArrayBuffer> | Int32Array<ArrayBuffer>)
    : Uint32Array.from(data)
}
