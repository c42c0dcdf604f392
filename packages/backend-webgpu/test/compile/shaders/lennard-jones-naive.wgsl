// lennard-jones, sum of force, naive (workgroup 64)
struct Run {
  targetFirst: u32, // targets [targetFirst, targetFirst + targetCount)
  targetCount: u32,
  sourceFirst: u32, // sources [sourceFirst, sourceLast)
  sourceLast: u32,
  chunk: u32, // number of sources of one workgroup
  parts: u32, // number of parts into which the grid splits the sources
  carry: u32, // 1 if the results contain earlier ones to continue from
  p0: f32, // cutoff * cutoff
  p1: f32, // boxX
  p2: f32, // 1 / boxX
  p3: f32, // boxY
  p4: f32, // 1 / boxY
  p5: f32, // boxZ
  p6: f32, // 1 / boxZ
}
@group(0) @binding(0) var<uniform> run: Run;
@group(0) @binding(1) var<storage, read> points_position: array<f32>;
@group(0) @binding(2) var<storage, read> points_epsilon: array<f32>;
@group(0) @binding(3) var<storage, read> points_sigma: array<f32>;
@group(0) @binding(4) var<storage, read_write> result_force: array<f32>;

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
  let at_0 = block * 64u + lane;
  let i_0 = run.targetFirst + min(at_0, run.targetCount - 1u);
  let xi_0 = points_position[3u * i_0];
  let yi_0 = points_position[3u * i_0 + 1u];
  let zi_0 = points_position[3u * i_0 + 2u];
  let t0_0 = 0.5 * points_sigma[i_0];
  let t1_0 = 24.0 * sqrt(points_epsilon[i_0]);
  var sum0_0 = 0.0; var sum1_0 = 0.0; var sum2_0 = 0.0;
  for (var j = firstSource; j < lastSource; j++) {
    let source = vec4f(points_position[3u * j], points_position[3u * j + 1u], points_position[3u * j + 2u], sqrt(points_epsilon[j]));
    let source1 = vec2f(0.5 * points_sigma[j], 0.0);
    {
      let e0 = source.x - xi_0;
      let dx = e0 - run.p1 * round(run.p2 * e0);
      let e1 = source.y - yi_0;
      let dy = e1 - run.p3 * round(run.p4 * e1);
      let e2 = source.z - zi_0;
      let dz = e2 - run.p5 * round(run.p6 * e2);
      let r2 = dx * dx + dy * dy + dz * dz;
      let safeR2 = select(1.0, r2, (0.0 < r2));
      let e3 = source1.x + t0_0;
      let e4 = 1.0 / safeR2;
      let e5 = e3 * e3 * e4;
      let e6 = e5 * e5 * e5;
      let w = select(0.0, source.w * (1.0 - 2.0 * e6) * (e6 * e4), (r2 <= run.p0));
      sum0_0 += w * dx;
      sum1_0 += w * dy;
      sum2_0 += w * dz;
    }
  }
  if (at_0 < run.targetCount) {
    result_force[3u * at_0 + 0u] = select(0.0, result_force[3u * at_0 + 0u], run.carry == 1u) + sum0_0 * (t1_0);
    result_force[3u * at_0 + 1u] = select(0.0, result_force[3u * at_0 + 1u], run.carry == 1u) + sum1_0 * (t1_0);
    result_force[3u * at_0 + 2u] = select(0.0, result_force[3u * at_0 + 2u], run.carry == 1u) + sum2_0 * (t1_0);
  }
}
