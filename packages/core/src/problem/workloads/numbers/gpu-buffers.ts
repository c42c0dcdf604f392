/**
 * Buffers of WebGPU that a caller gives where arrays are expected: their numbers are read before anything is checked.
 *
 * @module
 */
import { hasNames, isGpuBuffer, type Numbers } from '../../../ground/checks.ts'
import { deepCopy } from '../../../ground/deep-copy.ts'

/**
 * A `GPUBuffer` of the engine's device, with float32 numbers. It is described by its members, because core depends on no types of
 * WebGPU. The members that it must not have keep messages about a wrong list to the list.
 */
export interface GivenBuffer {
  readonly size: number
  readonly usage: number
  readonly mapAsync: (...options: never) => unknown
  readonly length?: never
  readonly [Symbol.iterator]?: never
}

/** The members of a device that read a caller's buffers. */
interface BufferReader {
  readonly info: { readonly backend: string }
  readBuffer?(buffer: object, name: string): Promise<Float32Array>
}

/** Numbers of points as a caller may pass them. */
export type ArrayInput = Numbers | GivenBuffer

/**
 * The same data with the numbers of each buffer in its place, and copies of its arrays. Data without buffers are returned as they
 * are. The commands that read are submitted at once, so that later commands of the caller have no effect.
 *
 * @throws TypeError if the device cannot read the buffer
 */
export function withBuffersRead<T>(given: T, device: BufferReader, name = 'particles'): T | Promise<T> {
  if (isGpuBuffer(given)) return read(given, device, name) as Promise<T>
  if (!hasNames(given)) return given
  const parts = Object.entries(given).map(([key, value]) => {
    const set = name === 'particles' && (key === 'targets' || key === 'sources')
    if (set) return [key, value, withBuffersRead(value as unknown, device, key)] as const
    const inner = name === 'particles' ? key : `${name}.${key}`
    return [key, value, isGpuBuffer(value) ? read(value, device, inner) : value] as const
  })
  if (parts.every(([, before, after]) => before === after)) return given
  return Promise.all(
    parts.map(async ([key, before, after]) => [key, await (after === before ? deepCopy(before) : after)]),
  ).then(Object.fromEntries)
}

async function read(buffer: object, device: BufferReader, name: string): Promise<Float32Array> {
  const { backend } = device.info
  if (!device.readBuffer)
    throw new TypeError(
      `"${name}" is a GPUBuffer, which ${backend} cannot read; use webgpu({ device }) with the buffer's device, or pass an array`,
    )
  return device.readBuffer(buffer, name)
}
