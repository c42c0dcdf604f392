/**
 * Dispatches with their arrays bound.
 *
 * @module
 */
import { arrayName, type Dispatch, uniformBytes } from '../../design/shader.ts'
import type { Pipeline } from '../host/compile.ts'
import type { GpuHost } from '../host/host.ts'
import type { Lease } from '../host/memory.ts'

/** Buffers by the keys of shader resources. */
export type BuffersByKey = Map<string, GPUBuffer>

export function bufferOf(buffers: BuffersByKey, key: string): GPUBuffer {
  const buffer = buffers.get(key)
  if (!buffer) throw new Error(`no buffer for ${arrayName(key)}`)
  return buffer
}

/** A dispatch with its arrays bound. */
export interface BoundDispatch {
  readonly pipeline: Pipeline
  readonly group: GPUBindGroup
  readonly size: Dispatch['size']
}

/** The arrays of a dispatch. */
export interface Arrays {
  /** Buffers of inputs and results. */
  readonly buffers: BuffersByKey
  readonly lease: Lease
  /** Where the uniform block of a dispatch goes; by default, into a buffer that holds nothing else. */
  readonly uniforms?: (block: ArrayBuffer) => GPUBufferBinding
}

/** Binds the arrays of a dispatch and its uniform block. */
export async function bound(
  host: GpuHost,
  { buffers, lease, uniforms }: Arrays,
  pipeline: Pipeline,
  { values, size }: Pick<Dispatch, 'values' | 'size'>,
): Promise<BoundDispatch> {
  const { label } = pipeline.shader
  const most = host.limits.maxComputeWorkgroupsPerDimension
  if (Math.max(...size) > most)
    throw new RangeError(
      `Cannot dispatch "${label}": needs ${size.join(' x ')} workgroups, device limit is ${most} per dimension; use a plan with a larger workgroup or more targets`,
    )
  const block = uniformBytes(pipeline.shader.fields, values)
  const uniform = uniforms ? uniforms(block) : { buffer: await lease.uniform(block) }
  const entries = pipeline.shader.resources.map(({ key }, index) => {
    const buffer = bufferOf(buffers, key)
    if (buffer.size > host.limits.maxStorageBufferBindingSize)
      throw new RangeError(
        `Cannot bind ${arrayName(key)} of "${label}": ${buffer.size} bytes, device limit is ${host.limits.maxStorageBufferBindingSize}; compute fewer targets at a time`,
      )
    return { binding: index + 1, resource: { buffer } }
  })
  const group = host.device.createBindGroup({
    layout: pipeline.layout,
    entries: [{ binding: 0, resource: uniform }, ...entries],
  })
  return { pipeline, group, size }
}

/** Encodes dispatches into a pass. */
export function encode(pass: GPUComputePassEncoder, dispatches: readonly BoundDispatch[]): void {
  for (const { pipeline, group, size } of dispatches) {
    pass.setPipeline(pipeline.pipeline)
    pass.setBindGroup(0, group)
    // Each number of a call takes a fifth of its time.
    if (size[1] === 1 && size[2] === 1) pass.dispatchWorkgroups(size[0])
    else pass.dispatchWorkgroups(size[0], size[1], size[2])
  }
}
