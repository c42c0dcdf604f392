/**
 * The sum of an array on the device: one float32 number for every 4096 is read, and added up in float64.
 *
 * @module
 */
import { added } from '@manybody/core/backend'
import { completed } from '../../design/completed.ts'
import type { Shader } from '../../design/shader.ts'
import { wgsl } from '../../design/wgsl.ts'
import type { GpuHost } from './host.ts'
import type { Memory } from './memory.ts'
import { mostGroups, readPass } from './read-pass.ts'

const workgroup = 256
/** Numbers that one invocation adds up. */
const each = 16

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

/** @param length how many numbers of the buffer to add */
export async function totalIn(host: GpuHost, memory: Memory, numbers: GPUBuffer, length: number): Promise<number> {
  if (length === 0) return 0
  const groups = Math.ceil(length / (workgroup * each))
  const sums = await readPass(host, memory, {
    ...{ action: 'add up device array', shader: totalShader, numbers, groups },
    ...{ values: [length], bytes: 4 * groups },
  })
  return added(new Float32Array(sums))
}
