// cell index: index, direct (workgroup 64)
struct Run {
  count: u32, // points
  p0: f32, // 1 / spacingX
  p1: f32, // -originX
  p2: f32, // 1 / spacingY
  p3: f32, // -originY
  p4: f32, // 1 / spacingZ
  p5: f32, // -originZ
}
@group(0) @binding(0) var<uniform> run: Run;
@group(0) @binding(1) var<storage, read> points_position: array<f32>;
@group(0) @binding(2) var<storage, read_write> result_index: array<i32>;

@compute @workgroup_size(64)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  // The first point of this workgroup, and the point of this invocation.
  let first = (group.x + group.z * groups.x) * 64u;
  let p = first + lane;
  if (p >= run.count) { return; }
  let in0 = points_position[3u * p + 0u];
  let in1 = points_position[3u * p + 1u];
  let in2 = points_position[3u * p + 2u];
  let e0 = floor(run.p0 * (run.p1 + in0));
  let e1 = floor(run.p2 * (run.p3 + in1));
  let e2 = floor(run.p4 * (run.p5 + in2));
  let cell_0 = ((i32(e0 - 3.0 * floor(0.3333333333333333 * e0)) % 3) + 3) % 3;
  let cell_1 = ((i32(e1 - 4.0 * floor(0.25 * e1)) % 4) + 4) % 4;
  let cell_2 = ((i32(e2 - 5.0 * floor(0.2 * e2)) % 5) + 5) % 5;
  result_index[p] = cell_0 + 3 * (cell_1 + 4 * (cell_2));
}
