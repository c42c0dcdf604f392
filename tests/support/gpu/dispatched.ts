// Runs dispatches of a design by themselves, on arrays from a test, and reads an array back.

import type { Dispatch, Shader } from '../../../packages/backend-webgpu/src/design/shader.ts'
import { compile, type Pipeline } from '../../../packages/backend-webgpu/src/run/host/compile.ts'
import type { GpuHost } from '../../../packages/backend-webgpu/src/run/host/host.ts'
import { createMemory, readStaging } from '../../../packages/backend-webgpu/src/run/host/memory.ts'
import { bind } from '../../../packages/backend-webgpu/src/run/programs/bind.ts'
import { type BoundDispatch, encode } from '../../../packages/backend-webgpu/src/run/programs/bound.ts'

/** The initial content of an array, or its number of words. */
export type Given = Uint32Array<ArrayBuffer> | Float32Array<ArrayBuffer> | number

const pipelines = new WeakMap<GpuHost, WeakMap<Shader, Promise<Pipeline>>>()

/** The pipeline of a shader. Files of tests share a process and shaders, and each opens a device. */
function pipelineOf(host: GpuHost, shader: Shader): Promise<Pipeline> {
  const own = pipelines.get(host) ?? new WeakMap<Shader, Promise<Pipeline>>()
  pipelines.set(host, own)
  const pipeline = own.get(shader) ?? compile(host, shader)
  own.set(shader, pipeline)
  return pipeline
}

/** The words of the array `name` after the dispatches. */
export async function wordsAfter(
  host: GpuHost,
  dispatches: readonly Dispatch[],
  arrays: Readonly<Record<string, Given>>,
  name: string,
  length: number,
): Promise<Uint32Array<ArrayBuffer>> {
  const memory = createMemory(host)
  const lease = memory.lease()
  const buffers = new Map<string, GPUBuffer>()
  for (const [key, given] of Object.entries(arrays)) {
    const buffer = await lease.array(typeof given === 'number' ? 4 * given : given.byteLength)
    if (typeof given !== 'number' && given.length > 0) host.device.queue.writeBuffer(buffer, 0, given)
    buffers.set(key, buffer)
  }
  const bound: BoundDispatch[] = []
  for (const dispatch of dispatches) {
    const pipeline = await pipelineOf(host, dispatch.shader)
    bound.push(...(await bind(host, { buffers, lease }, pipeline, dispatch)))
  }
  const staging = await lease.staging(4 * length)
  await host.guarded('run', () => {
    const encoder = host.device.createCommandEncoder()
    const pass = encoder.beginComputePass()
    encode(pass, bound)
    pass.end()
    encoder.copyBufferToBuffer(buffers.get(name) as GPUBuffer, 0, staging, 0, 4 * length)
    host.device.queue.submit([encoder.finish()])
  })
  const words = new Uint32Array(await readStaging(host, staging, 4 * length))
  lease.release()
  memory.dispose()
  return words
}
