// cells: add up the counts of each workgroup
struct Run {
  starts: u32, // where in order the counts of cells start, and then their first places
  stride: u32, // from the counts of a level to those of the next, which take turns
  crowded: u32, // where order says how many levels have a crowded cell
  sums: u32, // where in order their sums start, one for each workgroup
}
@group(0) @binding(0) var<uniform> run: Run;
@group(0) @binding(1) var<storage, read_write> order: array<u32>;

var<workgroup> all: atomic<u32>;
fn countsOf(level: u32) -> u32 { return run.starts + ((level + 1u) & 1u) * run.stride; }
@compute @workgroup_size(256)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  let part = group.x + group.z * groups.x;
  let counts = countsOf(order[run.crowded] + 1u);
  if (lane == 0u) { atomicStore(&all, 0u); }
  workgroupBarrier();
  var sum = 0u;
  for (var n = 0u; n < 8u; n++) {
    let at = part * 2048u + n * 256u + lane;
    sum += order[counts + at];
  }
  atomicAdd(&all, sum);
  workgroupBarrier();
  if (lane == 0u) { order[run.sums + part] = atomicLoad(&all); }
}
