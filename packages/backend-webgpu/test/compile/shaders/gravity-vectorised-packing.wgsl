// gravity, sum of acceleration, vectorised (workgroup 64): sources packed
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
@group(0) @binding(3) var<storage, read_write> packed: array<vec4f>;

@compute @workgroup_size(64)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  let j = run.sourceFirst + (group.x + group.z * groups.x) * 64u + lane;
  if (j >= run.sourceLast) { return; }
  packed[j] = vec4f(points_position[3u * j], points_position[3u * j + 1u], points_position[3u * j + 2u], run.p0 * points_mass[j]);
}
