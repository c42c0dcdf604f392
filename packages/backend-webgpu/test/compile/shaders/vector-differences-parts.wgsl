// q_j*norm(x_j)*abs(vector(g*(b_j - b_i))), parts of vectors of 3
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
@group(0) @binding(1) var<storage, read> partial: array<f32>;
@group(0) @binding(2) var<storage, read_write> result_value: array<f32>;

@compute @workgroup_size(64)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  let place = (group.x + group.z * groups.x) * 64u + lane;
  let all = run.targetCount * 3u;
  if (place >= all) { return; }
  var sum = select(0.0, result_value[place], run.carry == 1u);
  for (var part = 0u; part < run.parts; part++) { sum += partial[part * all + place]; }
  result_value[place] = sum;
}
