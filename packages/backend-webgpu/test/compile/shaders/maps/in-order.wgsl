// maps in order: velocity; velocity; position (workgroup 64)
struct Run {
  count: u32, // points
  zero: u32, // always 0, which no compiler knows
  part0: u32, // whether it runs
  part1: u32, // whether it runs
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
  let number0 = array_2[3u * p + 0u];
  let number1 = array_2[3u * p + 1u];
  let number2 = array_2[3u * p + 2u];
  var number3 = array_1[3u * p + 0u];
  var number4 = array_1[3u * p + 1u];
  var number5 = array_1[3u * p + 2u];
  var number6 = array_0[3u * p + 0u];
  var number7 = array_0[3u * p + 1u];
  var number8 = array_0[3u * p + 2u];
  if (run.part0 != 0u) {
    let map0_in0 = number0;
    let map0_in1 = number1;
    let map0_in2 = number2;
    let map0_in3 = number3;
    let map0_in4 = number4;
    let map0_in5 = number5;
    let map0_out0_0 = map0_in3 + run.map0_p0 * map0_in0;
    let map0_out0_1 = map0_in4 + run.map0_p0 * map0_in1;
    let map0_out0_2 = map0_in5 + run.map0_p0 * map0_in2;
    number3 = bitcast<f32>(bitcast<u32>(map0_out0_0) ^ run.zero);
    number4 = bitcast<f32>(bitcast<u32>(map0_out0_1) ^ run.zero);
    number5 = bitcast<f32>(bitcast<u32>(map0_out0_2) ^ run.zero);
  }
  if (run.part1 != 0u) {
    let map1_in0 = number0;
    let map1_in1 = number1;
    let map1_in2 = number2;
    let map1_in3 = number3;
    let map1_in4 = number4;
    let map1_in5 = number5;
    let map1_out0_0 = map1_in3 + run.map1_p0 * map1_in0;
    let map1_out0_1 = map1_in4 + run.map1_p0 * map1_in1;
    let map1_out0_2 = map1_in5 + run.map1_p0 * map1_in2;
    number3 = bitcast<f32>(bitcast<u32>(map1_out0_0) ^ run.zero);
    number4 = bitcast<f32>(bitcast<u32>(map1_out0_1) ^ run.zero);
    number5 = bitcast<f32>(bitcast<u32>(map1_out0_2) ^ run.zero);
    let map2_in0 = number6;
    let map2_in1 = number7;
    let map2_in2 = number8;
    let map2_in3 = number3;
    let map2_in4 = number4;
    let map2_in5 = number5;
    let map2_out0_0 = map2_in0 + run.map2_p0 * map2_in3;
    let map2_out0_1 = map2_in1 + run.map2_p0 * map2_in4;
    let map2_out0_2 = map2_in2 + run.map2_p0 * map2_in5;
    number6 = bitcast<f32>(bitcast<u32>(map2_out0_0) ^ run.zero);
    number7 = bitcast<f32>(bitcast<u32>(map2_out0_1) ^ run.zero);
    number8 = bitcast<f32>(bitcast<u32>(map2_out0_2) ^ run.zero);
  }
  array_1[3u * p + 0u] = number3;
  array_1[3u * p + 1u] = number4;
  array_1[3u * p + 2u] = number5;
  array_0[3u * p + 0u] = number6;
  array_0[3u * p + 1u] = number7;
  array_0[3u * p + 2u] = number8;
}
