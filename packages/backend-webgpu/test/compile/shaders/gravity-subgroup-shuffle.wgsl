// gravity, sum of acceleration, subgroup-shuffle (workgroup 64)
enable subgroups;
diagnostic(off, subgroup_uniformity);

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
@group(0) @binding(3) var<storage, read_write> result_acceleration: array<f32>;

@compute @workgroup_size(64)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
  @builtin(subgroup_invocation_id) subgroupLane: u32,
  @builtin(subgroup_size) subgroupSize: u32,
) {
  let firstSource = run.sourceFirst + group.y * run.chunk;
  let lastSource = min(firstSource + run.chunk, run.sourceLast);
  let block = group.x + group.z * groups.x;
  // Target 0 of this invocation: at_0 is its place among the results, i_0 its index among the points.
  let at_0 = block * 64u + lane;
  let i_0 = run.targetFirst + min(at_0, run.targetCount - 1u);
  let xi_0 = points_position[3u * i_0];
  let yi_0 = points_position[3u * i_0 + 1u];
  let zi_0 = points_position[3u * i_0 + 2u];
  var sum0_0 = 0.0; var sum1_0 = 0.0; var sum2_0 = 0.0;
  for (var row = firstSource; row < lastSource; row += subgroupSize) {
    // Beyond the last source, the last is loaded again but not visited.
    let next = min(row + subgroupLane, lastSource - 1u);
    let own = vec4f(points_position[3u * next], points_position[3u * next + 1u], points_position[3u * next + 2u], run.p0 * points_mass[next]);
    if (row + subgroupSize <= lastSource) {
      for (var turn = 0u; turn < subgroupSize; turn++) {
        {
          let source = subgroupShuffle(own, turn);
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
        }
      }
    } else {
      for (var at = 0u; at < lastSource - row; at++) {
        {
          let source = subgroupShuffle(own, at);
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
        }
      }
    }
  }
  if (at_0 < run.targetCount) {
    result_acceleration[3u * at_0 + 0u] = select(0.0, result_acceleration[3u * at_0 + 0u], run.carry == 1u) + sum0_0;
    result_acceleration[3u * at_0 + 1u] = select(0.0, result_acceleration[3u * at_0 + 1u], run.carry == 1u) + sum1_0;
    result_acceleration[3u * at_0 + 2u] = select(0.0, result_acceleration[3u * at_0 + 2u], run.carry == 1u) + sum2_0;
  }
}
