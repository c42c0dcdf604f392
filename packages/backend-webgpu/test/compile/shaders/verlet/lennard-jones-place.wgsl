// cells: put points into places
struct Run {
  count: u32, // number of points
  orderFirst: u32, // where their order starts
  starts: u32, // where in order the counts of cells start, and then their first places
}
@group(0) @binding(0) var<uniform> run: Run;
@group(0) @binding(1) var<storage, read> keys: array<u32>;
@group(0) @binding(2) var<storage, read_write> order: array<u32>;
@group(0) @binding(3) var<storage, read> rounds: array<u32>;

@compute @workgroup_size(256)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  if (rounds[1u] == 0u) { return; }
  let p = (group.x + group.z * groups.x) * 256u + lane;
  if (p >= run.count) { return; }
  let starts = run.starts;
  order[run.orderFirst + run.count + order[starts + keys[p]] + keys[run.count + p]] = p;
}
