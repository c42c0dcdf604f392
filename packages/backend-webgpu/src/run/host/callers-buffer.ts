/**
 * Reads a buffer that a caller owns, and leaves it as it is. It may have the wrong size or usage.
 *
 * @module
 */
import { DeviceLostError } from '@manybody/core/backend'
import type { GpuHost } from './host.ts'
import { copySource, destroyBuffer, readStaging, stagingUsage } from './memory.ts'

/**
 * The float32 numbers of a buffer. The command that copies them is submitted at once.
 *
 * @throws TypeError if it cannot be copied on this device
 */
export async function readCallersBuffer(host: GpuHost, buffer: GPUBuffer, name: string): Promise<Float32Array> {
  const { size } = buffer
  if (!(buffer.usage & copySource))
    throw new TypeError(
      `"${name}" expected a GPUBuffer that can be copied, got usage 0x${buffer.usage.toString(16)}; create it with GPUBufferUsage.COPY_SRC`,
    )
  if (size % 4 !== 0 || size === 0)
    throw new RangeError(`"${name}" expected a GPUBuffer of float32 numbers, 4 bytes each, got ${size} bytes`)
  if (size > host.limits.maxBufferSize)
    throw new RangeError(
      `"${name}" expected a GPUBuffer of at most ${host.limits.maxBufferSize} bytes, which this device allows, got ${size}`,
    )
  let staging: GPUBuffer | undefined
  const created = host.guarded(`read "${name}"`, () => {
    staging = host.device.createBuffer({ label: `copy of "${name}"`, size, usage: stagingUsage })
    host.buffers.add(staging)
  })
  // A validation error of the copy is about the caller's buffer: nothing else in it can be wrong.
  const copied = host.guarded(`copy "${name}"`, () => {
    const encoder = host.device.createCommandEncoder()
    encoder.copyBufferToBuffer(buffer, 0, staging as GPUBuffer, 0, size)
    host.device.queue.submit([encoder.finish()])
  }, ['validation'])
  const [made, done] = await Promise.allSettled([created, copied])
  try {
    if (made.status === 'rejected') throw made.reason
    if (done.status === 'rejected') throw refused(done.reason, name)
    return new Float32Array(await readStaging(host, staging as GPUBuffer, size))
  } finally {
    if (staging) destroyBuffer(host, staging)
  }
}

const refused = (cause: unknown, name: string): unknown =>
  cause instanceof DeviceLostError
    ? cause
    : new TypeError(
        `"${name}" expected a GPUBuffer of the engine's device, neither mapped nor destroyed; share the device with webgpu({ device }). ${(cause as Error).message}`,
        { cause },
      )
