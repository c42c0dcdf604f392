// maps in order: velocity; velocity; position (workgroup 64)
struct Run {
  count: u32, // points
  map0_p0: f32, // h
  map1_p0: f32, // h
  map2_p0: f32, // h
}
@group(0) @binding(0) var<uniform> run: Run;
@group(0) @binding(1) var<storage, read_write> array_1: array<f32>;
@group(0) @binding(2) var<storage, read> array_2: array<f32>;
@group(0) @binding(3) var<storage, read_write> array_0: array<f32>;

@compute @workgroup_size(64)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  let p = (group.x + group.z * groups.x) * 64u + lane;
  if (p >= run.count) { return; }
  let map0_in0 = array_2[3u * p + 0u];
  let map0_in1 = array_2[3u * p + 1u];
  let map0_in2 = array_2[3u * p + 2u];
  let map0_in3 = array_1[3u * p + 0u];
  let map0_in4 = array_1[3u * p + 1u];
  let map0_in5 = array_1[3u * p + 2u];
  let map0_out0_0 = map0_in3 + run.map0_p0 * map0_in0;
  let map0_out0_1 = map0_in4 + run.map0_p0 * map0_in1;
  let map0_out0_2 = map0_in5 + run.map0_p0 * map0_in2;
  let map1_in0 = array_2[3u * p + 0u];
  let map1_in1 = array_2[3u * p + 1u];
  let map1_in2 = array_2[3u * p + 2u];
  let map1_in3 = map0_out0_0;
  let map1_in4 = map0_out0_1;
  let map1_in5 = map0_out0_2;
  let map1_out0_0 = map1_in3 + run.map1_p0 * map1_in0;
  let map1_out0_1 = map1_in4 + run.map1_p0 * map1_in1;
  let map1_out0_2 = map1_in5 + run.map1_p0 * map1_in2;
  let map2_in0 = array_0[3u * p + 0u];
  let map2_in1 = array_0[3u * p + 1u];
  let map2_in2 = array_0[3u * p + 2u];
  let map2_in3 = map1_out0_0;
  let map2_in4 = map1_out0_1;
  let map2_in5 = map1_out0_2;
  let map2_out0_0 = map2_in0 + run.map2_p0 * map2_in3;
  let map2_out0_1 = map2_in1 + run.map2_p0 * map2_in4;
  let map2_out0_2 = map2_in2 + run.map2_p0 * map2_in5;
  array_1[3u * p + 0u] = map1_out0_0;
  array_1[3u * p + 1u] = map1_out0_1;
  array_1[3u * p + 2u] = map1_out0_2;
  array_0[3u * p + 0u] = map2_out0_0;
  array_0[3u * p + 1u] = map2_out0_1;
  array_0[3u * p + 2u] = map2_out0_2;
}
