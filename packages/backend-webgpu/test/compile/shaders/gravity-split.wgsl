// gravity, sum of acceleration, split (workgroup 64, targets 2, unroll 2, parts 4, block sums)
struct Run {
  targetFirst: u32, // targets [targetFirst, targetFirst + targetCount)
  targetCount: u32,
  sourceFirst: u32, // sources [sourceFirst, sourceLast)
  sourceLast: u32,
  chunk: u32, // number of sources of one workgroup
  parts: u32, // number of parts into which the grid splits the sources
  carry: u32, // 1 if the results contain earlier ones to continue from
  p0: f32, // G
  p1: f32, // softening * softening
}
@group(0) @binding(0) var<uniform> run: Run;
@group(0) @binding(1) var<storage, read> points_position: array<f32>;
@group(0) @binding(2) var<storage, read> points_mass: array<f32>;
@group(0) @binding(3) var<storage, read_write> partial: array<u32>;

var<workgroup> tile0: array<vec4f, 64>;
@compute @workgroup_size(64)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  let firstSource = run.sourceFirst + group.y * run.chunk;
  let lastSource = min(firstSource + run.chunk, run.sourceLast);
  let block = group.x + group.z * groups.x;
  // Target 0 of this invocation: at_0 is its place among the results, i_0 its index among the points.
  let at_0 = block * 128u + lane;
  let i_0 = run.targetFirst + min(at_0, run.targetCount - 1u);
  let xi_0 = points_position[3u * i_0];
  let yi_0 = points_position[3u * i_0 + 1u];
  let zi_0 = points_position[3u * i_0 + 2u];
  var total_sum0_0 = 0.0; var total_sum1_0 = 0.0; var total_sum2_0 = 0.0;
  // Target 1 of this invocation: at_1 is its place among the results, i_1 its index among the points.
  let at_1 = block * 128u + 64u + lane;
  let i_1 = run.targetFirst + min(at_1, run.targetCount - 1u);
  let xi_1 = points_position[3u * i_1];
  let yi_1 = points_position[3u * i_1 + 1u];
  let zi_1 = points_position[3u * i_1 + 2u];
  var total_sum0_1 = 0.0; var total_sum1_1 = 0.0; var total_sum2_1 = 0.0;
  for (var start = firstSource; start < lastSource; start += 64u) {
    workgroupBarrier();
    if (start + lane < lastSource) {
      let j = start + lane;
      tile0[lane] = vec4f(points_position[3u * j], points_position[3u * j + 1u], points_position[3u * j + 2u], run.p0 * points_mass[j]);
    }
    workgroupBarrier();
    var sum0_0 = 0.0; var sum1_0 = 0.0; var sum2_0 = 0.0;
    var sum0_1 = 0.0; var sum1_1 = 0.0; var sum2_1 = 0.0;
    if (start + 64u <= lastSource) {
      // With a constant trip count and a step of 1, the compiler can prove the bounds of the tile.
      for (var turn = 0u; turn < 32u; turn++) {
        {
          let source = tile0[turn * 2u + 0u];
          {
            let dx = source.x - xi_0;
            let dy = source.y - yi_0;
            let dz = source.z - zi_0;
            let e0 = inverseSqrt(run.p1 + dx * dx + dy * dy + dz * dz);
            let w = source.w * e0 * (e0 * e0);
            sum0_0 += w * dx;
            sum1_0 += w * dy;
            sum2_0 += w * dz;
          }
          {
            let dx = source.x - xi_1;
            let dy = source.y - yi_1;
            let dz = source.z - zi_1;
            let e0 = inverseSqrt(run.p1 + dx * dx + dy * dy + dz * dz);
            let w = source.w * e0 * (e0 * e0);
            sum0_1 += w * dx;
            sum1_1 += w * dy;
            sum2_1 += w * dz;
          }
        }
        {
          let source = tile0[turn * 2u + 1u];
          {
            let dx = source.x - xi_0;
            let dy = source.y - yi_0;
            let dz = source.z - zi_0;
            let e0 = inverseSqrt(run.p1 + dx * dx + dy * dy + dz * dz);
            let w = source.w * e0 * (e0 * e0);
            sum0_0 += w * dx;
            sum1_0 += w * dy;
            sum2_0 += w * dz;
          }
          {
            let dx = source.x - xi_1;
            let dy = source.y - yi_1;
            let dz = source.z - zi_1;
            let e0 = inverseSqrt(run.p1 + dx * dx + dy * dy + dz * dz);
            let w = source.w * e0 * (e0 * e0);
            sum0_1 += w * dx;
            sum1_1 += w * dy;
            sum2_1 += w * dz;
          }
        }
      }
    } else {
      for (var at = 0u; at < lastSource - start; at++) {
        {
          let source = tile0[at];
          {
            let dx = source.x - xi_0;
            let dy = source.y - yi_0;
            let dz = source.z - zi_0;
            let e0 = inverseSqrt(run.p1 + dx * dx + dy * dy + dz * dz);
            let w = source.w * e0 * (e0 * e0);
            sum0_0 += w * dx;
            sum1_0 += w * dy;
            sum2_0 += w * dz;
          }
          {
            let dx = source.x - xi_1;
            let dy = source.y - yi_1;
            let dz = source.z - zi_1;
            let e0 = inverseSqrt(run.p1 + dx * dx + dy * dy + dz * dz);
            let w = source.w * e0 * (e0 * e0);
            sum0_1 += w * dx;
            sum1_1 += w * dy;
            sum2_1 += w * dz;
          }
        }
      }
    }
    total_sum0_0 += sum0_0; total_sum1_0 += sum1_0; total_sum2_0 += sum2_0;
    total_sum0_1 += sum0_1; total_sum1_1 += sum1_1; total_sum2_1 += sum2_1;
  }
  var sum0_0 = total_sum0_0; var sum1_0 = total_sum1_0; var sum2_0 = total_sum2_0;
  var sum0_1 = total_sum0_1; var sum1_1 = total_sum1_1; var sum2_1 = total_sum2_1;
  if (at_0 < run.targetCount) {
    partial[(group.y * 3u + 0u) * run.targetCount + at_0] = bitcast<u32>(sum0_0);
    partial[(group.y * 3u + 1u) * run.targetCount + at_0] = bitcast<u32>(sum1_0);
    partial[(group.y * 3u + 2u) * run.targetCount + at_0] = bitcast<u32>(sum2_0);
  }
  if (at_1 < run.targetCount) {
    partial[(group.y * 3u + 0u) * run.targetCount + at_1] = bitcast<u32>(sum0_1);
    partial[(group.y * 3u + 1u) * run.targetCount + at_1] = bitcast<u32>(sum1_1);
    partial[(group.y * 3u + 2u) * run.targetCount + at_1] = bitcast<u32>(sum2_1);
  }
}
