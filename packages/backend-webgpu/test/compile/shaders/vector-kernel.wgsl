// exp(-sqdist(x_i, x_j))*vector(b_j), vector of 10
struct Run {
  targetFirst: u32, // targets [targetFirst, targetFirst + targetCount)
  targetCount: u32,
  sourceFirst: u32, // sources [sourceFirst, sourceLast)
  sourceLast: u32,
  chunk: u32, // number of sources of one workgroup
  parts: u32, // number of parts into which the grid splits the sources
  carry: u32, // 1 if the results contain earlier ones to continue from
}
@group(0) @binding(0) var<uniform> run: Run;
@group(0) @binding(1) var<storage, read> points_x: array<f32>;
@group(0) @binding(2) var<storage, read> points_b: array<f32>;
@group(0) @binding(3) var<storage, read_write> partial: array<f32>;
@group(0) @binding(4) var<storage, read_write> result_value: array<f32>;

fn sum_fold0(i: u32, j: u32) -> f32 {
  var sum = 0.0;
  for (var first = 0u; first < 10u; first += 8u) {
    var part = 0.0;
    for (var k = first; k < min(first + 8u, 10u); k++) {
      let x_i = points_x[10u * i + k];
      let x_j = points_x[10u * j + k];
      let e0 = x_i - x_j;
      part += e0 * e0;
    }
    sum += part;
  }
  return sum;
}
var<workgroup> tile0: array<vec2f, 32>;
var<workgroup> numbers0: array<f32, 1632>;
var<workgroup> kept: array<u32, 1632>;
fn source_number0(j: u32, k: u32) -> f32 {
  let b_j = points_b[10u * j + k];
  let part_s0 = b_j;
  return part_s0;
}
fn component(pair0: f32, part_s0: f32) -> f32 {
  return part_s0 * pair0;
}
fn write(at: u32, k: u32, part: u32, sum: f32) {
  if (at >= run.targetCount || k >= 10u) { return; }
  let place = at * 10u + k;
  if (run.parts > 1u) {
    partial[part * run.targetCount * 10u + place] = sum;
  } else {
    result_value[place] = select(0.0, result_value[place], run.carry == 1u) + sum;
  }
}
@compute @workgroup_size(256)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  let part = group.y % run.parts;
  let firstSource = run.sourceFirst + part * run.chunk;
  let lastSource = min(firstSource + run.chunk, run.sourceLast);
  let firstTarget = (group.x + group.z * groups.x) * 51u;
  // The target of this invocation when it computes numbers of pairs.
  let member = lane % 51u;
  let i_0 = run.targetFirst + min(firstTarget + member, run.targetCount - 1u);
  let computes = lane < 255u && firstTarget + member < run.targetCount;
  // Its targets and components when it adds up. Neighbours have neighbouring components.
  let ofLane = lane / 5u * 1u;
  let first = firstTarget + ofLane;
  let adds = lane < 255u && first < run.targetCount;
  let firstComponent = group.y / run.parts * 10u + lane % 5u;
  let k_0 = firstComponent;
  let k_1 = firstComponent + 5u;
  let at_0 = min(k_0, 9u);
  let at_1 = min(k_1, 9u);
  var total_0_0 = 0.0;
  var total_0_1 = 0.0;
  for (var start = firstSource; start < lastSource; start += 32u) {
    let count = min(32u, lastSource - start);
    if (lane < count) {
      let j = start + lane;
      tile0[lane] = vec2f(0.0, 0.0);
    }
    workgroupBarrier();
    if (computes) {
      for (var at = lane / 51u; at < count; at += 5u) {
        let j = start + at;
        let place = at * 51u + member;
        let source = tile0[at];
        let fold0 = sum_fold0(i_0, j);
        numbers0[place] = exp(-fold0);
        kept[place] = select(0u, 1u, j != i_0);
      }
    }
    workgroupBarrier();
    if (adds) {
      var sum_0_0 = 0.0;
      var sum_0_1 = 0.0;
      for (var at = 0u; at < count; at++) {
        let place = at * 51u + ofLane;
        let source0_0 = source_number0(start + at, at_0);
        let source0_1 = source_number0(start + at, at_1);
        if (kept[place] != 0u) {
          let pair0 = numbers0[place];
          sum_0_0 += component(pair0, source0_0);
          sum_0_1 += component(pair0, source0_1);
        }
      }
      total_0_0 += sum_0_0;
      total_0_1 += sum_0_1;
    }
  }
  if (adds) {
    write(first, k_0, part, total_0_0);
    write(first, k_1, part, total_0_1);
  }
}
