// cells: find the first place of each
struct Run {
  starts: u32, // where in order the counts of cells start, and then their first places
  stride: u32, // from the counts of a level to those of the next, which take turns
  crowded: u32, // where order says how many levels have a crowded cell
  sums: u32, // where in order their sums start, one for each workgroup
}
@group(0) @binding(0) var<uniform> run: Run;
@group(0) @binding(1) var<storage, read_write> order: array<u32>;

var<workgroup> before: atomic<u32>;
fn countsOf(level: u32) -> u32 { return run.starts + ((level + 1u) & 1u) * run.stride; }
var<workgroup> sums: array<u32, 256>;
fn runningSum(value: u32, lane: u32) -> u32 {
  sums[lane] = value;
  workgroupBarrier();
  for (var step = 1u; step < 256u; step *= 2u) {
    var sum = sums[lane];
    if (lane >= step) { sum += sums[lane - step]; }
    workgroupBarrier();
    sums[lane] = sum;
    workgroupBarrier();
  }
  return sums[lane];
}
@compute @workgroup_size(256)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  let part = group.x + group.z * groups.x;
  let counts = countsOf(order[run.crowded] + 1u);
  if (lane == 0u) { atomicStore(&before, 0u); }
  workgroupBarrier();
  var earlier = 0u;
  for (var other = lane; other < part; other += 256u) { earlier += order[run.sums + other]; }
  atomicAdd(&before, earlier);
  let first = counts + part * 2048u + lane * 8u;
  var sum = 0u;
  for (var n = 0u; n < 8u; n++) { sum += order[first + n]; }
  // Its barriers also end the sum over earlier workgroups.
  var place = runningSum(sum, lane) - sum + atomicLoad(&before);
  for (var n = 0u; n < 8u; n++) {
    let found = order[first + n];
    order[first + n] = place;
    place += found;
  }
}
