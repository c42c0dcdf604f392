/**
 * What every program of this backend is made of, whatever its loop: the arrays it binds and gives, and its work as
 * steps that may each be submitted alone. `gpu-program.ts` runs recipes, `sequence.ts` strings them together.
 *
 * @module
 */
import type { Bindings, DeviceBuffer, FloatArray, Report, RunOptions } from '@manybody/core'
import type { Pipeline } from './compile.ts'
import type { GpuHost } from './gpu-host.ts'
import type { Lease } from './memory.ts'
import { arrayName, uniformBytes } from './shader.ts'

/** Buffers by the keys of shader resources. */
export type Buffers = Map<string, GPUBuffer>

export interface Dispatch {
  readonly pipeline: Pipeline
  readonly group: GPUBindGroup
  readonly size: readonly [number, number, number]
}

/** Numbers `[at, at + length)` of a result, which stand at the start of its buffer after a step. */
interface Read {
  readonly name: string
  readonly at: number
  readonly length: number
}

export interface Step {
  readonly dispatches: readonly Dispatch[]
  readonly interactions: number
  /** Fraction of the work done after this step; the last one says 1. */
  readonly done: number
  readonly reads: readonly Read[]
}

export interface ResultArray {
  readonly name: string
  readonly type: 'f32' | 'u32' | 'i32'
  readonly length: number
  /** Numbers that the device holds at a time. */
  readonly held: number
  /** Of whole numbers, the largest that it may hold. */
  readonly most?: number
}

export interface StepContext {
  readonly host: GpuHost
  readonly bindings: Bindings
  readonly options: RunOptions
  /** Inputs and results, filled in. */
  readonly buffers: Buffers
  readonly lease: Lease
  /** Interactions that fit the time of one submission, as far as is known. */
  readonly budget: () => number
}

export interface Recipe {
  readonly variant: string
  readonly accumulation: Report['accumulation']
  /** Keys of the arrays it reads. */
  readonly inputs: readonly string[]
  readonly results: (bindings: Bindings, options: RunOptions, whole: boolean) => readonly ResultArray[]
  readonly interactions: (bindings: Bindings, options: RunOptions) => number
  /** What the parameters of a run ask for beyond what was compiled. */
  readonly ready: (bindings: Bindings) => Promise<void>
  /** The same recipe with results written over inputs, by name of both; loops that read other elements have none. */
  readonly inPlace?: (names: ReadonlyMap<string, string>) => Promise<Recipe>
  readonly steps: (context: StepContext, results: readonly ResultArray[]) => AsyncIterable<Step>
}

/** The array that belongs to a key. */
export function inputOf(bindings: Bindings, key: string): FloatArray | Uint32Array | DeviceBuffer {
  const [set = '', name = ''] = key.split('.')
  const data =
    set === 'exclusions'
      ? bindings.exclusions?.[name as 'offsets' | 'sources']
      : (set === 'sources' ? bindings.sources : bindings.targets).arrays[name]
  if (data === undefined) throw new TypeError(`"${name}" expected an array among the ${set}, got none`)
  return data
}

/** A dispatch with its own uniform block. */
export async function dispatchOf(
  context: StepContext,
  pipeline: Pipeline,
  values: Readonly<Record<string, number>>,
  size: readonly [number, number, number],
): Promise<Dispatch> {
  const { host, buffers, lease } = context
  const { label } = pipeline.shader
  const most = host.limits.maxComputeWorkgroupsPerDimension
  if (Math.max(...size) > most)
    throw new RangeError(
      `Cannot dispatch "${label}": needs ${size.join(' x ')} workgroups, device limit is ${most} a dimension; ask for a larger workgroup or more targets`,
    )
  const uniform = await lease.uniform(uniformBytes(pipeline.shader.fields, values))
  const entries = pipeline.shader.resources.map(({ key }, index) => {
    const buffer = buffers.get(key)
    if (!buffer) throw new Error(`no buffer for ${arrayName(key)}`)
    if (buffer.size > host.limits.maxStorageBufferBindingSize)
      throw new RangeError(
        `Cannot bind ${arrayName(key)} of "${label}": ${buffer.size} bytes, device limit is ${host.limits.maxStorageBufferBindingSize}; compute fewer targets at a time`,
      )
    return { binding: index + 1, resource: { buffer } }
  })
  const group = host.device.createBindGroup({
    layout: pipeline.layout,
    entries: [{ binding: 0, resource: { buffer: uniform } }, ...entries],
  })
  return { pipeline, group, size }
}

/** Encodes dispatches into a pass. */
export function encode(pass: GPUComputePassEncoder, dispatches: readonly Dispatch[]): void {
  for (const { pipeline, group, size } of dispatches) {
    pass.setPipeline(pipeline.pipeline)
    pass.setBindGroup(0, group)
    pass.dispatchWorkgroups(...size)
  }
}

/** The number of groups along x, and along z what is beyond 65535. */
export function spread(groups: number): readonly [x: number, z: number] {
  const x = Math.min(groups, 65535)
  return [x, Math.ceil(groups / Math.max(1, x))]
}
