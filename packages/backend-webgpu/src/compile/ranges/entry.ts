/**
 * The entry point of the shaders that put points in order, in WGSL.
 *
 * @module
 */
import { wgsl } from '../../design/wgsl.ts'

/** The entry point with this body. It knows `group`, its place among the `groups`, and `lane`, the number of the invocation. */
export const entry = (workgroup: number, body: string): string => wgsl`@compute @workgroup_size(${workgroup})
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  ${body}
}
`
