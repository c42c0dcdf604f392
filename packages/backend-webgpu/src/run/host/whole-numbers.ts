/**
 * Converts integers to float32, in WGSL. Some programs have integer results; a sequence converts them, so that every array
 * between its stages holds float32.
 *
 * @module
 */
import { completed } from '../../design/completed.ts'
import type { ScalarType, Shader } from '../../design/shader.ts'

const workgroup = 256
/** Numbers of an invocation: on cards, starting a workgroup takes longer than reading a few more numbers. */
const each = 8

/** Float32 holds every whole number up to this one. */
export const mostWhole: number = 2 ** 24

export const wholeGroups = (count: number): number => Math.ceil(count / (workgroup * each))

export function wholeNumbers(type: ScalarType): Shader {
  const body = `@compute @workgroup_size(${workgroup})
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  let first = (group.x + group.z * groups.x) * ${workgroup * each}u + lane;
  for (var n = 0u; n < ${each}u; n++) {
    let at = first + ${workgroup}u * n;
    if (at < run.count) { numbers[at] = f32(whole[at]); }
  }
}
`
  return completed(
    {
      label: `${type} as numbers`,
      resources: [
        { key: 'whole', access: 'read', type },
        { key: 'numbers', access: 'read_write', type: 'f32' },
      ],
      fields: [{ name: 'count', type: 'u32' }],
      workgroup,
    },
    body,
  )
}
