/**
 * The sum of an array on the device: one float32 number for every 4096 is read, and added up in float64.
 *
 * @module
 */
import { added } from '@manybody/core/backend'
import { completed } from '../../design/completed.ts'
import type { Shader } from '../../design/shader.ts'
import { wgsl } from '../../design/wgsl.ts'
import { compile, type Pipeline } from './compile.ts'
import type { GpuHost } from './host.ts'
import { type Memory, readStaging } from './memory.ts'

const workgroup = 256
/** Numbers that one invocation adds up. */
const each = 16
/** The most workgroups along one axis that every device allows. */
const mostGroups = 65535

const totalShader: Shader = completed(
  {
    label: 'total of an array',
    resources: [
      { key: 'numbers', access: 'read', type: 'f32' },
      { key: 'sums', access: 'read_write', type: 'f32' },
    ],
    fields: [{ name: 'count', type: 'u32' }],
    workgroup,
    memory: 4 * workgroup,
  },
  wgsl`
var<workgroup> shared_sums: array<f32, ${workgroup}>;

@compute @workgroup_size(${workgroup})
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
  let block = group.x + ${mostGroups}u * group.y;
  let first = ${workgroup * each}u * block + lane;
  var sum = 0.0;
  for (var n = 0u; n < ${each}u; n++) {
    let at = first + ${workgroup}u * n;
    if (at < run.count) { sum += numbers[at]; }
  }
  shared_sums[lane] = sum;
  for (var half = ${workgroup / 2}u; half > 0u; half /= 2u) {
    workgroupBarrier();
    if (lane < half) { shared_sums[lane] += shared_sums[lane + half]; }
  }
  if (lane == 0u && block < arrayLength(&sums)) { sums[block] = shared_sums[0]; }
}
`,
)

const pipelines = new WeakMap<GpuHost, Promise<Pipeline>>()

/** @param length how many numbers of the buffer to add */
export async function totalIn(host: GpuHost, memory: Memory, buffer: GPUBuffer, length: number): Promise<number> {
  if (length === 0) return 0
  host.check()
  const made = pipelines.get(host) ?? compile(host, totalShader)
  pipelines.set(host, made)
  const { pipeline, layout } = await made
  const groups = Math.ceil(length / (workgroup * each))
  const bytes = 4 * groups
  const lease = memory.lease()
  try {
    const [sums, staging] = [await lease.array(bytes), await lease.staging(bytes)]
    const count = await lease.uniform(Uint32Array.of(length, 0, 0, 0).buffer)
    const [numbers, rest] = [{ buffer }, { buffer: sums }]
    await host.guarded('add up device array', () => {
      const entries = [{ buffer: count }, numbers, rest].map((resource, binding) => ({ binding, resource }))
      const encoder = host.device.createCommandEncoder()
      const pass = encoder.beginComputePass()
      pass.setPipeline(pipeline)
      pass.setBindGroup(0, host.device.createBindGroup({ layout, entries }))
      pass.dispatchWorkgroups(Math.min(groups, mostGroups), Math.ceil(groups / mostGroups))
      pass.end()
      encoder.copyBufferToBuffer(sums, 0, staging, 0, bytes)
      host.device.queue.submit([encoder.finish()])
    })
    return added(new Float32Array(await readStaging(host, staging, bytes)))
  } finally {
    lease.release()
  }
}
