// sort: count the digits of each tile
struct Run {
  count: u32, // number of keys
  tiles: u32, // number of workgroups that count digits
  rows: u32, // number of rows of keys of each, with one key per invocation
  shift: u32, // number of bits below those of this pass
  ordered: u32, // 0 in the first pass, before which the points are in their own order
  ofPoints: u32, // 1 in the first pass of each word, whose keys are in the order of the points
  keysFrom: u32, // where the keys are
  keysTo: u32, // where the keys go
  orderFrom: u32, // where the points are
  orderTo: u32, // where the points go
}
@group(0) @binding(0) var<uniform> run: Run;
@group(0) @binding(1) var<storage, read_write> keys: array<u32>;
@group(0) @binding(2) var<storage, read_write> order: array<u32>;
@group(0) @binding(3) var<storage, read_write> counts: array<u32>;

var<workgroup> found: array<atomic<u32>, 256>;
fn pointAt(at: u32) -> u32 {
  if (run.ordered == 0u) { return at; }
  return order[run.orderFrom + at];
}
fn keyAt(at: u32) -> u32 {
  if (run.ofPoints == 0u) { return keys[run.keysFrom + at]; }
  return keys[run.keysFrom + pointAt(at)];
}
@compute @workgroup_size(256)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  let place = group.x + group.z * groups.x;
  atomicStore(&found[lane], 0u);
  workgroupBarrier();
  for (var row = 0u; row < run.rows; row++) {
    let at = (place * run.rows + row) * 256u + lane;
    if (at < run.count) { atomicAdd(&found[(keyAt(at) >> run.shift) & 255u], 1u); }
  }
  workgroupBarrier();
  if (place < run.tiles) { counts[place * 256u + lane] = atomicLoad(&found[lane]); }
}
