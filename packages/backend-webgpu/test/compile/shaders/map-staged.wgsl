// map: position, staged (workgroup 64)
struct Run {
  count: u32, // points
  p0: f32, // dt
}
@group(0) @binding(0) var<uniform> run: Run;
@group(0) @binding(1) var<storage, read> points_position: array<f32>;
@group(0) @binding(2) var<storage, read> points_velocity: array<f32>;
@group(0) @binding(3) var<storage, read_write> result_position: array<f32>;

var<workgroup> staged0: array<f32, 192>;
var<workgroup> staged1: array<f32, 192>;
@compute @workgroup_size(64)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  // The first point of this workgroup, and the point of this invocation.
  let first = (group.x + group.z * groups.x) * 64u;
  let p = first + lane;
  // Neighbouring invocations load neighbouring numbers, whichever point these belong to.
  for (var at = lane; at < 192u; at += 64u) {
    if (3u * first + at < 3u * run.count) {
      staged0[at] = points_position[3u * first + at];
      staged1[at] = points_velocity[3u * first + at];
    }
  }
  workgroupBarrier();
  if (p >= run.count) { return; }
  let in0 = staged0[3u * lane + 0u];
  let in1 = staged0[3u * lane + 1u];
  let in2 = staged0[3u * lane + 2u];
  let in3 = staged1[3u * lane + 0u];
  let in4 = staged1[3u * lane + 1u];
  let in5 = staged1[3u * lane + 2u];
  let out0_0 = in0 + run.p0 * in3;
  let out0_1 = in1 + run.p0 * in4;
  let out0_2 = in2 + run.p0 * in5;
  result_position[3u * p + 0u] = out0_0;
  result_position[3u * p + 1u] = out0_1;
  result_position[3u * p + 2u] = out0_2;
}
