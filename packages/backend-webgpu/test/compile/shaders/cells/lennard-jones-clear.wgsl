// cells: clear the counts
struct Run {
  starts: u32, // where in order the counts of cells start, and then their first places
  sums: u32, // where in order their sums start, one for each workgroup
}
@group(0) @binding(0) var<uniform> run: Run;
@group(0) @binding(1) var<storage, read_write> order: array<u32>;

@compute @workgroup_size(256)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  let place = (group.x + group.z * groups.x) * 256u + lane;
  let invocations = groups.x * groups.z * 256u;
  for (var word = run.starts + place; word < run.sums; word += invocations) { order[word] = 0u; }
}
