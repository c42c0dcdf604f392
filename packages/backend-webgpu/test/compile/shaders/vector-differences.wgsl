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

fn component_fold0(x_j: f32) -> f32 {
  return x_j * x_j;
}
fn sum_fold0(j: u32) -> f32 {
  var sum = 0.0;
  for (var first = 0u; first < 3u; first += 8u) {
    var part = 0.0;
    for (var k = first; k < min(first + 8u, 3u); k++) {
      part += component_fold0(points_x[3u * j + k]);
    }
    sum += part;
  }
  return sum;
}
var<workgroup> tile0: array<vec2f, 32>;
var<workgroup> numbers0: array<vec4f, 512>;
var<workgroup> kept: array<u32, 512>;
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
  // The targets and sources of this invocation when it computes numbers of pairs.
  let member = lane % 16u;
  let slice = lane / 16u;
  let computes = slice < 8u && firstTarget + 4u * member < run.targetCount;
  let i_0 = run.targetFirst + min(firstTarget + 4u * member, run.targetCount - 1u);
  let i_1 = run.targetFirst + min(firstTarget + 4u * member + 1u, run.targetCount - 1u);
  let i_2 = run.targetFirst + min(firstTarget + 4u * member + 2u, run.targetCount - 1u);
  let i_3 = run.targetFirst + min(firstTarget + 4u * member + 3u, run.targetCount - 1u);
  // Its targets and components when it adds up. Neighbours have neighbouring components.
  let ofLane = lane / 3u * 1u;
  let first = firstTarget + ofLane;
  let adds = lane < 192u && first < run.targetCount;
  let firstComponent = group.y / run.parts * 3u + lane % 3u;
  let k_0 = firstComponent;
  let at_0 = min(k_0, 2u);
  let within = ofLane % 4u;
  let own_0 = run.targetFirst + min(first, run.targetCount - 1u);
  let target0_0_0 = target_number0(own_0, at_0);
  let given0_0 = tables_numbers[u32(run.number0) + at_0];
  var total_0_0 = 0.0;
  for (var start = firstSource; start < lastSource; start += 32u) {
    let count = min(32u, lastSource - start);
    if (lane < count) {
      let j = start + lane;
      tile0[lane] = vec2f(sqrt(sum_fold0(j)) * points_q[j], 0.0);
    }
    workgroupBarrier();
    if (computes) {
      {
        let at = slice;
        let j = min(start + at, lastSource - 1u);
        let source = tile0[at];
        var number0_0 = 0.0;
        var number0_1 = 0.0;
        var number0_2 = 0.0;
        var number0_3 = 0.0;
        var kept_0 = 0u;
        var kept_1 = 0u;
        var kept_2 = 0u;
        var kept_3 = 0u;
        {
          let counts = (j != i_0 && !listed(j, i_0));
          number0_0 = source.x;
          kept_0 = select(0u, 1u, counts);
        }
        {
          let counts = (j != i_1 && !listed(j, i_1));
          number0_1 = source.x;
          kept_1 = select(0u, 1u, counts);
        }
        {
          let counts = (j != i_2 && !listed(j, i_2));
          number0_2 = source.x;
          kept_2 = select(0u, 1u, counts);
        }
        {
          let counts = (j != i_3 && !listed(j, i_3));
          number0_3 = source.x;
          kept_3 = select(0u, 1u, counts);
        }
        numbers0[at * 16u + member] = vec4f(number0_0, number0_1, number0_2, number0_3);
        kept[at * 16u + member] = (kept_0 << 0u) | (kept_1 << 1u) | (kept_2 << 2u) | (kept_3 << 3u);
      }
      {
        let at = slice + 8u;
        let j = min(start + at, lastSource - 1u);
        let source = tile0[at];
        var number0_0 = 0.0;
        var number0_1 = 0.0;
        var number0_2 = 0.0;
        var number0_3 = 0.0;
        var kept_0 = 0u;
        var kept_1 = 0u;
        var kept_2 = 0u;
        var kept_3 = 0u;
        {
          let counts = (j != i_0 && !listed(j, i_0));
          number0_0 = source.x;
          kept_0 = select(0u, 1u, counts);
        }
        {
          let counts = (j != i_1 && !listed(j, i_1));
          number0_1 = source.x;
          kept_1 = select(0u, 1u, counts);
        }
        {
          let counts = (j != i_2 && !listed(j, i_2));
          number0_2 = source.x;
          kept_2 = select(0u, 1u, counts);
        }
        {
          let counts = (j != i_3 && !listed(j, i_3));
          number0_3 = source.x;
          kept_3 = select(0u, 1u, counts);
        }
        numbers0[at * 16u + member] = vec4f(number0_0, number0_1, number0_2, number0_3);
        kept[at * 16u + member] = (kept_0 << 0u) | (kept_1 << 1u) | (kept_2 << 2u) | (kept_3 << 3u);
      }
      {
        let at = slice + 16u;
        let j = min(start + at, lastSource - 1u);
        let source = tile0[at];
        var number0_0 = 0.0;
        var number0_1 = 0.0;
        var number0_2 = 0.0;
        var number0_3 = 0.0;
        var kept_0 = 0u;
        var kept_1 = 0u;
        var kept_2 = 0u;
        var kept_3 = 0u;
        {
          let counts = (j != i_0 && !listed(j, i_0));
          number0_0 = source.x;
          kept_0 = select(0u, 1u, counts);
        }
        {
          let counts = (j != i_1 && !listed(j, i_1));
          number0_1 = source.x;
          kept_1 = select(0u, 1u, counts);
        }
        {
          let counts = (j != i_2 && !listed(j, i_2));
          number0_2 = source.x;
          kept_2 = select(0u, 1u, counts);
        }
        {
          let counts = (j != i_3 && !listed(j, i_3));
          number0_3 = source.x;
          kept_3 = select(0u, 1u, counts);
        }
        numbers0[at * 16u + member] = vec4f(number0_0, number0_1, number0_2, number0_3);
        kept[at * 16u + member] = (kept_0 << 0u) | (kept_1 << 1u) | (kept_2 << 2u) | (kept_3 << 3u);
      }
      {
        let at = slice + 24u;
        let j = min(start + at, lastSource - 1u);
        let source = tile0[at];
        var number0_0 = 0.0;
        var number0_1 = 0.0;
        var number0_2 = 0.0;
        var number0_3 = 0.0;
        var kept_0 = 0u;
        var kept_1 = 0u;
        var kept_2 = 0u;
        var kept_3 = 0u;
        {
          let counts = (j != i_0 && !listed(j, i_0));
          number0_0 = source.x;
          kept_0 = select(0u, 1u, counts);
        }
        {
          let counts = (j != i_1 && !listed(j, i_1));
          number0_1 = source.x;
          kept_1 = select(0u, 1u, counts);
        }
        {
          let counts = (j != i_2 && !listed(j, i_2));
          number0_2 = source.x;
          kept_2 = select(0u, 1u, counts);
        }
        {
          let counts = (j != i_3 && !listed(j, i_3));
          number0_3 = source.x;
          kept_3 = select(0u, 1u, counts);
        }
        numbers0[at * 16u + member] = vec4f(number0_0, number0_1, number0_2, number0_3);
        kept[at * 16u + member] = (kept_0 << 0u) | (kept_1 << 1u) | (kept_2 << 2u) | (kept_3 << 3u);
      }
    }
    workgroupBarrier();
    if (adds) {
      var sum_0_0 = 0.0;
      for (var at = 0u; at < count; at++) {
        let place = at * 16u + ofLane / 4u;
        let kept_0 = kept[place];
        let source0_0 = source_number0(start + at, at_0);
        if ((kept_0 & (1u << (within))) != 0u) {
          let pair0 = numbers0[place][within];
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
