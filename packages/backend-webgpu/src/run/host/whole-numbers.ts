/**
 * Converts integers to float32, in WGSL. Some programs have integer results; a sequence converts them, so that every array
 * between its stages holds float32.
 *
 * @module
 */
import { completed } from '../../design/completed.ts'
import type { ScalarType, Shader } from '../../design/shader.ts'

const workgroup = 64

/** Float32 holds every whole number up to this one. */
export const mostWhole: number = 2 ** 24

export const wholeGroups = (count: number): number => Math.ceil(count / workgroup)

export function wholeNumbers(type: ScalarType): Shader {
  const body = `@compute @workgroup_size(${workgroup})
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  let at = (group.x + group.z * groups.x) * ${workgroup}u + lane;
  if (at < run.count) { numbers[at] = f32(whole[at]); }
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
