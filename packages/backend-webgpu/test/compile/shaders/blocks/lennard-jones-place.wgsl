// cells: put points into places
struct Run {
  count: u32, // number of points
  orderFirst: u32, // where their order starts
  starts: u32, // where in order the counts of cells start, and then their first places
  stride: u32, // from the counts of a level to those of the next, which take turns
  crowded: u32, // where order says how many levels have a crowded cell
}
@group(0) @binding(0) var<uniform> run: Run;
@group(0) @binding(1) var<storage, read> keys: array<u32>;
@group(0) @binding(2) var<storage, read_write> order: array<u32>;

fn countsOf(level: u32) -> u32 { return run.starts + ((level + 1u) & 1u) * run.stride; }
@compute @workgroup_size(256)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  let p = (group.x + group.z * groups.x) * 256u + lane;
  if (p >= run.count) { return; }
  let starts = countsOf(order[run.crowded] + 1u);
  order[run.orderFirst + run.count + order[starts + keys[p]] + keys[run.count + p]] = p;
}
