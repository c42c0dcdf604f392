// q_j*norm(x_j)*abs(vector(g*(b_j - b_i))), vector of 3
struct Run {
  targetFirst: u32, // targets [targetFirst, targetFirst + targetCount)
  targetCount: u32,
  sourceFirst: u32, // sources [sourceFirst, sourceLast)
  sourceLast: u32,
  chunk: u32, // number of sources of one workgroup
  parts: u32, // number of parts into which the grid splits the sources
  carry: u32, // 1 if the results contain earlier ones to continue from
  number0: f32,
}
@group(0) @binding(0) var<uniform> run: Run;
@group(0) @binding(1) var<storage, read> points_b: array<f32>;
@group(0) @binding(2) var<storage, read> points_q: array<f32>;
@group(0) @binding(3) var<storage, read> points_x: array<f32>;
@group(0) @binding(4) var<storage, read> exclusions_offsets: array<u32>;
@group(0) @binding(5) var<storage, read> exclusions_sources: array<u32>;
@group(0) @binding(6) var<storage, read> tables_numbers: array<f32>;
@group(0) @binding(7) var<storage, read_write> partial: array<f32>;
@group(0) @binding(8) var<storage, read_write> result_value: array<f32>;

fn sum_fold0(j: u32) -> f32 {
  var sum = 0.0;
  for (var first = 0u; first < 3u; first += 8u) {
    var part = 0.0;
    for (var k = first; k < min(first + 8u, 3u); k++) {
      let x_j = points_x[3u * j + k];
      part += x_j * x_j;
    }
    sum += part;
  }
  return sum;
}
var<workgroup> tile0: array<vec2f, 16>;
var<workgroup> numbers0: array<f32, 1024>;
var<workgroup> kept: array<u32, 1024>;
fn listed(j: u32, i: u32) -> bool {
  var first = exclusions_offsets[i];
  let end = exclusions_offsets[i + 1u];
  var last = end;
  while (first < last) {
    let middle = (first + last) / 2u;
    if (exclusions_sources[middle] < j) { first = middle + 1u; } else { last = middle; }
  }
  return first < end && exclusions_sources[first] == j;
}
fn target_number0(i: u32, k: u32) -> f32 {
  let b_i = points_b[3u * i + k];
  let given0 = tables_numbers[u32(run.number0) + k];
  let part_p0 = given0;
  let part_t0 = -b_i;
  return part_t0;
}
fn source_number0(j: u32, k: u32) -> f32 {
  let b_j = points_b[3u * j + k];
  let given0 = tables_numbers[u32(run.number0) + k];
  let part_p0 = given0;
  let part_s0 = b_j;
  return part_s0;
}
fn component(pair0: f32, part_t0: f32, part_s0: f32, given0: f32) -> f32 {
  let part_p0 = given0;
  return abs(part_p0 * (part_s0 + part_t0)) * pair0;
}
fn write(at: u32, k: u32, part: u32, sum: f32) {
  if (at >= run.targetCount || k >= 3u) { return; }
  let place = at * 3u + k;
  if (run.parts > 1u) {
    partial[part * run.targetCount * 3u + place] = sum;
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
  let firstTarget = (group.x + group.z * groups.x) * 64u;
  // The target of this invocation when it computes numbers of pairs.
  let member = lane % 64u;
  let i_0 = run.targetFirst + min(firstTarget + member, run.targetCount - 1u);
  let computes = lane < 256u && firstTarget + member < run.targetCount;
  // Its targets and components when it adds up. Neighbours have neighbouring components.
  let ofLane = lane / 3u * 1u;
  let first = firstTarget + ofLane;
  let adds = lane < 192u && first < run.targetCount;
  let firstComponent = group.y / run.parts * 3u + lane % 3u;
  let k_0 = firstComponent;
  let at_0 = min(k_0, 2u);
  let own_0 = run.targetFirst + min(first, run.targetCount - 1u);
  let target0_0_0 = target_number0(own_0, at_0);
  let given0_0 = tables_numbers[u32(run.number0) + at_0];
  var total_0_0 = 0.0;
  for (var start = firstSource; start < lastSource; start += 16u) {
    let count = min(16u, lastSource - start);
    if (lane < count) {
      let j = start + lane;
      tile0[lane] = vec2f(sqrt(sum_fold0(j)) * points_q[j], 0.0);
    }
    workgroupBarrier();
    if (computes) {
      for (var at = lane / 64u; at < count; at += 4u) {
        let j = start + at;
        let place = at * 64u + member;
        let source = tile0[at];
        let counts = (j != i_0 && !listed(j, i_0));
        numbers0[place] = source.x;
        kept[place] = select(0u, 1u, counts);
      }
    }
    workgroupBarrier();
    if (adds) {
      var sum_0_0 = 0.0;
      for (var at = 0u; at < count; at++) {
        let place = at * 64u + ofLane;
        let source0_0 = source_number0(start + at, at_0);
        if (kept[place] != 0u) {
          let pair0 = numbers0[place];
          sum_0_0 += component(pair0, target0_0_0, source0_0, given0_0);
        }
      }
      total_0_0 += sum_0_0;
    }
  }
  if (adds) {
    write(first, k_0, part, total_0_0);
  }
}
