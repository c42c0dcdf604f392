// cells: clear the counts
struct Run {
  starts: u32, // where in order the counts of cells start, and then their first places
  crowded: u32, // where order says how many levels have a crowded cell
}
@group(0) @binding(0) var<uniform> run: Run;
@group(0) @binding(1) var<storage, read_write> order: array<u32>;

@compute @workgroup_size(256)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  let part = group.x + group.z * groups.x;
  for (var n = 0u; n < 8u; n++) {
    order[run.starts + part * 2048u + n * 256u + lane] = 0u;
  }
  if (part == 0u && lane == 0u) { order[run.crowded] = 0u; }
}
