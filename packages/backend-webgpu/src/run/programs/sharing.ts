/**
 * The shared arrays of a dispatch on the device. Dispatches copy the numbers of the arrays into them, and results out of them.
 *
 * @module
 */
import { completed } from '../../design/completed.ts'
import type { Shader } from '../../design/shader.ts'
import { firstField } from '../../design/shared-arrays.ts'
import { spread } from '../../design/spread.ts'
import { wgsl } from '../../design/wgsl.ts'
import type { GpuHost } from '../host/host.ts'
import type { Arrays, BoundDispatch, bound, bufferOf } from './bound.ts'
import type { pipelineOf } from './pipelines.ts'

const workgroup = 256

/** Copies whole words, because a device may change the bits of float32 numbers. */
const copyShader: Shader = completed(
  {
    label: 'copy between arrays',
    resources: [
      { key: 'numbers', access: 'read', type: 'u32' },
      { key: 'copies', access: 'read_write', type: 'u32' },
    ],
    fields: [
      { name: 'first', type: 'u32' },
      { name: 'copy', type: 'u32' },
      { name: 'count', type: 'u32' },
    ],
    workgroup,
  },
  wgsl`
@compute @workgroup_size(${workgroup})
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let n = id.x + id.z * groups.x * ${workgroup}u;
  if (n < run.count) { copies[run.copy + n] = numbers[run.first + n]; }
}
`,
)

export interface SharedCopies {
  /** Where each part begins, by the fields of the shader. */
  readonly firsts: Readonly<Record<string, number>>
  readonly before: readonly BoundDispatch[]
  readonly after: readonly BoundDispatch[]
}

/** How a dispatch gets its pipeline and its arrays. Programs have loaded this code before. */
interface Binding {
  readonly pipelineOf: typeof pipelineOf
  readonly bound: typeof bound
  readonly bufferOf: typeof bufferOf
}

/** Adds the shared arrays to the buffers of a run. Inputs stay the same in a run, so the first dispatch copies them for all others. */
export async function sharing(
  host: GpuHost,
  { buffers, lease }: Pick<Arrays, 'buffers' | 'lease'>,
  { resources }: Shader,
  { pipelineOf, bound, bufferOf }: Binding,
): Promise<SharedCopies> {
  const firsts: Record<string, number> = {}
  const [before, after]: [BoundDispatch[], BoundDispatch[]] = [[], []]
  const pipeline = await pipelineOf(host, copyShader)
  const copy = (
    numbers: GPUBuffer,
    copies: GPUBuffer,
    values: Readonly<Record<'first' | 'copy' | 'count', number>>,
  ) => {
    const [x, z] = spread(Math.ceil(values.count / workgroup))
    const arrays = new Map(Object.entries({ numbers, copies }))
    return bound(host, { buffers: arrays, lease }, pipeline, { values, size: [x, 1, z] })
  }
  for (const { key, parts, access } of resources) {
    if (!parts) continue
    const arrays = parts.map((part) => bufferOf(buffers, part))
    const known = access === 'read' ? buffers.get(parts.join()) : undefined
    const whole = known ?? (await lease.array(arrays.reduce((sum, { size }) => sum + size, 0)))
    buffers.set(key, whole).set(parts.join(), whole)
    let first = 0
    for (const [n, array] of arrays.entries()) {
      const count = array.size / 4
      firsts[firstField(key, n)] = first
      if (!known) before.push(await copy(array, whole, { first: 0, copy: first, count }))
      if (access !== 'read') after.push(await copy(whole, array, { first, copy: 0, count }))
      first += count
    }
  }
  return { firsts, before, after }
}
