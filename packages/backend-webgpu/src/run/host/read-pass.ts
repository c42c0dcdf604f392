/**
 * One pass of a shader over an array of the device, and its result on the host. The shader binds the array and a result.
 *
 * @module
 */
import type { Shader } from '../../design/shader.ts'
import { compile, type Pipeline } from './compile.ts'
import type { GpuHost } from './host.ts'
import { type Memory, readStaging } from './memory.ts'

interface ReadPass {
  /** What it does, for errors. */
  readonly action: string
  readonly shader: Shader
  readonly numbers: GPUBuffer
  /** The numbers of the uniform block. */
  readonly values: readonly number[]
  readonly groups: number
  /** The size of the result, which is zero at first. */
  readonly bytes: number
}

/** The most workgroups along one axis that every device allows. */
export const mostGroups = 65535

const pipelines = new WeakMap<GpuHost, Map<Shader, Promise<Pipeline>>>()

function pipelineOf(host: GpuHost, shader: Shader): Promise<Pipeline> {
  const known = pipelines.get(host) ?? new Map<Shader, Promise<Pipeline>>()
  pipelines.set(host, known)
  const made = known.get(shader) ?? compile(host, shader)
  known.set(shader, made)
  return made
}

export async function readPass(host: GpuHost, memory: Memory, pass: ReadPass): Promise<ArrayBuffer> {
  host.check()
  const { action, numbers, values, groups, bytes } = pass
  const { pipeline, layout } = await pipelineOf(host, pass.shader)
  const lease = memory.lease()
  try {
    const [result, staging] = [await lease.array(bytes), await lease.staging(bytes)]
    const uniform = await lease.uniform(Uint32Array.of(...values, ...new Array(4 - values.length).fill(0)).buffer)
    await host.guarded(action, () => {
      const entries = [uniform, numbers, result].map((buffer, binding) => ({ binding, resource: { buffer } }))
      const encoder = host.device.createCommandEncoder()
      encoder.clearBuffer(result, 0, bytes)
      const compute = encoder.beginComputePass()
      compute.setPipeline(pipeline)
      compute.setBindGroup(0, host.device.createBindGroup({ layout, entries }))
      compute.dispatchWorkgroups(Math.min(groups, mostGroups), Math.ceil(groups / mostGroups))
      compute.end()
      encoder.copyBufferToBuffer(result, 0, staging, 0, bytes)
      host.device.queue.submit([encoder.finish()])
    })
    return await readStaging(host, staging, bytes)
  } finally {
    lease.release()
  }
}
