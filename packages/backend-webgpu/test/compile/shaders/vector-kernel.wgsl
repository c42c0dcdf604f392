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

fn component_fold0(x_i: f32, x_j: f32) -> f32 {
  let e0 = x_i - x_j;
  return e0 * e0;
}
var<workgroup> tile0: array<vec2f, 32>;
var<workgroup> targets0: array<vec4f, 136>;
var<workgroup> sources0: array<vec4f, 72>;
var<workgroup> numbers0: array<vec4f, 512>;
var<workgroup> kept: array<u32, 512>;
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
  let ofLane = lane / 10u * 4u;
  let first = firstTarget + ofLane;
  let adds = lane < 160u && first < run.targetCount;
  let firstComponent = group.y / run.parts * 10u + lane % 10u;
  let k_0 = firstComponent;
  let at_0 = min(k_0, 9u);
  var total_0_0 = 0.0;
  var total_1_0 = 0.0;
  var total_2_0 = 0.0;
  var total_3_0 = 0.0;
  for (var start = firstSource; start < lastSource; start += 32u) {
    let count = min(32u, lastSource - start);
    if (lane < count) {
      let j = start + lane;
      tile0[lane] = vec2f(0.0, 0.0);
    }
    var fold0_0_0 = 0.0;
    var fold0_0_1 = 0.0;
    var fold0_0_2 = 0.0;
    var fold0_0_3 = 0.0;
    var fold0_1_0 = 0.0;
    var fold0_1_1 = 0.0;
    var fold0_1_2 = 0.0;
    var fold0_1_3 = 0.0;
    var fold0_2_0 = 0.0;
    var fold0_2_1 = 0.0;
    var fold0_2_2 = 0.0;
    var fold0_2_3 = 0.0;
    var fold0_3_0 = 0.0;
    var fold0_3_1 = 0.0;
    var fold0_3_2 = 0.0;
    var fold0_3_3 = 0.0;
    {
      let of_target = lane / 8u;
      let loads_target = of_target < 16u;
      let rows_target = vec4u((run.targetFirst + min(firstTarget + 4u * of_target, run.targetCount - 1u)), (run.targetFirst + min(firstTarget + 4u * of_target + 1u, run.targetCount - 1u)), (run.targetFirst + min(firstTarget + 4u * of_target + 2u, run.targetCount - 1u)), (run.targetFirst + min(firstTarget + 4u * of_target + 3u, run.targetCount - 1u))) * 10u;
      let at_target = lane % 8u * 17u + of_target;
      let of_source = lane / 8u;
      let loads_source = of_source < 8u;
      let rows_source = vec4u(min(start + of_source, lastSource - 1u), min(start + of_source + 8u, lastSource - 1u), min(start + of_source + 16u, lastSource - 1u), min(start + of_source + 24u, lastSource - 1u)) * 10u;
      let at_source = lane % 8u * 9u + of_source;
      var begin = 0u;
      var next = min(begin + lane % 8u, 9u);
      var ahead_target0 = vec4f(points_x[rows_target.x + next], points_x[rows_target.y + next], points_x[rows_target.z + next], points_x[rows_target.w + next]);
      var ahead_source0 = vec4f(points_x[rows_source.x + next], points_x[rows_source.y + next], points_x[rows_source.z + next], points_x[rows_source.w + next]);
      for (; begin < 8u; begin += 8u) {
        workgroupBarrier();
        if (loads_target) { targets0[at_target] = ahead_target0; }
        if (loads_source) { sources0[at_source] = ahead_source0; }
        workgroupBarrier();
        next = min(begin + 8u + lane % 8u, 9u);
        ahead_target0 = vec4f(points_x[rows_target.x + next], points_x[rows_target.y + next], points_x[rows_target.z + next], points_x[rows_target.w + next]);
        ahead_source0 = vec4f(points_x[rows_source.x + next], points_x[rows_source.y + next], points_x[rows_source.z + next], points_x[rows_source.w + next]);
        if (computes) {
          for (var k = 0u; k < 8u; k++) {
            let x_i0 = targets0[k * 17u + member];
            let x_j0 = sources0[k * 9u + slice];
            fold0_0_0 += component_fold0(x_i0.x, x_j0.x);
            fold0_0_1 += component_fold0(x_i0.x, x_j0.y);
            fold0_0_2 += component_fold0(x_i0.x, x_j0.z);
            fold0_0_3 += component_fold0(x_i0.x, x_j0.w);
            fold0_1_0 += component_fold0(x_i0.y, x_j0.x);
            fold0_1_1 += component_fold0(x_i0.y, x_j0.y);
            fold0_1_2 += component_fold0(x_i0.y, x_j0.z);
            fold0_1_3 += component_fold0(x_i0.y, x_j0.w);
            fold0_2_0 += component_fold0(x_i0.z, x_j0.x);
            fold0_2_1 += component_fold0(x_i0.z, x_j0.y);
            fold0_2_2 += component_fold0(x_i0.z, x_j0.z);
            fold0_2_3 += component_fold0(x_i0.z, x_j0.w);
            fold0_3_0 += component_fold0(x_i0.w, x_j0.x);
            fold0_3_1 += component_fold0(x_i0.w, x_j0.y);
            fold0_3_2 += component_fold0(x_i0.w, x_j0.z);
            fold0_3_3 += component_fold0(x_i0.w, x_j0.w);
          }
        }
      }
      workgroupBarrier();
      if (loads_target) { targets0[at_target] = ahead_target0; }
      if (loads_source) { sources0[at_source] = ahead_source0; }
      workgroupBarrier();
      if (computes) {
        for (var k = 0u; k < 2u; k++) {
          let x_i0 = targets0[k * 17u + member];
          let x_j0 = sources0[k * 9u + slice];
          fold0_0_0 += component_fold0(x_i0.x, x_j0.x);
          fold0_0_1 += component_fold0(x_i0.x, x_j0.y);
          fold0_0_2 += component_fold0(x_i0.x, x_j0.z);
          fold0_0_3 += component_fold0(x_i0.x, x_j0.w);
          fold0_1_0 += component_fold0(x_i0.y, x_j0.x);
          fold0_1_1 += component_fold0(x_i0.y, x_j0.y);
          fold0_1_2 += component_fold0(x_i0.y, x_j0.z);
          fold0_1_3 += component_fold0(x_i0.y, x_j0.w);
          fold0_2_0 += component_fold0(x_i0.z, x_j0.x);
          fold0_2_1 += component_fold0(x_i0.z, x_j0.y);
          fold0_2_2 += component_fold0(x_i0.z, x_j0.z);
          fold0_2_3 += component_fold0(x_i0.z, x_j0.w);
          fold0_3_0 += component_fold0(x_i0.w, x_j0.x);
          fold0_3_1 += component_fold0(x_i0.w, x_j0.y);
          fold0_3_2 += component_fold0(x_i0.w, x_j0.z);
          fold0_3_3 += component_fold0(x_i0.w, x_j0.w);
        }
      }
    }
    workgroupBarrier();
    if (computes) {
      {
        let at = slice;
        let j = min(start + at, lastSource - 1u);
        let source = tile0[at];
        let fold0_0 = fold0_0_0;
        let fold0_1 = fold0_1_0;
        let fold0_2 = fold0_2_0;
        let fold0_3 = fold0_3_0;
        var number0_0 = 0.0;
        var number0_1 = 0.0;
        var number0_2 = 0.0;
        var number0_3 = 0.0;
        var kept_0 = 0u;
        var kept_1 = 0u;
        var kept_2 = 0u;
        var kept_3 = 0u;
        {
          let fold0 = fold0_0;
          number0_0 = exp(-fold0);
          kept_0 = select(0u, 1u, j != i_0);
        }
        {
          let fold0 = fold0_1;
          number0_1 = exp(-fold0);
          kept_1 = select(0u, 1u, j != i_1);
        }
        {
          let fold0 = fold0_2;
          number0_2 = exp(-fold0);
          kept_2 = select(0u, 1u, j != i_2);
        }
        {
          let fold0 = fold0_3;
          number0_3 = exp(-fold0);
          kept_3 = select(0u, 1u, j != i_3);
        }
        numbers0[at * 16u + member] = vec4f(number0_0, number0_1, number0_2, number0_3);
        kept[at * 16u + member] = (kept_0 << 0u) | (kept_1 << 1u) | (kept_2 << 2u) | (kept_3 << 3u);
      }
      {
        let at = slice + 8u;
        let j = min(start + at, lastSource - 1u);
        let source = tile0[at];
        let fold0_0 = fold0_0_1;
        let fold0_1 = fold0_1_1;
        let fold0_2 = fold0_2_1;
        let fold0_3 = fold0_3_1;
        var number0_0 = 0.0;
        var number0_1 = 0.0;
        var number0_2 = 0.0;
        var number0_3 = 0.0;
        var kept_0 = 0u;
        var kept_1 = 0u;
        var kept_2 = 0u;
        var kept_3 = 0u;
        {
          let fold0 = fold0_0;
          number0_0 = exp(-fold0);
          kept_0 = select(0u, 1u, j != i_0);
        }
        {
          let fold0 = fold0_1;
          number0_1 = exp(-fold0);
          kept_1 = select(0u, 1u, j != i_1);
        }
        {
          let fold0 = fold0_2;
          number0_2 = exp(-fold0);
          kept_2 = select(0u, 1u, j != i_2);
        }
        {
          let fold0 = fold0_3;
          number0_3 = exp(-fold0);
          kept_3 = select(0u, 1u, j != i_3);
        }
        numbers0[at * 16u + member] = vec4f(number0_0, number0_1, number0_2, number0_3);
        kept[at * 16u + member] = (kept_0 << 0u) | (kept_1 << 1u) | (kept_2 << 2u) | (kept_3 << 3u);
      }
      {
        let at = slice + 16u;
        let j = min(start + at, lastSource - 1u);
        let source = tile0[at];
        let fold0_0 = fold0_0_2;
        let fold0_1 = fold0_1_2;
        let fold0_2 = fold0_2_2;
        let fold0_3 = fold0_3_2;
        var number0_0 = 0.0;
        var number0_1 = 0.0;
        var number0_2 = 0.0;
        var number0_3 = 0.0;
        var kept_0 = 0u;
        var kept_1 = 0u;
        var kept_2 = 0u;
        var kept_3 = 0u;
        {
          let fold0 = fold0_0;
          number0_0 = exp(-fold0);
          kept_0 = select(0u, 1u, j != i_0);
        }
        {
          let fold0 = fold0_1;
          number0_1 = exp(-fold0);
          kept_1 = select(0u, 1u, j != i_1);
        }
        {
          let fold0 = fold0_2;
          number0_2 = exp(-fold0);
          kept_2 = select(0u, 1u, j != i_2);
        }
        {
          let fold0 = fold0_3;
          number0_3 = exp(-fold0);
          kept_3 = select(0u, 1u, j != i_3);
        }
        numbers0[at * 16u + member] = vec4f(number0_0, number0_1, number0_2, number0_3);
        kept[at * 16u + member] = (kept_0 << 0u) | (kept_1 << 1u) | (kept_2 << 2u) | (kept_3 << 3u);
      }
      {
        let at = slice + 24u;
        let j = min(start + at, lastSource - 1u);
        let source = tile0[at];
        let fold0_0 = fold0_0_3;
        let fold0_1 = fold0_1_3;
        let fold0_2 = fold0_2_3;
        let fold0_3 = fold0_3_3;
        var number0_0 = 0.0;
        var number0_1 = 0.0;
        var number0_2 = 0.0;
        var number0_3 = 0.0;
        var kept_0 = 0u;
        var kept_1 = 0u;
        var kept_2 = 0u;
        var kept_3 = 0u;
        {
          let fold0 = fold0_0;
          number0_0 = exp(-fold0);
          kept_0 = select(0u, 1u, j != i_0);
        }
        {
          let fold0 = fold0_1;
          number0_1 = exp(-fold0);
          kept_1 = select(0u, 1u, j != i_1);
        }
        {
          let fold0 = fold0_2;
          number0_2 = exp(-fold0);
          kept_2 = select(0u, 1u, j != i_2);
        }
        {
          let fold0 = fold0_3;
          number0_3 = exp(-fold0);
          kept_3 = select(0u, 1u, j != i_3);
        }
        numbers0[at * 16u + member] = vec4f(number0_0, number0_1, number0_2, number0_3);
        kept[at * 16u + member] = (kept_0 << 0u) | (kept_1 << 1u) | (kept_2 << 2u) | (kept_3 << 3u);
      }
    }
    workgroupBarrier();
    if (adds) {
      var sum_0_0 = 0.0;
      var sum_1_0 = 0.0;
      var sum_2_0 = 0.0;
      var sum_3_0 = 0.0;
      for (var at = 0u; at < count; at++) {
        let place = at * 16u + ofLane / 4u;
        let numbers0_0 = numbers0[place];
        let kept_0 = kept[place];
        let source0_0 = source_number0(start + at, at_0);
        if ((kept_0 & 1u) != 0u) {
          let pair0 = numbers0_0.x;
          sum_0_0 += component(pair0, source0_0);
        }
        if ((kept_0 & 2u) != 0u) {
          let pair0 = numbers0_0.y;
          sum_1_0 += component(pair0, source0_0);
        }
        if ((kept_0 & 4u) != 0u) {
          let pair0 = numbers0_0.z;
          sum_2_0 += component(pair0, source0_0);
        }
        if ((kept_0 & 8u) != 0u) {
          let pair0 = numbers0_0.w;
          sum_3_0 += component(pair0, source0_0);
        }
      }
      total_0_0 += sum_0_0;
      total_1_0 += sum_1_0;
      total_2_0 += sum_2_0;
      total_3_0 += sum_3_0;
    }
  }
  if (adds) {
    write(first, k_0, part, total_0_0);
    write(first + 1u, k_0, part, total_1_0);
    write(first + 2u, k_0, part, total_2_0);
    write(first + 3u, k_0, part, total_3_0);
  }
}
