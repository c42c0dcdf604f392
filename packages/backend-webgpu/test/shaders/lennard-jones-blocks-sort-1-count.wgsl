// sort: count the digits of each tile
struct Run {
  count: u32, // number of keys
  tiles: u32, // number of workgroups that count digits
  shift: u32, // number of bits below those of this pass
  keysFrom: u32, // where the keys are
  keysTo: u32, // where the keys go
  orderFirst: u32, // where the points of this set start
}
@group(0) @binding(0) var<uniform> run: Run;
@group(0) @binding(1) var<storage, read_write> keys: array<u32>;
@group(0) @binding(2) var<storage, read_write> counts: array<u32>;

var<workgroup> found: array<atomic<u32>, 256>;
@compute @workgroup_size(256)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  let place = group.x + group.z * groups.x;
  atomicStore(&found[lane], 0u);
  workgroupBarrier();
  for (var row = 0u; row < 8u; row++) {
    let at = place * 2048u + row * 256u + lane;
    if (at < run.count) { atomicAdd(&found[(keys[run.keysFrom + at] >> run.shift) & 255u], 1u); }
  }
  workgroupBarrier();
  if (place < run.tiles) { counts[place * 256u + lane] = atomicLoad(&found[lane]); }
}
