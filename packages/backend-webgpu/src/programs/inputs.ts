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
import type { ReadyUpload, Write } from '../host/ready-upload.ts'
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

/** Bytes of the arrays that are too large to be written without waiting. */
export function largeInputs(inputs: readonly string[], bindings: Bindings): number {
  const bytes = inputs.map((key) => 4 * inputOf(bindings, key).length)
  return bytes.filter((one) => one > largeBytes).reduce((sum, one) => sum + one, 0)
}

/**
 * Uploads the caller's arrays, which the device takes before any work that is submitted afterwards. Large arrays are written
 * through `upload`, if it is ready. Otherwise the promise is for them; all others are taken when this returns.
 */
export function writeInputs(
  host: GpuHost,
  inputs: readonly string[],
  bindings: Bindings,
  buffers: Buffers,
  lease: Lease,
  upload?: ReadyUpload,
): Promise<void> | undefined {
  const large: Write[] = []
  for (const key of inputs) {
    const [data, into] = [inputOf(bindings, key), buffers.get(key)]
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
