// exp(-sqdist(x_i, x_j))*b_j, matrix
struct Run {
  targetFirst: u32, // rows [targetFirst, targetFirst + targetCount)
  targetCount: u32,
  sourceFirst: u32, // columns to compute: [sourceFirst, sourceLast)
  sourceLast: u32,
  sourceCount: u32, // columns of the matrix
  carry: u32, // 1 if the other columns keep their values
}
@group(0) @binding(0) var<uniform> run: Run;
@group(0) @binding(1) var<storage, read> points_x: array<f32>;
@group(0) @binding(2) var<storage, read> points_b: array<f32>;
@group(0) @binding(3) var<storage, read_write> result_value: array<f32>;

fn component_fold0(x_i: f32, x_j: f32) -> f32 {
  let e0 = x_i - x_j;
  return e0 * e0;
}
var<workgroup> targets0: array<vec4f, 72>;
var<workgroup> sources0: array<vec4f, 72>;
@compute @workgroup_size(64)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  // The columns of an invocation are 8 apart, so that neighbours write neighbouring columns.
  let member = lane / 8u;
  let slice = lane % 8u;
  let firstRow = group.y * 32u;
  let firstColumn = (group.x + group.z * groups.x) * 32u;
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
    let loads_target = of_target < 8u;
    let rows_target = vec4u((run.targetFirst + min(firstRow + (of_target / 8u * 4u + 0u) * 8u + of_target % 8u, run.targetCount - 1u)), (run.targetFirst + min(firstRow + (of_target / 8u * 4u + 1u) * 8u + of_target % 8u, run.targetCount - 1u)), (run.targetFirst + min(firstRow + (of_target / 8u * 4u + 2u) * 8u + of_target % 8u, run.targetCount - 1u)), (run.targetFirst + min(firstRow + (of_target / 8u * 4u + 3u) * 8u + of_target % 8u, run.targetCount - 1u))) * 10u;
    let at_target = lane % 8u * 9u + of_target;
    let of_source = lane / 8u;
    let loads_source = of_source < 8u;
    let rows_source = vec4u(min(firstColumn + (of_source / 8u * 4u + 0u) * 8u + of_source % 8u, run.sourceCount - 1u), min(firstColumn + (of_source / 8u * 4u + 1u) * 8u + of_source % 8u, run.sourceCount - 1u), min(firstColumn + (of_source / 8u * 4u + 2u) * 8u + of_source % 8u, run.sourceCount - 1u), min(firstColumn + (of_source / 8u * 4u + 3u) * 8u + of_source % 8u, run.sourceCount - 1u)) * 10u;
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
      if (true) {
        for (var k = 0u; k < 8u; k++) {
          let x_i0 = targets0[k * 9u + member];
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
    if (true) {
      for (var k = 0u; k < 2u; k++) {
        let x_i0 = targets0[k * 9u + member];
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
  let row_0 = firstRow + 0u + member;
  let i_0 = run.targetFirst + min(row_0, run.targetCount - 1u);
  let row_1 = firstRow + 8u + member;
  let i_1 = run.targetFirst + min(row_1, run.targetCount - 1u);
  let row_2 = firstRow + 16u + member;
  let i_2 = run.targetFirst + min(row_2, run.targetCount - 1u);
  let row_3 = firstRow + 24u + member;
  let i_3 = run.targetFirst + min(row_3, run.targetCount - 1u);
  {
    let column = firstColumn + 0u + slice;
    let j = min(column, run.sourceCount - 1u);
    let visited = (j >= run.sourceFirst) & (j < run.sourceLast);
    if ((column < run.sourceCount) & (visited | (run.carry == 0u))) {
      let source = vec2f(points_b[j], 0.0);
      {
        let fold0_0 = fold0_0_0;
        var value = 0.0;
        let fold0 = fold0_0;
        value = select(0.0, source.x * exp(-fold0), j != i_0);
        if (row_0 < run.targetCount) { result_value[row_0 * run.sourceCount + column] = select(0.0, value, visited); }
      }
      {
        let fold0_1 = fold0_1_0;
        var value = 0.0;
        let fold0 = fold0_1;
        value = select(0.0, source.x * exp(-fold0), j != i_1);
        if (row_1 < run.targetCount) { result_value[row_1 * run.sourceCount + column] = select(0.0, value, visited); }
      }
      {
        let fold0_2 = fold0_2_0;
        var value = 0.0;
        let fold0 = fold0_2;
        value = select(0.0, source.x * exp(-fold0), j != i_2);
        if (row_2 < run.targetCount) { result_value[row_2 * run.sourceCount + column] = select(0.0, value, visited); }
      }
      {
        let fold0_3 = fold0_3_0;
        var value = 0.0;
        let fold0 = fold0_3;
        value = select(0.0, source.x * exp(-fold0), j != i_3);
        if (row_3 < run.targetCount) { result_value[row_3 * run.sourceCount + column] = select(0.0, value, visited); }
      }
    }
  }
  {
    let column = firstColumn + 8u + slice;
    let j = min(column, run.sourceCount - 1u);
    let visited = (j >= run.sourceFirst) & (j < run.sourceLast);
    if ((column < run.sourceCount) & (visited | (run.carry == 0u))) {
      let source = vec2f(points_b[j], 0.0);
      {
        let fold0_0 = fold0_0_1;
        var value = 0.0;
        let fold0 = fold0_0;
        value = select(0.0, source.x * exp(-fold0), j != i_0);
        if (row_0 < run.targetCount) { result_value[row_0 * run.sourceCount + column] = select(0.0, value, visited); }
      }
      {
        let fold0_1 = fold0_1_1;
        var value = 0.0;
        let fold0 = fold0_1;
        value = select(0.0, source.x * exp(-fold0), j != i_1);
        if (row_1 < run.targetCount) { result_value[row_1 * run.sourceCount + column] = select(0.0, value, visited); }
      }
      {
        let fold0_2 = fold0_2_1;
        var value = 0.0;
        let fold0 = fold0_2;
        value = select(0.0, source.x * exp(-fold0), j != i_2);
        if (row_2 < run.targetCount) { result_value[row_2 * run.sourceCount + column] = select(0.0, value, visited); }
      }
      {
        let fold0_3 = fold0_3_1;
        var value = 0.0;
        let fold0 = fold0_3;
        value = select(0.0, source.x * exp(-fold0), j != i_3);
        if (row_3 < run.targetCount) { result_value[row_3 * run.sourceCount + column] = select(0.0, value, visited); }
      }
    }
  }
  {
    let column = firstColumn + 16u + slice;
    let j = min(column, run.sourceCount - 1u);
    let visited = (j >= run.sourceFirst) & (j < run.sourceLast);
    if ((column < run.sourceCount) & (visited | (run.carry == 0u))) {
      let source = vec2f(points_b[j], 0.0);
      {
        let fold0_0 = fold0_0_2;
        var value = 0.0;
        let fold0 = fold0_0;
        value = select(0.0, source.x * exp(-fold0), j != i_0);
        if (row_0 < run.targetCount) { result_value[row_0 * run.sourceCount + column] = select(0.0, value, visited); }
      }
      {
        let fold0_1 = fold0_1_2;
        var value = 0.0;
        let fold0 = fold0_1;
        value = select(0.0, source.x * exp(-fold0), j != i_1);
        if (row_1 < run.targetCount) { result_value[row_1 * run.sourceCount + column] = select(0.0, value, visited); }
      }
      {
        let fold0_2 = fold0_2_2;
        var value = 0.0;
        let fold0 = fold0_2;
        value = select(0.0, source.x * exp(-fold0), j != i_2);
        if (row_2 < run.targetCount) { result_value[row_2 * run.sourceCount + column] = select(0.0, value, visited); }
      }
      {
        let fold0_3 = fold0_3_2;
        var value = 0.0;
        let fold0 = fold0_3;
        value = select(0.0, source.x * exp(-fold0), j != i_3);
        if (row_3 < run.targetCount) { result_value[row_3 * run.sourceCount + column] = select(0.0, value, visited); }
      }
    }
  }
  {
    let column = firstColumn + 24u + slice;
    let j = min(column, run.sourceCount - 1u);
    let visited = (j >= run.sourceFirst) & (j < run.sourceLast);
    if ((column < run.sourceCount) & (visited | (run.carry == 0u))) {
      let source = vec2f(points_b[j], 0.0);
      {
        let fold0_0 = fold0_0_3;
        var value = 0.0;
        let fold0 = fold0_0;
        value = select(0.0, source.x * exp(-fold0), j != i_0);
        if (row_0 < run.targetCount) { result_value[row_0 * run.sourceCount + column] = select(0.0, value, visited); }
      }
      {
        let fold0_1 = fold0_1_3;
        var value = 0.0;
        let fold0 = fold0_1;
        value = select(0.0, source.x * exp(-fold0), j != i_1);
        if (row_1 < run.targetCount) { result_value[row_1 * run.sourceCount + column] = select(0.0, value, visited); }
      }
      {
        let fold0_2 = fold0_2_3;
        var value = 0.0;
        let fold0 = fold0_2;
        value = select(0.0, source.x * exp(-fold0), j != i_2);
        if (row_2 < run.targetCount) { result_value[row_2 * run.sourceCount + column] = select(0.0, value, visited); }
      }
      {
        let fold0_3 = fold0_3_3;
        var value = 0.0;
        let fold0 = fold0_3;
        value = select(0.0, source.x * exp(-fold0), j != i_3);
        if (row_3 < run.targetCount) { result_value[row_3 * run.sourceCount + column] = select(0.0, value, visited); }
      }
    }
  }
}
