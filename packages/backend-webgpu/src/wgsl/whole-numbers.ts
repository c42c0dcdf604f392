/**
 * Whole numbers as numbers of the device, in WGSL: what a program gives as integers, a sequence keeps as float32, so that
 * the next stage, or who reads the array, finds numbers in every array.
 *
 * @module
 */
import type { ScalarType, Shader } from './shader.ts'
import { shader } from './shader.ts'

const workgroup = 64

/** The largest number up to which float32 holds all whole ones. */
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
  return shader(
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
