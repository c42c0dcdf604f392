// exp(-sqdist(x_i, y_j))*b_j, sum of term, components (workgroup 16, targets 4, unroll 4, slices 4)
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
@group(0) @binding(1) var<storage, read> targets_x: array<f32>;
@group(0) @binding(2) var<storage, read> sources_b: array<f32>;
@group(0) @binding(3) var<storage, read> sources_y: array<f32>;
@group(0) @binding(4) var<storage, read_write> result_value: array<f32>;

fn component_fold0(x_i: f32, y_j: f32) -> f32 {
  let e0 = x_i - y_j;
  return e0 * e0;
}
var<workgroup> tile0: array<vec2f, 16>;
var<workgroup> targets0: array<vec4f, 20>;
var<workgroup> sources0: array<vec4f, 20>;
var<workgroup> shared_words: array<u32, 16>;
@compute @workgroup_size(16)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  // Invocations with the same member share targets; each visits one slice of the sources.
  let member = lane % 4u;
  let slice = lane / 4u;
  let firstSource = run.sourceFirst + group.y * run.chunk;
  let lastSource = min(firstSource + run.chunk, run.sourceLast);
  let block = group.x + group.z * groups.x;
  // Target 0 of this invocation: at_0 is its place among the results, i_0 its index among the points.
  let at_0 = block * 16u + member;
  let i_0 = run.targetFirst + min(at_0, run.targetCount - 1u);
  var sum0_0 = 0.0;
  // Target 1 of this invocation: at_1 is its place among the results, i_1 its index among the points.
  let at_1 = block * 16u + 4u + member;
  let i_1 = run.targetFirst + min(at_1, run.targetCount - 1u);
  var sum0_1 = 0.0;
  // Target 2 of this invocation: at_2 is its place among the results, i_2 its index among the points.
  let at_2 = block * 16u + 8u + member;
  let i_2 = run.targetFirst + min(at_2, run.targetCount - 1u);
  var sum0_2 = 0.0;
  // Target 3 of this invocation: at_3 is its place among the results, i_3 its index among the points.
  let at_3 = block * 16u + 12u + member;
  let i_3 = run.targetFirst + min(at_3, run.targetCount - 1u);
  var sum0_3 = 0.0;
  for (var start = firstSource; start < lastSource; start += 16u) {
    workgroupBarrier();
    if (lane < 16u) {
      let j = min(start + lane, lastSource - 1u);
      tile0[lane] = vec2f(sources_b[j], 0.0);
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
      let of_target = lane / 4u;
      let loads_target = of_target < 4u;
      let rows_target = vec4u((run.targetFirst + min(block * 16u + (of_target / 4u * 4u + 0u) * 4u + of_target % 4u, run.targetCount - 1u)), (run.targetFirst + min(block * 16u + (of_target / 4u * 4u + 1u) * 4u + of_target % 4u, run.targetCount - 1u)), (run.targetFirst + min(block * 16u + (of_target / 4u * 4u + 2u) * 4u + of_target % 4u, run.targetCount - 1u)), (run.targetFirst + min(block * 16u + (of_target / 4u * 4u + 3u) * 4u + of_target % 4u, run.targetCount - 1u))) * 10u;
      let at_target = lane % 4u * 5u + of_target;
      let of_source = lane / 4u;
      let loads_source = of_source < 4u;
      let rows_source = vec4u(min(start + (of_source / 4u * 4u + 0u) * 4u + of_source % 4u, lastSource - 1u), min(start + (of_source / 4u * 4u + 1u) * 4u + of_source % 4u, lastSource - 1u), min(start + (of_source / 4u * 4u + 2u) * 4u + of_source % 4u, lastSource - 1u), min(start + (of_source / 4u * 4u + 3u) * 4u + of_source % 4u, lastSource - 1u)) * 10u;
      let at_source = lane % 4u * 5u + of_source;
      var begin = 0u;
      var next = min(begin + lane % 4u, 9u);
      var ahead_target0 = vec4f(targets_x[rows_target.x + next], targets_x[rows_target.y + next], targets_x[rows_target.z + next], targets_x[rows_target.w + next]);
      var ahead_source0 = vec4f(sources_y[rows_source.x + next], sources_y[rows_source.y + next], sources_y[rows_source.z + next], sources_y[rows_source.w + next]);
      for (; begin < 8u; begin += 4u) {
        workgroupBarrier();
        if (loads_target) { targets0[at_target] = ahead_target0; }
        if (loads_source) { sources0[at_source] = ahead_source0; }
        workgroupBarrier();
        next = min(begin + 4u + lane % 4u, 9u);
        ahead_target0 = vec4f(targets_x[rows_target.x + next], targets_x[rows_target.y + next], targets_x[rows_target.z + next], targets_x[rows_target.w + next]);
        ahead_source0 = vec4f(sources_y[rows_source.x + next], sources_y[rows_source.y + next], sources_y[rows_source.z + next], sources_y[rows_source.w + next]);
        if (true) {
          for (var k = 0u; k < 4u; k++) {
            let x_i0 = targets0[k * 5u + member];
            let y_j0 = sources0[k * 5u + slice];
            fold0_0_0 += component_fold0(x_i0.x, y_j0.x);
            fold0_0_1 += component_fold0(x_i0.x, y_j0.y);
            fold0_0_2 += component_fold0(x_i0.x, y_j0.z);
            fold0_0_3 += component_fold0(x_i0.x, y_j0.w);
            fold0_1_0 += component_fold0(x_i0.y, y_j0.x);
            fold0_1_1 += component_fold0(x_i0.y, y_j0.y);
            fold0_1_2 += component_fold0(x_i0.y, y_j0.z);
            fold0_1_3 += component_fold0(x_i0.y, y_j0.w);
            fold0_2_0 += component_fold0(x_i0.z, y_j0.x);
            fold0_2_1 += component_fold0(x_i0.z, y_j0.y);
            fold0_2_2 += component_fold0(x_i0.z, y_j0.z);
            fold0_2_3 += component_fold0(x_i0.z, y_j0.w);
            fold0_3_0 += component_fold0(x_i0.w, y_j0.x);
            fold0_3_1 += component_fold0(x_i0.w, y_j0.y);
            fold0_3_2 += component_fold0(x_i0.w, y_j0.z);
            fold0_3_3 += component_fold0(x_i0.w, y_j0.w);
          }
        }
      }
      workgroupBarrier();
      if (loads_target) { targets0[at_target] = ahead_target0; }
      if (loads_source) { sources0[at_source] = ahead_source0; }
      workgroupBarrier();
      if (true) {
        for (var k = 0u; k < 2u; k++) {
          let x_i0 = targets0[k * 5u + member];
          let y_j0 = sources0[k * 5u + slice];
          fold0_0_0 += component_fold0(x_i0.x, y_j0.x);
          fold0_0_1 += component_fold0(x_i0.x, y_j0.y);
          fold0_0_2 += component_fold0(x_i0.x, y_j0.z);
          fold0_0_3 += component_fold0(x_i0.x, y_j0.w);
          fold0_1_0 += component_fold0(x_i0.y, y_j0.x);
          fold0_1_1 += component_fold0(x_i0.y, y_j0.y);
          fold0_1_2 += component_fold0(x_i0.y, y_j0.z);
          fold0_1_3 += component_fold0(x_i0.y, y_j0.w);
          fold0_2_0 += component_fold0(x_i0.z, y_j0.x);
          fold0_2_1 += component_fold0(x_i0.z, y_j0.y);
          fold0_2_2 += component_fold0(x_i0.z, y_j0.z);
          fold0_2_3 += component_fold0(x_i0.z, y_j0.w);
          fold0_3_0 += component_fold0(x_i0.w, y_j0.x);
          fold0_3_1 += component_fold0(x_i0.w, y_j0.y);
          fold0_3_2 += component_fold0(x_i0.w, y_j0.z);
          fold0_3_3 += component_fold0(x_i0.w, y_j0.w);
        }
      }
    }
    {
      let at = slice;
      let inside = start + at < lastSource;
      let j = min(start + at, lastSource - 1u);
      let source = tile0[at];
      let fold0_0 = fold0_0_0;
      let fold0_1 = fold0_1_0;
      let fold0_2 = fold0_2_0;
      let fold0_3 = fold0_3_0;
      {
        let fold0 = fold0_0;
        sum0_0 += select(0.0, source.x * exp(-fold0), inside);
      }
      {
        let fold0 = fold0_1;
        sum0_1 += select(0.0, source.x * exp(-fold0), inside);
      }
      {
        let fold0 = fold0_2;
        sum0_2 += select(0.0, source.x * exp(-fold0), inside);
      }
      {
        let fold0 = fold0_3;
        sum0_3 += select(0.0, source.x * exp(-fold0), inside);
      }
    }
    {
      let at = slice + 4u;
      let inside = start + at < lastSource;
      let j = min(start + at, lastSource - 1u);
      let source = tile0[at];
      let fold0_0 = fold0_0_1;
      let fold0_1 = fold0_1_1;
      let fold0_2 = fold0_2_1;
      let fold0_3 = fold0_3_1;
      {
        let fold0 = fold0_0;
        sum0_0 += select(0.0, source.x * exp(-fold0), inside);
      }
      {
        let fold0 = fold0_1;
        sum0_1 += select(0.0, source.x * exp(-fold0), inside);
      }
      {
        let fold0 = fold0_2;
        sum0_2 += select(0.0, source.x * exp(-fold0), inside);
      }
      {
        let fold0 = fold0_3;
        sum0_3 += select(0.0, source.x * exp(-fold0), inside);
      }
    }
    {
      let at = slice + 8u;
      let inside = start + at < lastSource;
      let j = min(start + at, lastSource - 1u);
      let source = tile0[at];
      let fold0_0 = fold0_0_2;
      let fold0_1 = fold0_1_2;
      let fold0_2 = fold0_2_2;
      let fold0_3 = fold0_3_2;
      {
        let fold0 = fold0_0;
        sum0_0 += select(0.0, source.x * exp(-fold0), inside);
      }
      {
        let fold0 = fold0_1;
        sum0_1 += select(0.0, source.x * exp(-fold0), inside);
      }
      {
        let fold0 = fold0_2;
        sum0_2 += select(0.0, source.x * exp(-fold0), inside);
      }
      {
        let fold0 = fold0_3;
        sum0_3 += select(0.0, source.x * exp(-fold0), inside);
      }
    }
    {
      let at = slice + 12u;
      let inside = start + at < lastSource;
      let j = min(start + at, lastSource - 1u);
      let source = tile0[at];
      let fold0_0 = fold0_0_3;
      let fold0_1 = fold0_1_3;
      let fold0_2 = fold0_2_3;
      let fold0_3 = fold0_3_3;
      {
        let fold0 = fold0_0;
        sum0_0 += select(0.0, source.x * exp(-fold0), inside);
      }
      {
        let fold0 = fold0_1;
        sum0_1 += select(0.0, source.x * exp(-fold0), inside);
      }
      {
        let fold0 = fold0_2;
        sum0_2 += select(0.0, source.x * exp(-fold0), inside);
      }
      {
        let fold0 = fold0_3;
        sum0_3 += select(0.0, source.x * exp(-fold0), inside);
      }
    }
  }
  workgroupBarrier();
  shared_words[0u * 16u + lane] = bitcast<u32>(sum0_0);
  workgroupBarrier();
  for (var word = slice; word < 1u && at_0 < run.targetCount; word += 4u) {
    var sum = 0.0;
    for (var other = 0u; other < 4u; other++) {
      sum += bitcast<f32>(shared_words[word * 16u + other * 4u + member]);
    }
    result_value[1u * at_0 + word] = select(0.0, result_value[1u * at_0 + word], run.carry == 1u) + sum;
  }
  workgroupBarrier();
  shared_words[0u * 16u + lane] = bitcast<u32>(sum0_1);
  workgroupBarrier();
  for (var word = slice; word < 1u && at_1 < run.targetCount; word += 4u) {
    var sum = 0.0;
    for (var other = 0u; other < 4u; other++) {
      sum += bitcast<f32>(shared_words[word * 16u + other * 4u + member]);
    }
    result_value[1u * at_1 + word] = select(0.0, result_value[1u * at_1 + word], run.carry == 1u) + sum;
  }
  workgroupBarrier();
  shared_words[0u * 16u + lane] = bitcast<u32>(sum0_2);
  workgroupBarrier();
  for (var word = slice; word < 1u && at_2 < run.targetCount; word += 4u) {
    var sum = 0.0;
    for (var other = 0u; other < 4u; other++) {
      sum += bitcast<f32>(shared_words[word * 16u + other * 4u + member]);
    }
    result_value[1u * at_2 + word] = select(0.0, result_value[1u * at_2 + word], run.carry == 1u) + sum;
  }
  workgroupBarrier();
  shared_words[0u * 16u + lane] = bitcast<u32>(sum0_3);
  workgroupBarrier();
  for (var word = slice; word < 1u && at_3 < run.targetCount; word += 4u) {
    var sum = 0.0;
    for (var other = 0u; other < 4u; other++) {
      sum += bitcast<f32>(shared_words[word * 16u + other * 4u + member]);
    }
    result_value[1u * at_3 + word] = select(0.0, result_value[1u * at_3 + word], run.carry == 1u) + sum;
  }
}
