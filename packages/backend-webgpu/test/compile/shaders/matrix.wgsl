// coulomb, matrix
struct Run {
  targetFirst: u32, // rows [targetFirst, targetFirst + targetCount)
  targetCount: u32,
  sourceFirst: u32, // columns to compute: [sourceFirst, sourceLast)
  sourceLast: u32,
  sourceCount: u32, // columns of the matrix
  carry: u32, // 1 if the other columns keep their values
  p0: f32,
}
@group(0) @binding(0) var<uniform> run: Run;
@group(0) @binding(1) var<storage, read> points_position: array<f32>;
@group(0) @binding(2) var<storage, read> points_charge: array<f32>;
@group(0) @binding(3) var<storage, read_write> result_value: array<f32>;

@compute @workgroup_size(64)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  // The columns of an invocation are 64 apart, so that neighbours write neighbouring columns.
  let first = (group.x + group.z * groups.x) * 256u + lane;
  let column_0 = first + 0u;
  let j_0 = min(column_0, run.sourceCount - 1u);
  let visited_0 = (j_0 >= run.sourceFirst) & (j_0 < run.sourceLast);
  let writes_0 = (column_0 < run.sourceCount) & (visited_0 | (run.carry == 0u));
  let source_0 = vec4f(points_position[3u * j_0], points_position[3u * j_0 + 1u], points_position[3u * j_0 + 2u], run.p0 * points_charge[j_0]);
  let column_1 = first + 64u;
  let j_1 = min(column_1, run.sourceCount - 1u);
  let visited_1 = (j_1 >= run.sourceFirst) & (j_1 < run.sourceLast);
  let writes_1 = (column_1 < run.sourceCount) & (visited_1 | (run.carry == 0u));
  let source_1 = vec4f(points_position[3u * j_1], points_position[3u * j_1 + 1u], points_position[3u * j_1 + 2u], run.p0 * points_charge[j_1]);
  let column_2 = first + 128u;
  let j_2 = min(column_2, run.sourceCount - 1u);
  let visited_2 = (j_2 >= run.sourceFirst) & (j_2 < run.sourceLast);
  let writes_2 = (column_2 < run.sourceCount) & (visited_2 | (run.carry == 0u));
  let source_2 = vec4f(points_position[3u * j_2], points_position[3u * j_2 + 1u], points_position[3u * j_2 + 2u], run.p0 * points_charge[j_2]);
  let column_3 = first + 192u;
  let j_3 = min(column_3, run.sourceCount - 1u);
  let visited_3 = (j_3 >= run.sourceFirst) & (j_3 < run.sourceLast);
  let writes_3 = (column_3 < run.sourceCount) & (visited_3 | (run.carry == 0u));
  let source_3 = vec4f(points_position[3u * j_3], points_position[3u * j_3 + 1u], points_position[3u * j_3 + 2u], run.p0 * points_charge[j_3]);
  let firstRow = group.y * 16u;
  for (var row = firstRow; row < min(firstRow + 16u, run.targetCount); row += 4u) {
    let i_0 = run.targetFirst + min(row + 0u, run.targetCount - 1u);
    let xi_0 = points_position[3u * i_0];
    let yi_0 = points_position[3u * i_0 + 1u];
    let zi_0 = points_position[3u * i_0 + 2u];
    let t0_0 = points_charge[i_0];
    let i_1 = run.targetFirst + min(row + 1u, run.targetCount - 1u);
    let xi_1 = points_position[3u * i_1];
    let yi_1 = points_position[3u * i_1 + 1u];
    let zi_1 = points_position[3u * i_1 + 2u];
    let t0_1 = points_charge[i_1];
    let i_2 = run.targetFirst + min(row + 2u, run.targetCount - 1u);
    let xi_2 = points_position[3u * i_2];
    let yi_2 = points_position[3u * i_2 + 1u];
    let zi_2 = points_position[3u * i_2 + 2u];
    let t0_2 = points_charge[i_2];
    let i_3 = run.targetFirst + min(row + 3u, run.targetCount - 1u);
    let xi_3 = points_position[3u * i_3];
    let yi_3 = points_position[3u * i_3 + 1u];
    let zi_3 = points_position[3u * i_3 + 2u];
    let t0_3 = points_charge[i_3];
    var value_0_0 = 0.0;
    {
      let j = j_0;
      let source = source_0;
      var value = 0.0;
      let dx = source.x - xi_0;
      let dy = source.y - yi_0;
      let dz = source.z - zi_0;
      let r2 = dx * dx + dy * dy + dz * dz;
      let e0 = (0.0 < r2);
      let safeR2 = select(1.0, r2, e0);
      value = select(0.0, source.w * t0_0 * inverseSqrt(safeR2), (e0 && j != i_0));
      value_0_0 = select(0.0, value, visited_0);
    }
    var value_0_1 = 0.0;
    {
      let j = j_1;
      let source = source_1;
      var value = 0.0;
      let dx = source.x - xi_0;
      let dy = source.y - yi_0;
      let dz = source.z - zi_0;
      let r2 = dx * dx + dy * dy + dz * dz;
      let e0 = (0.0 < r2);
      let safeR2 = select(1.0, r2, e0);
      value = select(0.0, source.w * t0_0 * inverseSqrt(safeR2), (e0 && j != i_0));
      value_0_1 = select(0.0, value, visited_1);
    }
    var value_0_2 = 0.0;
    {
      let j = j_2;
      let source = source_2;
      var value = 0.0;
      let dx = source.x - xi_0;
      let dy = source.y - yi_0;
      let dz = source.z - zi_0;
      let r2 = dx * dx + dy * dy + dz * dz;
      let e0 = (0.0 < r2);
      let safeR2 = select(1.0, r2, e0);
      value = select(0.0, source.w * t0_0 * inverseSqrt(safeR2), (e0 && j != i_0));
      value_0_2 = select(0.0, value, visited_2);
    }
    var value_0_3 = 0.0;
    {
      let j = j_3;
      let source = source_3;
      var value = 0.0;
      let dx = source.x - xi_0;
      let dy = source.y - yi_0;
      let dz = source.z - zi_0;
      let r2 = dx * dx + dy * dy + dz * dz;
      let e0 = (0.0 < r2);
      let safeR2 = select(1.0, r2, e0);
      value = select(0.0, source.w * t0_0 * inverseSqrt(safeR2), (e0 && j != i_0));
      value_0_3 = select(0.0, value, visited_3);
    }
    var value_1_0 = 0.0;
    {
      let j = j_0;
      let source = source_0;
      var value = 0.0;
      let dx = source.x - xi_1;
      let dy = source.y - yi_1;
      let dz = source.z - zi_1;
      let r2 = dx * dx + dy * dy + dz * dz;
      let e0 = (0.0 < r2);
      let safeR2 = select(1.0, r2, e0);
      value = select(0.0, source.w * t0_1 * inverseSqrt(safeR2), (e0 && j != i_1));
      value_1_0 = select(0.0, value, visited_0);
    }
    var value_1_1 = 0.0;
    {
      let j = j_1;
      let source = source_1;
      var value = 0.0;
      let dx = source.x - xi_1;
      let dy = source.y - yi_1;
      let dz = source.z - zi_1;
      let r2 = dx * dx + dy * dy + dz * dz;
      let e0 = (0.0 < r2);
      let safeR2 = select(1.0, r2, e0);
      value = select(0.0, source.w * t0_1 * inverseSqrt(safeR2), (e0 && j != i_1));
      value_1_1 = select(0.0, value, visited_1);
    }
    var value_1_2 = 0.0;
    {
      let j = j_2;
      let source = source_2;
      var value = 0.0;
      let dx = source.x - xi_1;
      let dy = source.y - yi_1;
      let dz = source.z - zi_1;
      let r2 = dx * dx + dy * dy + dz * dz;
      let e0 = (0.0 < r2);
      let safeR2 = select(1.0, r2, e0);
      value = select(0.0, source.w * t0_1 * inverseSqrt(safeR2), (e0 && j != i_1));
      value_1_2 = select(0.0, value, visited_2);
    }
    var value_1_3 = 0.0;
    {
      let j = j_3;
      let source = source_3;
      var value = 0.0;
      let dx = source.x - xi_1;
      let dy = source.y - yi_1;
      let dz = source.z - zi_1;
      let r2 = dx * dx + dy * dy + dz * dz;
      let e0 = (0.0 < r2);
      let safeR2 = select(1.0, r2, e0);
      value = select(0.0, source.w * t0_1 * inverseSqrt(safeR2), (e0 && j != i_1));
      value_1_3 = select(0.0, value, visited_3);
    }
    var value_2_0 = 0.0;
    {
      let j = j_0;
      let source = source_0;
      var value = 0.0;
      let dx = source.x - xi_2;
      let dy = source.y - yi_2;
      let dz = source.z - zi_2;
      let r2 = dx * dx + dy * dy + dz * dz;
      let e0 = (0.0 < r2);
      let safeR2 = select(1.0, r2, e0);
      value = select(0.0, source.w * t0_2 * inverseSqrt(safeR2), (e0 && j != i_2));
      value_2_0 = select(0.0, value, visited_0);
    }
    var value_2_1 = 0.0;
    {
      let j = j_1;
      let source = source_1;
      var value = 0.0;
      let dx = source.x - xi_2;
      let dy = source.y - yi_2;
      let dz = source.z - zi_2;
      let r2 = dx * dx + dy * dy + dz * dz;
      let e0 = (0.0 < r2);
      let safeR2 = select(1.0, r2, e0);
      value = select(0.0, source.w * t0_2 * inverseSqrt(safeR2), (e0 && j != i_2));
      value_2_1 = select(0.0, value, visited_1);
    }
    var value_2_2 = 0.0;
    {
      let j = j_2;
      let source = source_2;
      var value = 0.0;
      let dx = source.x - xi_2;
      let dy = source.y - yi_2;
      let dz = source.z - zi_2;
      let r2 = dx * dx + dy * dy + dz * dz;
      let e0 = (0.0 < r2);
      let safeR2 = select(1.0, r2, e0);
      value = select(0.0, source.w * t0_2 * inverseSqrt(safeR2), (e0 && j != i_2));
      value_2_2 = select(0.0, value, visited_2);
    }
    var value_2_3 = 0.0;
    {
      let j = j_3;
      let source = source_3;
      var value = 0.0;
      let dx = source.x - xi_2;
      let dy = source.y - yi_2;
      let dz = source.z - zi_2;
      let r2 = dx * dx + dy * dy + dz * dz;
      let e0 = (0.0 < r2);
      let safeR2 = select(1.0, r2, e0);
      value = select(0.0, source.w * t0_2 * inverseSqrt(safeR2), (e0 && j != i_2));
      value_2_3 = select(0.0, value, visited_3);
    }
    var value_3_0 = 0.0;
    {
      let j = j_0;
      let source = source_0;
      var value = 0.0;
      let dx = source.x - xi_3;
      let dy = source.y - yi_3;
      let dz = source.z - zi_3;
      let r2 = dx * dx + dy * dy + dz * dz;
      let e0 = (0.0 < r2);
      let safeR2 = select(1.0, r2, e0);
      value = select(0.0, source.w * t0_3 * inverseSqrt(safeR2), (e0 && j != i_3));
      value_3_0 = select(0.0, value, visited_0);
    }
    var value_3_1 = 0.0;
    {
      let j = j_1;
      let source = source_1;
      var value = 0.0;
      let dx = source.x - xi_3;
      let dy = source.y - yi_3;
      let dz = source.z - zi_3;
      let r2 = dx * dx + dy * dy + dz * dz;
      let e0 = (0.0 < r2);
      let safeR2 = select(1.0, r2, e0);
      value = select(0.0, source.w * t0_3 * inverseSqrt(safeR2), (e0 && j != i_3));
      value_3_1 = select(0.0, value, visited_1);
    }
    var value_3_2 = 0.0;
    {
      let j = j_2;
      let source = source_2;
      var value = 0.0;
      let dx = source.x - xi_3;
      let dy = source.y - yi_3;
      let dz = source.z - zi_3;
      let r2 = dx * dx + dy * dy + dz * dz;
      let e0 = (0.0 < r2);
      let safeR2 = select(1.0, r2, e0);
      value = select(0.0, source.w * t0_3 * inverseSqrt(safeR2), (e0 && j != i_3));
      value_3_2 = select(0.0, value, visited_2);
    }
    var value_3_3 = 0.0;
    {
      let j = j_3;
      let source = source_3;
      var value = 0.0;
      let dx = source.x - xi_3;
      let dy = source.y - yi_3;
      let dz = source.z - zi_3;
      let r2 = dx * dx + dy * dy + dz * dz;
      let e0 = (0.0 < r2);
      let safeR2 = select(1.0, r2, e0);
      value = select(0.0, source.w * t0_3 * inverseSqrt(safeR2), (e0 && j != i_3));
      value_3_3 = select(0.0, value, visited_3);
    }
    if ((row + 0u < run.targetCount) & writes_0) { result_value[(row + 0u) * run.sourceCount + column_0] = value_0_0; }
    if ((row + 0u < run.targetCount) & writes_1) { result_value[(row + 0u) * run.sourceCount + column_1] = value_0_1; }
    if ((row + 0u < run.targetCount) & writes_2) { result_value[(row + 0u) * run.sourceCount + column_2] = value_0_2; }
    if ((row + 0u < run.targetCount) & writes_3) { result_value[(row + 0u) * run.sourceCount + column_3] = value_0_3; }
    if ((row + 1u < run.targetCount) & writes_0) { result_value[(row + 1u) * run.sourceCount + column_0] = value_1_0; }
    if ((row + 1u < run.targetCount) & writes_1) { result_value[(row + 1u) * run.sourceCount + column_1] = value_1_1; }
    if ((row + 1u < run.targetCount) & writes_2) { result_value[(row + 1u) * run.sourceCount + column_2] = value_1_2; }
    if ((row + 1u < run.targetCount) & writes_3) { result_value[(row + 1u) * run.sourceCount + column_3] = value_1_3; }
    if ((row + 2u < run.targetCount) & writes_0) { result_value[(row + 2u) * run.sourceCount + column_0] = value_2_0; }
    if ((row + 2u < run.targetCount) & writes_1) { result_value[(row + 2u) * run.sourceCount + column_1] = value_2_1; }
    if ((row + 2u < run.targetCount) & writes_2) { result_value[(row + 2u) * run.sourceCount + column_2] = value_2_2; }
    if ((row + 2u < run.targetCount) & writes_3) { result_value[(row + 2u) * run.sourceCount + column_3] = value_2_3; }
    if ((row + 3u < run.targetCount) & writes_0) { result_value[(row + 3u) * run.sourceCount + column_0] = value_3_0; }
    if ((row + 3u < run.targetCount) & writes_1) { result_value[(row + 3u) * run.sourceCount + column_1] = value_3_1; }
    if ((row + 3u < run.targetCount) & writes_2) { result_value[(row + 3u) * run.sourceCount + column_2] = value_3_2; }
    if ((row + 3u < run.targetCount) & writes_3) { result_value[(row + 3u) * run.sourceCount + column_3] = value_3_3; }
  }
}
